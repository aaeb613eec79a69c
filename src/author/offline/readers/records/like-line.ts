// The expression of the lines of the log that are like a line of the block as a whole, with the parts put on it.

import { stem, wordsOf } from "../../page/names.ts";
import type { Group, Page } from "../../page/page.ts";
import { labelOf } from "../families.ts";
import { type LineCandidate, lineCandidate } from "../lines.ts";
import { withGroup } from "../tight.ts";
import type { Put } from "./distribute.ts";

/** The expression of the lines of the log that are like a line of the example, with the parts put on it. */
export function likeLine(
  group: Group,
  page: Page,
  lines: readonly string[],
  example: string,
  puts: readonly Put[],
): LineCandidate | undefined {
  const hints = new Set(puts.map((put) => put.hint));
  const attempt = (text: string): LineCandidate | undefined =>
    lineCandidate({
      example: text,
      value: group.value !== undefined && hints.has(group.value) ? group.value : undefined,
      fields: group.fields.filter((hint) => hints.has(hint)),
      lists: [],
      constants: new Map(),
      lines,
      stems: page.stems,
      real: false,
      unwanted: page.unwanted,
      unwantedStems: page.unwantedStems,
      loose: looseMarks(text, page),
      assignment: {
        placed: puts.map((put) => ({ ...put, why: [] })),
        others: [],
        missing: [],
        score: 0,
        margins: new Map(puts.map((put) => [put.hint.name, 9])),
      },
    });
  const last = Math.max(0, ...puts.map((put) => put.span.end));
  // What stands behind the last part may be any text of that line.
  const free = last > 0 && isFree(example.slice(last), page);
  const cut = last > 0 && last < example.trimEnd().length ? `${example.slice(0, last)} ...` : example;
  const candidate = (free ? undefined : attempt(example)) ?? attempt(cut) ?? attempt(example);
  if (candidate === undefined) return undefined;
  const { alternative } = candidate;
  const [only] = puts;
  if (
    only !== undefined &&
    puts.length === 1 &&
    example.trim() === example.slice(only.span.start, only.span.end)
  ) {
    // A line that is nothing but the part, such as the name of a file.
    const group_ = /\(\?<(\w+)>/.exec(alternative.pattern)?.[1] ?? "";
    const body = only.hint.kind === "path" && /[/.]/.test(example) ? "\\S*[/.]\\S*" : undefined;
    const pattern = body === undefined ? alternative.pattern : withGroup(alternative.pattern, group_, body);
    alternative.pattern = `^${/^\s/.test(example) ? "\\s*" : ""}${pattern.replace(/^\^(?:\\s\*)?/, "")}\\s*$`;
    const regex = new RegExp(alternative.pattern);
    candidate.hits = lines.flatMap((line, index) => (regex.test(line) ? [index] : []));
  }
  alternative.pattern = toTheEnd(alternative.pattern, example, puts, candidate, lines);
  return candidate;
}

/** Signs such as a cross, of which the page names another one as well without a word of "only". */
function looseMarks(text: string, page: Page): ReadonlySet<number> {
  const sign = /(?![‐-‧‘-‟])[\u2010-\u2bff]/gu;
  const named = new Set(page.prose.match(sign) ?? []);
  if (named.size < 2 || /\bonly\b/i.test(page.prose)) return new Set();
  return new Set([...text.matchAll(sign)].filter((one) => named.has(one[0])).map((one) => one.index));
}

/** Words behind the last part that the page does not speak of; marks in capitals tell lines apart all the same. */
function isFree(tail: string, page: Page): boolean {
  const words = wordsOf(tail).filter((word) => word.length > 2);
  return (
    words.length > 0 && !/\b[A-Z]{4,}\b/.test(tail) && words.every((word) => !page.stems.has(stem(word)))
  );
}

/** A part that goes from the label of its line to the end does so in every line. */
function toTheEnd(
  pattern: string,
  example: string,
  puts: readonly Put[],
  candidate: LineCandidate,
  lines: readonly string[],
): string {
  const [put] = puts;
  const label = labelOf(example);
  if (put === undefined || puts.length !== 1 || label === undefined) return pattern;
  const from = example.indexOf(label) + label.length;
  const whole =
    /^\s*[:=]\s*$/.test(example.slice(from, put.span.start)) && put.span.end === example.trimEnd().length;
  const group = /\(\?<(\w+)>/.exec(pattern)?.[1];
  if (!whole || group === undefined) return pattern;
  const wide = withGroup(pattern, group, "\\S.*");
  const regex = new RegExp(wide);
  return candidate.hits.every((hit) => regex.test(lines[hit] ?? "")) ? wide : pattern;
}
