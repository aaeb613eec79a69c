// The matcher for regular expressions: RE2, line by line, in linear time for any pattern. If a pattern requires some
// literal text, the kernel finds the lines that contain it and only those are tried.
import { isUtf8 } from "node:buffer";
import type { RE2JS } from "re2js";
import { keywordMatcher } from "./keyword-matcher.ts";
import { requiredLiteral } from "./required-literal.ts";
import type { Matcher } from "./search.ts";
import type { TextWindow } from "./window.ts";

/** A longer line is matched in pieces of this size. */
const LONG_LINE = 256 * 1024;

export type RegexMatcherResult = { ok: true; matcher: Matcher } | { ok: false; message: string };

/** Creates a matcher for patterns in RE2 syntax, case-insensitive unless they contain `(?-i)`. */
export async function regexMatcher(patterns: string[]): Promise<RegexMatcherResult> {
  const { RE2JS } = await import("re2js");
  const compiled: RE2JS[] = [];
  for (const pattern of patterns) {
    try {
      compiled.push(RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { ok: false, message: `"${pattern.slice(0, 80)}": ${why.slice(0, 200)}` };
    }
  }
  return { ok: true, matcher: new RegexMatcher(compiled, patterns.map(requiredLiteral)) };
}

class RegexMatcher implements Matcher {
  readonly count: number;
  readonly overlap = 0;
  private readonly patterns: RE2JS[];
  private readonly literals: (string | undefined)[];
  private selected: number[];
  private filter: Matcher | undefined;

  constructor(patterns: RE2JS[], literals: (string | undefined)[]) {
    this.count = patterns.length;
    this.patterns = patterns;
    this.literals = literals;
    this.selected = [];
    this.select(patterns.map((_, i) => i));
  }

  select(patterns: number[]): void {
    this.selected = patterns;
    const literals = patterns.flatMap((pattern) => this.literals[pattern] ?? []);
    this.filter =
      literals.length === patterns.length && literals.length > 0 ? keywordMatcher(literals) : undefined;
  }

  scan(
    window: TextWindow,
    from: number,
    to: number,
    report: (offset: number, pattern: number) => boolean,
  ): number {
    const end = wholeLinesEnd(window, from, to);
    if (this.filter === undefined) this.scanAllLines(window, from, end, report);
    else this.scanFilteredLines(window, this.filter, from, end, report);
    return end;
  }

  private scanAllLines(
    window: TextWindow,
    from: number,
    end: number,
    report: (o: number, t: number) => boolean,
  ): void {
    for (let start = from; start < end; ) {
      const found = window.data.indexOf(10, start);
      const stop = found < 0 || found >= end ? end : found;
      const text = lineText(window, start, stop);
      for (const pattern of this.selected) {
        if (this.patterns[pattern]?.test(text) && !report(start, pattern)) return;
      }
      start = stop + 1;
    }
  }

  private scanFilteredLines(
    window: TextWindow,
    filter: Matcher,
    from: number,
    end: number,
    report: (o: number, t: number) => boolean,
  ): void {
    let tried = -1;
    filter.scan(window, from, end, (offset, index) => {
      const pattern = this.selected[index] ?? 0;
      const start = offset === 0 ? 0 : window.data.lastIndexOf(10, offset - 1) + 1;
      const found = window.data.indexOf(10, offset);
      const stop = found < 0 || found >= end ? end : found;
      // Another occurrence of the literal in a line already tried for this pattern.
      const key = start * this.count + pattern;
      if (key === tried) return true;
      tried = key;
      return this.patterns[pattern]?.test(lineText(window, start, stop)) ? report(offset, pattern) : true;
    });
  }
}

/** The end of the last complete line in [from, to); a line that is too long counts as complete. */
function wholeLinesEnd(window: TextWindow, from: number, to: number): number {
  if (window.atEnd) return to;
  const last = to === 0 ? -1 : window.data.lastIndexOf(10, to - 1);
  if (last >= from) return last + 1;
  return to - from >= LONG_LINE ? to : from;
}

function lineText(window: TextWindow, start: number, stop: number): string {
  const end = stop > start && window.data[stop - 1] === 13 ? stop - 1 : stop;
  const bytes = window.data.subarray(start, end);
  return isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1");
}
