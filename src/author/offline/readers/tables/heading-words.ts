// "Only the lists with `T` in the heading": of tables whose titles are built alike, those that have a text more.

import { escapeRegex } from "../../logs/tokens.ts";
import type { Page } from "../../page/page.ts";
import type { TableRule } from "../../program/ir.ts";

/** The text that the page wants in the headings. */
function wantedIn(page: Page): string | undefined {
  for (const { text, quoted } of page.statements) {
    for (const span of quoted) {
      const before = text.slice(0, span.start);
      const behind = text.slice(span.end);
      const inHeading =
        /\bwith\s*(?:the (?:words?|text)\s*)?$/i.test(before) &&
        /^\s*in (?:the|their|its) (?:heading|headline|title)/i.test(behind);
      const hasHeading =
        /\b(?:heading|headline|title)s? (?:contains?|ha(?:s|ve)|ends? (?:in|with)|says?)\s*$/i.test(before);
      if ((inHeading || hasHeading) && /\bonly\b|\bwanted\b/i.test(before + behind)) return span.text.trim();
    }
  }
  return undefined;
}

/** The scope of such tables, from the titles above all of them. */
export function headingWords(
  page: Page,
  titles: readonly (string | undefined)[],
): NonNullable<TableRule["sections"]> | undefined {
  const wanted = wantedIn(page);
  if (wanted === undefined || titles.includes(undefined)) return undefined;
  const known = titles.filter((title) => title !== undefined).map((title) => title.trim());
  const having = known.filter((title) => title.includes(wanted));
  const [example] = having;
  if (example === undefined || having.length === known.length) return undefined;
  const fronts = known.map(
    (title) =>
      title
        .split(wanted)[0]
        ?.replace(/[:.\s]+$/, "")
        .split(/\s+/) ?? [],
  );
  const [first] = fronts;
  if (first === undefined || fronts.some((front) => front.length !== first.length)) return undefined;
  // Words that all titles share stay; what differs is one word.
  const words = first.map((word, index) =>
    fronts.every((front) => front[index] === word) && !/\d/.test(word) ? escapeRegex(word) : "[^\\s:]+",
  );
  if (!words.some((word) => /[A-Za-z]{3}/.test(word))) return undefined;
  const heading = `^\\s*${words.join("\\s+")}\\s*(?<title>.*?)\\s*[:.]?\\s*$`;
  const regex = new RegExp(heading);
  const isTold = known.every(
    (title) => (regex.exec(title)?.groups?.["title"] === wanted) === title.includes(wanted),
  );
  return isTold ? { heading, wanted: [wanted], example } : undefined;
}
