// Lines that have all parts of the wanted ones in the same order and marks, with something more between the parts or another
// end: they are records as well, unless the page rules them out.

import { ruledOutLines } from "../conditions/exclusions.ts";
import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { LineRule } from "../program/ir.ts";
import { toldApart } from "../readers/told-apart.ts";
import { isExpression } from "./units.ts";

const LONGEST = 500;
/** Rules with more fixed words than this are told by them. */
const MOST_WORDS = 1;
/** Fewer lines than this change little, whatever they are. */
const LEAST = 0.02;
/** More lines than this are another kind of line. */
const FEW = 0.5;

/** Doubts about lines that only a gap between the parts, or what stands behind them, keeps out. */
export function gapDoubts(rule: LineRule, group: Group, page: Page, lines: readonly string[]): string[] {
  const taken = new Set(interpretRule(rule, lines).map((one) => one.content));
  if (taken.size === 0) return [];
  // Words of a message tell the lines; what has none of them is told by its form alone.
  if (rule.alternatives.some((one) => wordsOf(one.pattern) > MOST_WORDS)) return [];
  // One gap at a time: open at once they would multiply, and a match cannot be interrupted.
  const wide = rule.alternatives.flatMap((one) =>
    widened(one.pattern)
      .filter(isExpression)
      .map((pattern) => ({ ...one, pattern })),
  );
  const ruledOut = ruledOutLines(page, group);
  const told = toldApart(page, group);
  const isOut = (line: string): boolean => ruledOut(line) || told(line);
  const short = lines.map((line) => (line.length > LONGEST ? "" : line));
  const read = wide.flatMap((one) => interpretRule({ ...rule, alternatives: [one] }, short));
  const own = interpretRule(rule, lines).map((one) => one.line);
  const apart = elsewhere(own, read, lines);
  const left = [...new Set(read.filter((one) => !apart.has(one.line)).map((one) => one.content))].filter(
    (line) =>
      !taken.has(line) &&
      !isOut(line) &&
      !page.unwanted.some((text) => line.includes(text) || line.trim().startsWith(beginning(text))),
  );
  const [first] = left;
  return first === undefined || left.length > taken.size * FEW || left.length < taken.size * LEAST
    ? []
    : [`${left.length} lines with the same parts and something more are not read, e.g. ${first.trim()}`];
}

/** So many lines in a place of their own are a list of another kind. */
const A_LIST = 4;

/** Lines that stand together in a place of their own, with no record among them and a blank line in between. */
export function elsewhere(
  own: readonly number[],
  read: readonly { line: number }[],
  lines: readonly string[],
): Set<number> {
  const borders = [0, ...own, lines.length + 1];
  const found = new Set<number>();
  for (let at = 1; at < borders.length; at += 1) {
    const [from = 0, to = 0] = [borders[at - 1], borders[at]];
    const inside = read.map((one) => one.line).filter((line) => line > from && line < to);
    const first = Math.min(...inside);
    const last = Math.max(...inside);
    if (new Set(inside).size < A_LIST) continue;
    const blank = (start: number, end: number): boolean =>
      lines.slice(start, end - 1).some((line) => line.trim() === "");
    const parted = (from === 0 || blank(from, first)) && (to > lines.length || blank(last, to));
    if (parted) for (const line of inside) found.add(line);
  }
  return found;
}

/** A word of a few ends here. */
const BORDER = "(?![\\w-])";

/** The expression up to its last part, and the same with up to three texts more in one of its gaps. */
function widened(pattern: string): string[] {
  // Words behind the last part tell the lines, too.
  const end = lastGroupEnd(pattern);
  const border = pattern.startsWith(BORDER, end) ? BORDER : "";
  const cut =
    wordsOf(pattern.slice(end)) > 0 ? pattern.replace(/\\s\*\$$/, "") : pattern.slice(0, end) + border;
  const variants = gapsOf(cut).map((at) => `${cut.slice(0, at)}\\s+(?:\\S+\\s+){0,3}?${cut.slice(at + 3)}`);
  return [cut, ...variants];
}

/** Where the blanks between the parts stand, outside of groups and classes and behind the start. */
function gapsOf(pattern: string): number[] {
  const gaps: number[] = [];
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === "\\") {
      if (depth === 0 && at > 4 && pattern.startsWith("\\s+", at)) gaps.push(at);
      at += 1;
    } else if (char === "[") at = classEnd(pattern, at);
    else if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
  }
  return gaps;
}

/** The closing bracket of a class of characters. */
function classEnd(pattern: string, start: number): number {
  for (let at = start + (pattern.startsWith("[^", start) ? 2 : 1); at < pattern.length; at += 1) {
    if (pattern.charAt(at) === "\\") at += 1;
    else if (pattern.charAt(at) === "]") return at;
  }
  return pattern.length;
}

/** Where the last named group of an expression ends. */
function lastGroupEnd(pattern: string): number {
  const start = pattern.lastIndexOf("(?<");
  let depth = 0;
  for (let at = start; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "[") at = classEnd(pattern, at);
    else if (char === "(") depth += 1;
    else if (char === ")") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return pattern.length;
}

/** How many fixed words an expression has. */
function wordsOf(source: string): number {
  const plain = source
    .replace(/\(\?<\w+>/g, "(")
    .replace(/\[(?:\\.|[^\]\\])*\]/g, " ")
    .replace(/\\[a-zA-Z]/g, " ");
  return (plain.match(/[A-Za-z]{3,}/g) ?? []).length;
}

/** The first two words of a text that lines of its kind begin with: "Number of" of "Number of wires". */
function beginning(text: string): string {
  return /^[A-Za-z]+ [A-Za-z]+ (?=[A-Za-z])/.exec(text)?.[0] ?? text;
}
