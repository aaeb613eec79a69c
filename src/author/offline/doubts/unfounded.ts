// Does a line rule leave lines out for words and marks that the page never speaks of? Such words come from one line
// of the log. The rule is read once more with only what the page founds (its own words, and the marks right beside
// the parts); lines that this reading takes and the rule does not are a doubt.

import { RE2JS } from "re2js";
import { ruledOutLines } from "../conditions/exclusions.ts";
import { escapeRegex } from "../escape.ts";
import { holds } from "../page/conditions.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import type { GroupFilter, LineRule } from "../program/ir.ts";
import { unitsOf, withoutAhead } from "./units.ts";

/** Longer lines are not looked at. */
const LONGEST = 2_000;

/** Doubts about lines that only unfounded text of the rule keeps out. Expressions run in linear time (RE2). */
export function unfounded(rule: LineRule, group: Group, page: Page, lines: readonly string[]): string[] {
  if (rule.scope !== undefined) return [];
  const strict = rule.alternatives.map((one) => new RegExp(one.pattern));
  const known = page.statements
    .flatMap((one) => [one.text, ...one.blocks.flat()])
    .join("\n")
    .toLowerCase();
  const isKnown = (word: string): boolean =>
    known.includes(word.toLowerCase()) ||
    wordsOf(word).every((one) => one.length > 3 && page.stems.has(stem(one)));
  const isTaken = (line: string): boolean => strict.some((pattern) => pattern.test(line));
  const taken: string[] = [];
  const others: string[] = [];
  for (const line of lines) (isTaken(line) ? taken : others).push(line);
  const excluded = exclusions(rule, page, taken);
  const ruledOut = ruledOutLines(page, group);
  const candidates = others.filter((line) => line.length <= LONGEST && !excluded(line) && !ruledOut(line));
  const left = new Set<string>();
  for (const one of rule.alternatives) {
    const { ahead, rest } = withoutAhead(one.pattern);
    const reading = foundedReading(rest, isKnown, page.prose);
    if (reading === undefined) continue;
    for (const line of candidates) {
      if (ahead?.test(line) === false) continue;
      const match = reading.matcher(line);
      if (match.find() && fulfils(rule.filters, (group) => textOf(match, group))) left.add(line);
    }
  }
  if (left.size === 0 || left.size <= taken.length * 0.2) return [];
  const [first = ""] = left;
  return [
    `${left.size} lines differ only in what the page does not speak of, and are not taken, e.g. ${first.trim()}`,
  ];
}

/** What the page rules out. Texts and words that stand in taken lines, too, tell nothing apart. */
function exclusions(rule: LineRule, page: Page, taken: readonly string[]): (line: string) => boolean {
  const texts = page.unwanted.filter((text) => !taken.some((line) => line.includes(text)));
  const own = new Set(taken.flatMap((line) => wordsOf(line).map(stem)));
  const stems = new Set([...page.unwantedStems].filter((one) => !own.has(one)));
  return (line) =>
    [...rule.unless, ...texts].some((text) => line.includes(text)) ||
    wordsOf(line).some((word) => stems.has(stem(word)));
}

function fulfils(filters: readonly GroupFilter[], textIn: (group: string) => string): boolean {
  return filters.every((filter) => {
    const condition = { equals: filter.equals, negate: filter.negate ?? false };
    const full = {
      ...condition,
      ...(filter.match === undefined ? {} : { match: filter.match }),
      ...(filter.fold === undefined ? {} : { fold: filter.fold }),
    };
    return [filter.group, ...(filter.also ?? [])].some((group) => holds(full, textIn(group)));
  });
}

function textOf(match: ReturnType<RE2JS["matcher"]>, group: string): string {
  try {
    return match.group(group) ?? "";
  } catch {
    return "";
  }
}

/** The expression with any text in place of what the page does not speak of; undefined when nothing would change,
 * when too little would stay, or when it is beyond RE2. */
function foundedReading(
  pattern: string,
  isKnown: (word: string) => boolean,
  prose: string,
): RE2JS | undefined {
  const units = unitsOf(pattern);
  // A look-ahead is a condition of the page; RE2 has none.
  if (units === undefined || units.some(({ kind }) => kind === "look")) return;
  let result = "";
  let words = 0;
  let marks = 0;
  let gap = true;
  let loosened = false;
  const keep = (text: string): void => {
    result += gap && result !== "" ? `.*?${text}` : text;
    gap = false;
  };
  for (const [index, unit] of units.entries()) {
    const beside = units[index - 1]?.kind === "group" || units[index + 1]?.kind === "group";
    const isMark = unit.kind === "literal" && !/[A-Za-z0-9]/.test(unit.text);
    // A code that the page's own words name ("status 444") is what it asks for.
    const isCode =
      unit.kind === "literal" &&
      /^\d{3,}$/.test(unit.text) &&
      new RegExp(`(?<![\\w.])${unit.text}(?![\\w.])`).test(prose);
    const isWord =
      isCode || (unit.kind === "literal" && /[A-Za-z]{3,}/.test(unit.text) && isKnown(unit.text));
    if (isWord) words += 1;
    if (isMark && beside) marks += 1;
    if (unit.kind === "group") keep(unit.text);
    else if (isWord || (isMark && beside)) keep(escapeRegex(unit.text));
    else if (unit.kind === "space" && beside) keep(unit.text);
    else {
      if (unit.kind !== "space") loosened = true;
      gap = true;
    }
  }
  if (!loosened || (words === 0 && marks < 3)) return;
  try {
    return RE2JS.compile(result);
  } catch {
    return;
  }
}
