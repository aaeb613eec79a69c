// The matcher for regular expressions: RE2, which takes linear time for any pattern, line by line. If a pattern requires a
// literal, only lines that contain it are tested; the kernel finds them. A pattern is always tested on a line from its
// start: in a part of a line, `^` and `$` would have another meaning.
import type { RE2JS } from "re2js";
import { keywordMatcher } from "./keyword-matcher.ts";
import { lineText, textOf } from "./line-text.ts";
import { requiredLiteral } from "./required-literal.ts";
import type { Matcher, Report } from "./search.ts";
import type { TextWindow } from "./window.ts";

/** The pieces of a line longer than this are collected, because it may not fit in the window. */
const LONG_LINE = 256 * 1024;
/** At most this much of a line is collected and tested. */
export const MAX_REGEX_LINE = 4 * 2 ** 20;

export interface RegexOptions {
  caseSensitive: boolean;
}

/** The patterns that compiled, and the errors of the others. */
export interface RegexMatcherResult {
  /** Matches the patterns that compiled, in order; undefined if none did. */
  matcher: Matcher | undefined;
  bad: { pattern: string; message: string }[];
}

/** A matcher for patterns in RE2 syntax. `(?i)` in front makes one of them case-insensitive. */
export async function regexMatcher(patterns: string[], options: RegexOptions): Promise<RegexMatcherResult> {
  const { compiled, bad } = await compileAll(patterns, options);
  const good = patterns.filter((pattern) => !bad.some((failed) => failed.pattern === pattern));
  const matcher = compiled.length === 0 ? undefined : new RegexMatcher(compiled, good.map(literalOf));
  return { matcher, bad };
}

/** A test whether one of the patterns matches a line, and the patterns that do not compile. */
export async function regexTest(
  patterns: string[],
  options: RegexOptions,
): Promise<{ test: (line: string) => boolean; bad: RegexMatcherResult["bad"] }> {
  const { compiled, bad } = await compileAll(patterns, options);
  return { test: (line) => compiled.some((pattern) => pattern.test(line)), bad };
}

async function compileAll(
  patterns: string[],
  { caseSensitive }: RegexOptions,
): Promise<{ compiled: RE2JS[]; bad: RegexMatcherResult["bad"] }> {
  const { RE2JS } = await import("re2js");
  const compiled: RE2JS[] = [];
  const bad: RegexMatcherResult["bad"] = [];
  for (const pattern of patterns) {
    try {
      compiled.push(RE2JS.compile(pattern, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      bad.push({ pattern, message: why.slice(0, 200) });
    }
  }
  return { compiled, bad };
}

/** The filter ignores case, so a leading `(?i)` can be dropped. */
function literalOf(pattern: string): string | undefined {
  return requiredLiteral(pattern.replace(/^\(\?i\)/, ""));
}

class RegexMatcher implements Matcher {
  readonly count: number;
  readonly overlap = 0;
  longLines = 0;
  private readonly patterns: RE2JS[];
  private readonly filter: Matcher | undefined;
  /** The beginning of a line whose end has not been read. */
  private collected: { pieces: Buffer[]; bytes: number } | undefined;

  constructor(patterns: RE2JS[], literals: (string | undefined)[]) {
    this.count = patterns.length;
    this.patterns = patterns;
    const known = literals.flatMap((literal) => literal ?? []);
    this.filter = known.length === literals.length ? keywordMatcher(known) : undefined;
  }

  scan(window: TextWindow, from: number, to: number, report: Report): number {
    let start = from;
    if (this.collected !== undefined) {
      const end = window.data.subarray(0, to).indexOf(10, from);
      this.collect(window, from, end < 0 ? to : end);
      if (end < 0) return to;
      if (!this.testCollected(end, report)) return to;
      start = end + 1;
    }
    const end = wholeLinesEnd(window, start, to);
    if (end === undefined) {
      this.collect(window, start, to);
      return to;
    }
    if (this.filter === undefined) this.testAllLines(window, start, end, report);
    else this.testFilteredLines(window, this.filter, start, end, report);
    return end;
  }

  finish(window: TextWindow, report: Report): void {
    if (this.collected !== undefined) this.testCollected(Math.max(0, window.end - 1), report);
  }

  private collect(window: TextWindow, from: number, to: number): void {
    const collected = this.collected ?? { pieces: [], bytes: 0 };
    this.collected = collected;
    // One byte more than is tested, to detect that the line is longer.
    const room = MAX_REGEX_LINE + 1 - collected.bytes;
    if (room <= 0) return;
    const piece = Buffer.from(window.data.subarray(from, Math.min(to, from + room)));
    collected.pieces.push(piece);
    collected.bytes += piece.byteLength;
  }

  /** Tests the collected line, which ends at this offset of the window. Returns false to stop the scan. */
  private testCollected(offset: number, report: Report): boolean {
    const whole = Buffer.concat(this.collected?.pieces ?? []);
    this.collected = undefined;
    if (whole.byteLength > MAX_REGEX_LINE) this.longLines += 1;
    const text = textOf(whole.subarray(0, MAX_REGEX_LINE));
    return this.patterns.every((regex, pattern) => !regex.test(text) || report(offset, pattern, text));
  }

  private testAllLines(window: TextWindow, from: number, end: number, report: Report): void {
    for (let start = from; start < end; ) {
      const found = window.data.indexOf(10, start);
      const stop = found < 0 || found >= end ? end : found;
      const text = lineText(window, start, stop);
      for (let pattern = 0; pattern < this.count; pattern += 1) {
        if (this.patterns[pattern]?.test(text) && !report(start, pattern)) return;
      }
      start = stop + 1;
    }
  }

  private testFilteredLines(
    window: TextWindow,
    filter: Matcher,
    from: number,
    end: number,
    report: Report,
  ): void {
    let tested = { start: -1, patterns: new Set<number>() };
    filter.scan(window, from, end, (offset, pattern) => {
      const start = offset < from + 1 ? from : Math.max(from, window.data.lastIndexOf(10, offset - 1) + 1);
      if (tested.start !== start) tested = { start, patterns: new Set() };
      // The literal occurs again in a line that was already tested for this pattern.
      if (tested.patterns.has(pattern)) return true;
      tested.patterns.add(pattern);
      const found = window.data.indexOf(10, offset);
      const stop = found < 0 || found >= end ? end : found;
      return this.patterns[pattern]?.test(lineText(window, start, stop)) ? report(offset, pattern) : true;
    });
  }
}

/** The end of the last complete line in [from, to); undefined: the first line is too long for the window. */
function wholeLinesEnd(window: TextWindow, from: number, to: number): number | undefined {
  if (window.atEnd) return to;
  const last = to === 0 ? -1 : window.data.lastIndexOf(10, to - 1);
  if (last >= from) return last + 1;
  return to - from >= LONG_LINE ? undefined : from;
}
