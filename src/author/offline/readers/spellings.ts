// Texts of the page in the spellings of the log, where the page says that the case of letters does not matter.

import { escapeRegex } from "../escape.ts";
import type { Page } from "../page/page.ts";
import { anyCase } from "./records/spoken-words.ts";

/** The page with what is not wanted in all spellings of the log. */
export function spelledAnyway(page: Page, lines: readonly string[]): Page {
  if (!anyCase(page) || page.unwanted.length === 0) return page;
  const found = page.unwanted.flatMap((text) => {
    const regex = new RegExp(escapeRegex(text), "gi");
    return [text, ...lines.flatMap((line) => line.match(regex) ?? [])];
  });
  return { ...page, unwanted: [...new Set(found)] };
}
