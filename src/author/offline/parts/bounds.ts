// Where a part of a line ends for any reader: at delimiters rather than in a run of words.

import type { Span } from "./evidence.ts";

/** Stands between delimiters, not in the middle of a run of words. */
export function isBounded(line: string, span: Span): boolean {
  const before = line.slice(0, span.start);
  const after = line.slice(span.end);
  const left = /(?:^\s*|[:;,=|>)\]]\s*|[([{<"'`@/#]|\s[-–|]\s|\s{2,}|\t)$/.test(before);
  const right = /^(?:\s*$|[)\]}>"'`:;,=|@]|\s+[([{"'<]|\s[-–|]\s|\s{2,}|\t|\s+[\w.-]+=)/.test(after);
  return left && right;
}
