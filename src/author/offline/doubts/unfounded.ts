// Does a line rule leave lines out for words and marks that the page never speaks of? Such words come from one line
// of the log. The rule is read once more with only what the page founds (its own words, and the marks right beside
// the parts); lines that this reading takes and the rule does not are a doubt.

import { RE2JS } from "re2js";
import { ruledOutLines } from "../conditions/exclusions.ts";
import { escapeRegex } from "../logs/tokens.ts";
import { holds } from "../page/conditions.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import type { GroupFilter, LineRule } from "../program/ir.ts";

/** Longer lines are not looked at. */
const LONGEST = 2_000;

type Unit = { kind: "group"; text: string } | { kind: "literal" | "space" | "other"; text: string };

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
  if (units === undefined) return;
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

/** The conditions that an expression looks ahead for at the start of the line, and the expression without them. */
function withoutAhead(pattern: string): { ahead: RegExp | undefined; rest: string } {
  let at = pattern.startsWith("^") ? 1 : 0;
  while (at > 0 && /^\(\?[=!]/.test(pattern.slice(at))) at += closing(pattern.slice(at));
  if (at <= 1) return { ahead: undefined, rest: pattern };
  return { ahead: new RegExp(pattern.slice(0, at)), rest: `^${pattern.slice(at)}` };
}

/** An expression cut into groups, runs of letters and digits, single marks, blanks and the rest; undefined when it has
 * alternatives at its top. */
function unitsOf(pattern: string): Unit[] | undefined {
  const units: Unit[] = [];
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const word = /^[\p{L}\p{N}_]+(?![*+?{])/u.exec(rest)?.[0];
    const end = word === undefined ? at + pieceLength(rest) : at + word.length;
    const piece = pattern.slice(at, end);
    at = end;
    // A look-ahead is a condition of the page; RE2 has none.
    if (piece === "|" || /^\(\?<?[=!]/.test(piece)) return;
    if (word !== undefined) units.push({ kind: "literal", text: word });
    else if (/^\((?:\?<\w)/.test(piece)) units.push({ kind: "group", text: piece });
    else if (/^\(/.test(piece) && /\(\?<\w/.test(piece)) units.push({ kind: "group", text: piece });
    else if (/^\\s[*+]$/.test(piece) || piece === " ") units.push({ kind: "space", text: piece });
    else if (/^\\[^A-Za-z0-9]$/.test(piece)) units.push({ kind: "literal", text: piece.slice(1) });
    else if (/^[^\\([^$.]$/.test(piece)) units.push({ kind: "literal", text: piece });
    else units.push({ kind: "other", text: piece });
  }
  return units;
}

/** Length of the first piece of an expression, with what says how often. */
function pieceLength(rest: string): number {
  const single = /^(?:\\.|\[(?:\\.|[^\]\\])*\])/.exec(rest)?.[0].length ?? 1;
  const end = rest.startsWith("(") ? closing(rest) : single;
  return end + (/^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(rest.slice(end))?.[0].length ?? 0);
}

/** Where the bracket that the text begins with is closed: the position behind it. */
function closing(rest: string): number {
  let depth = 0;
  for (const match of rest.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()]/g)) {
    if (match[0] === "(") depth += 1;
    else if (match[0] === ")") depth -= 1;
    if (depth === 0) return match.index + 1;
  }
  return rest.length;
}
