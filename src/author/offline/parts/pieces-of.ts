// "the part of the user name after the dot", "the second character", "the middle one of the three numbers": parts of
// a part. First the part that the words name is found in the line, then the piece inside it.

import { similarity } from "../page/names.ts";
import type { Hint } from "../page/page.ts";
import type { Say, Span } from "./evidence.ts";

const ORDINALS: Record<string, number> = {
  first: 0,
  second: 1,
  middle: 1,
  third: 2,
  fourth: 3,
  last: -1,
};
const ORDINAL = "(first|second|middle|third|fourth|last)";

const CHARACTER = new RegExp(`\\b(?:the )?${ORDINAL} (?:character|letter|sign|symbol)\\b`, "i");
const OF_NUMBERS = new RegExp(
  `\\b(?:the )?${ORDINAL} (?:one |number |part |piece )?(?:of|in) the (?:two|three|four|five)? ?(?:numbers|parts|pieces)\\b`,
  "i",
);

/** The pieces of a line that a description counts inside a longer part. */
export function countedSpans(line: string, description: string): Span[] {
  const character = CHARACTER.exec(description)?.[1]?.toLowerCase();
  if (character !== undefined) {
    return [...line.matchAll(/\S+/g)].flatMap(({ index, 0: chunk }) => {
      const at = ORDINALS[character] ?? 0;
      const start = index + (at < 0 ? chunk.length - 1 : at);
      return start < index + chunk.length ? [{ start, end: start + 1 }] : [];
    });
  }
  const part = OF_NUMBERS.exec(description)?.[1]?.toLowerCase();
  if (part === undefined) return [];
  const count = /\b(two|three|four|five)\b/i.exec(description)?.[1]?.toLowerCase();
  const wanted = ["", "", "two", "three", "four", "five"].indexOf(count ?? "");
  return [...line.matchAll(/[\w.*-]+(?:[:/;,|][\w.*-]+)+/g)].flatMap(({ index, 0: chunk }) => {
    const pieces = [...chunk.matchAll(/[^:/;,|]+/g)];
    if (wanted > 0 && pieces.length !== wanted) return [];
    const one = pieces.at(ORDINALS[part] ?? 0);
    return one === undefined ? [] : [{ start: index + one.index, end: index + one.index + one[0].length }];
  });
}

/** Speaks for the pieces that a description counts. */
export function countedEvidence(line: string, span: Span, description: string, say: Say): void {
  const spans = countedSpans(line, description);
  if (spans.length === 0) return;
  const [first] = spans;
  const isCounted = spans.some((one) => one.start === span.start && one.end === span.end);
  // Characters are counted in the first piece of a line, if nothing else is said.
  const isFirst = first !== undefined && first.start === span.start && first.end === span.end;
  say(isCounted ? (isFirst ? 7 : 5) : -3, "counted inside a longer part");
}

const OF =
  /\b(?:part|piece|portion|bit|half|component|text|letters|digits|name|domain) of (?:the |its )((?:[a-z]+ ){0,2}[a-z]+?)(?= (?:after|before|behind|in front|up to|without|between|with|that|which|as|from)\b|[,;)]|$)/i;

/** The value or field whose piece a description speaks of. */
export function ownerOf(hint: Hint, others: readonly Hint[]): Hint | undefined {
  const name = OF.exec(hint.description)?.[1];
  if (name === undefined) return undefined;
  return others.find((other) => other !== hint && similarity(other.name, name) >= 0.85);
}
