// What the page's words say about the fixed words of the lines of a block: which may be others, and which have to stay.

import { stem } from "../../page/names.ts";
import type { Page } from "../../page/page.ts";

/** One to three words that close the line and that the page speaks of: "Alarm 17 raised", "alarms that were raised". */
export function spokenTail(rest: string, page: Page): string {
  const text = rest.trim();
  if (!/^\s/.test(rest) || !/^[A-Za-z]+(?: [A-Za-z]+){0,2}$/.test(text)) return "";
  return text.split(" ").some((word) => word.length > 3 && page.stems.has(stem(word.toLowerCase())))
    ? text
    : "";
}

const LEVELS = [
  "level",
  "severity",
  "error",
  "warning",
  "info",
  "notice",
  "debug",
  "critical",
  "fatal",
  "alert",
];

/** Where the page speaks of no level, records may have any. */
export function anyLevel(page: Page): boolean {
  return !LEVELS.some((level) => page.stems.has(stem(level)));
}

/** "Keywords in lower case", "header names in small letters", "in any case". */
const ANY_CASE =
  /\b(?:lower|upper|mixed|either|any|both) ?-?cases?\b|\b(?:small|capital|lower-case|upper-case) letters?\b|\b(?:spelled|written|printed)\b[^.;]{0,20}\b(?:small|capitals?|case)\b|\bcase[- ]insensitive\b|\bregardless of (?:the )?case\b|\bignor\w+ (?:the )?case\b/i;

/** May the words be written in capitals or not? */
export function anyCase(page: Page): boolean {
  return (
    ANY_CASE.test(page.prose) &&
    !/\bcase (?:matters?|counts|is (?:significant|kept))\b|\bcase[- ]sensitive\b/i.test(page.prose)
  );
}
