// What the page asks of the words of a line: codes that a wanted line has, and words that may stand for one another.

import type { Page } from "../page/page.ts";
import { bare, NEGATIVE } from "../page/text.ts";

/** "Some are marked `Err` instead of `Msg` and are wanted as well": either word may stand there. */
export function insteadOf(page: Page): Map<string, string[]> {
  const either = new Map<string, string[]>();
  const title = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "";
  // "Errors and warnings of the loom": each of them is wanted.
  const levels = ["error", "warning", "info", "note", "notice", "fatal", "critical"].filter(
    (level) => !NEGATIVE.test(bare(title)) && new RegExp(`\\b${level}s?\\b`, "i").test(bare(title)),
  );
  if (levels.length > 1) {
    for (const spell of [
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`,
    ])
      for (const level of levels) either.set(spell(level), levels.map(spell));
  }
  for (const { text } of page.statements.flatMap((one) => one.sentences)) {
    if (NEGATIVE.test(bare(text))) continue;
    for (const [, own = "", other = ""] of text.matchAll(
      /`([A-Za-z]+)` (?:instead of|in place of|rather than) `([A-Za-z]+)`/g,
    )) {
      for (const word of [own, other])
        either.set(word, [...new Set([...(either.get(word) ?? []), own, other])]);
    }
  }
  return either;
}

/** "Requests that were dropped (status 444)": a code in brackets in the first sentence is what the page is about. */
function titleCodes(page: Page): string[] {
  const first = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "";
  return [...first.matchAll(/\((?:(?:code|status|error|event|type|id|level) )?([A-Z]*\d[\w-]*)\)/gi)].map(
    (match) => match[1] ?? "",
  );
}

/** Codes and numbers that a sentence about what is wanted names, e.g. 403 in "only calls with status 403". */
export function askedCodes(page: Page): ReadonlySet<string> {
  const codes = new Set<string>(titleCodes(page));
  for (const { sentences } of page.statements) {
    for (const { text } of sentences) {
      const positive = bare(text)
        .replace(/\([^)]*\)/g, " ")
        .replace(/\b(?:not|except|other than|unlike)\b.*$/i, "");
      if (!/\b(?:only|with|of type|code|status|message|level|event)\b/i.test(positive)) continue;
      // "Only calls that return -1."
      if (/\bonly\b/i.test(positive))
        for (const [code] of positive.matchAll(/(?<=\s)-\d+(?![\w-]|\.\d)/g)) codes.add(code);
      for (const [code] of positive.matchAll(/(?<![\w.-])[A-Z]*\d[\w-]*(?![\w-]|\.\d)/g)) codes.add(code);
    }
  }
  return codes;
}
