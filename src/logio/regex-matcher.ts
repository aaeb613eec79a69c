// The matcher for regular expressions: RE2, which takes linear time whatever the pattern, line by line. Where a
// pattern needs some literal text, the kernel finds the lines that have it and only those are tried. A pattern is
// always tried on a line from its start: a piece of a line would give `^` and `$` another meaning.
import type { RE2JS } from "re2js";
import { keywordMatcher } from "./keyword-matcher.ts";
import { lineText, textOf } from "./line-text.ts";
import { requiredLiteral } from "./required-literal.ts";
import type { Matcher, Report } from "./search.ts";
import type { TextWindow } from "./window.ts";

/** A line longer than this does not stand in the window whole: it is collected. */
const LONG_LINE = 256 * 1024;
/** As much of a line is collected and tried. */
export const MAX_REGEX_LINE = 4 * 2 ** 20;

export interface RegexOptions {
  caseSensitive: boolean;
}

/** What can be used of the patterns, and what is wrong with the others. */
export interface RegexMatcherResult {
  /** Its things are the patterns that could be compiled, in their order; undefined when there is none. */
  matcher: Matcher | undefined;
  bad: { pattern: string; message: string }[];
}

/** A matcher for patterns in RE2 syntax. `(?i)` in front makes one of them case-insensitive. */
export async function regexMatcher(patterns: string[], options: RegexOptions): Promise<RegexMatcherResult> {
  const { compiled, bad } = await compileAll(patterns, options);
  const good = patterns.filter((pattern) => !bad.some((one) => one.pattern === pattern));
  const matcher = compiled.length === 0 ? undefined : new RegexMatcher(compiled, good.map(literalOf));
  return { matcher, bad };
}

/** Does one of the patterns match the line? Those that cannot be compiled are told apart. */
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

/** The filter is for both cases, so that `(?i)` in front changes nothing. */
function literalOf(pattern: string): string | undefined {
  return requiredLiteral(pattern.replace(/^\(\?i\)/, ""));
}

class RegexMatcher implements Matcher {
  readonly count: number;
  readonly overlap = 0;
  longLines = 0;
  private readonly patterns: RE2JS[];
  private readonly filter: Matcher | undefined;
  /** The beginning of a line whose end has not come. */
  private held: { pieces: Buffer[]; bytes: number } | undefined;

  constructor(patterns: RE2JS[], literals: (string | undefined)[]) {
    this.count = patterns.length;
    this.patterns = patterns;
    const known = literals.flatMap((literal) => literal ?? []);
    this.filter = known.length === literals.length ? keywordMatcher(known) : undefined;
  }

  scan(window: TextWindow, from: number, to: number, report: Report): number {
    let start = from;
    if (this.held !== undefined) {
      const end = window.data.subarray(0, to).indexOf(10, from);
      this.hold(window, from, end < 0 ? to : end);
      if (end < 0) return to;
      if (!this.tryHeld(end, report)) return to;
      start = end + 1;
    }
    const end = wholeLinesEnd(window, start, to);
    if (end === undefined) {
      this.hold(window, start, to);
      return to;
    }
    if (this.filter === undefined) this.everyLine(window, start, end, report);
    else this.likelyLines(window, this.filter, start, end, report);
    return end;
  }

  finish(window: TextWindow, report: Report): void {
    if (this.held !== undefined) this.tryHeld(Math.max(0, window.end - 1), report);
  }

  private hold(window: TextWindow, from: number, to: number): void {
    const held = this.held ?? { pieces: [], bytes: 0 };
    this.held = held;
    // One byte more than is tried tells that there was more.
    const room = MAX_REGEX_LINE + 1 - held.bytes;
    if (room <= 0) return;
    const piece = Buffer.from(window.data.subarray(from, Math.min(to, from + room)));
    held.pieces.push(piece);
    held.bytes += piece.byteLength;
  }

  /** Tries the collected line, which ends at this offset of the window. Returns false when no more are wanted. */
  private tryHeld(offset: number, report: Report): boolean {
    const whole = Buffer.concat(this.held?.pieces ?? []);
    this.held = undefined;
    if (whole.byteLength > MAX_REGEX_LINE) this.longLines += 1;
    const text = textOf(whole.subarray(0, MAX_REGEX_LINE));
    return this.patterns.every((pattern, thing) => !pattern.test(text) || report(offset, thing, text));
  }

  private everyLine(window: TextWindow, from: number, end: number, report: Report): void {
    for (let start = from; start < end; ) {
      const found = window.data.indexOf(10, start);
      const stop = found < 0 || found >= end ? end : found;
      const text = lineText(window, start, stop);
      for (let thing = 0; thing < this.count; thing += 1) {
        if (this.patterns[thing]?.test(text) && !report(start, thing)) return;
      }
      start = stop + 1;
    }
  }

  private likelyLines(window: TextWindow, filter: Matcher, from: number, end: number, report: Report): void {
    let tried = { start: -1, things: new Set<number>() };
    filter.scan(window, from, end, (offset, thing) => {
      const start = offset < from + 1 ? from : Math.max(from, window.data.lastIndexOf(10, offset - 1) + 1);
      if (tried.start !== start) tried = { start, things: new Set() };
      // The same literal again in a line that was tried for this pattern.
      if (tried.things.has(thing)) return true;
      tried.things.add(thing);
      const found = window.data.indexOf(10, offset);
      const stop = found < 0 || found >= end ? end : found;
      return this.patterns[thing]?.test(lineText(window, start, stop)) ? report(offset, thing) : true;
    });
  }
}

/** Up to where the lines in [from, to) are whole; undefined: the first of them is too long for the window. */
function wholeLinesEnd(window: TextWindow, from: number, to: number): number | undefined {
  if (window.atEnd) return to;
  const last = to === 0 ? -1 : window.data.lastIndexOf(10, to - 1);
  if (last >= from) return last + 1;
  return to - from >= LONG_LINE ? undefined : from;
}
