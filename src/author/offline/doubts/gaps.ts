// Lines that have all parts of the wanted ones in the same order and marks, with something more between the parts or another
// end: they are records as well, unless the page rules them out.

import { ruledOutLines } from "../conditions/exclusions.ts";
import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { LineRule } from "../program/ir.ts";

const LONGEST = 500;
/** Rules with more fixed words than this are told by them. */
const MOST_WORDS = 1;
/** More lines than this are another kind of line. */
const FEW = 0.5;

/** Doubts about lines that only a gap between the parts, or what stands behind them, keeps out. */
export function gapDoubts(rule: LineRule, group: Group, page: Page, lines: readonly string[]): string[] {
  const taken = new Set(interpretRule(rule, lines).map((one) => one.content));
  if (taken.size === 0) return [];
  // Words of a message tell the lines; what has none of them is told by its form alone.
  if (rule.alternatives.some((one) => wordsOf(one.pattern) > MOST_WORDS)) return [];
  const patterns = rule.alternatives.map((one) => widened(one.pattern));
  if (!patterns.every(isExpression)) return [];
  const wide = {
    ...rule,
    alternatives: rule.alternatives.map((one, index) => ({
      ...one,
      pattern: patterns[index] ?? one.pattern,
    })),
  };
  const isOut = ruledOutLines(page, group);
  const left = interpretRule(
    wide,
    lines.map((line) => (line.length > LONGEST ? "" : line)),
  )
    .map((one) => one.content)
    .filter((line) => !taken.has(line) && !isOut(line) && !page.unwanted.some((text) => line.includes(text)));
  const [first] = left;
  return first === undefined || left.length > taken.size * FEW
    ? []
    : [`${left.length} lines with the same parts and something more are not read, e.g. ${first.trim()}`];
}

/** The expression up to its last part, with anything between blanks in its gaps. */
function widened(pattern: string): string {
  const end = lastGroupEnd(pattern);
  let depth = 0;
  let result = "";
  for (let at = 0; at < end; at += 1) {
    const char = pattern.charAt(at);
    if (char === "\\") {
      const isGap = depth === 0 && pattern.startsWith("\\s+", at) && at > 4;
      result += isGap ? "\\s+(?:\\S+\\s+){0,3}?" : pattern.slice(at, at + 2);
      at += isGap ? 2 : 1;
      continue;
    }
    if (char === "[") {
      const close = pattern.indexOf(
        "]",
        pattern.startsWith("[^]", at) || pattern.startsWith("[]", at) ? at + 3 : at + 1,
      );
      result += pattern.slice(at, close + 1);
      at = close;
      continue;
    }
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    result += char;
  }
  return result;
}

/** Where the last named group of an expression ends. */
function lastGroupEnd(pattern: string): number {
  const start = pattern.lastIndexOf("(?<");
  let depth = 0;
  for (let at = start; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "[") at = pattern.indexOf("]", at + 2);
    else if (char === "(") depth += 1;
    else if (char === ")") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return pattern.length;
}

/** Some expressions cannot be cut there: a group of theirs is still open. */
function isExpression(source: string): boolean {
  try {
    return new RegExp(source).source !== "";
  } catch {
    return false;
  }
}

/** How many fixed words an expression has. */
function wordsOf(source: string): number {
  const plain = source
    .replace(/\(\?<\w+>/g, "(")
    .replace(/\[(?:\\.|[^\]\\])*\]/g, " ")
    .replace(/\\[a-zA-Z]/g, " ");
  return (plain.match(/[A-Za-z]{3,}/g) ?? []).length;
}
