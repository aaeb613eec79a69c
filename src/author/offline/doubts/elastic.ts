// Lines that a rule does not read for one piece of it alone: a part of several words, a part with its marks that is not there, a
// piece more or another word in the place of one that the page never speaks of. Each piece is let go by itself, and
// what is read then and not ruled out is a doubt.

import { ruledOutLines } from "../conditions/exclusions.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { LineAlternative, LineRule } from "../program/ir.ts";
import { toldApart } from "../readers/told-apart.ts";
import { isTooFree } from "../templates/effort.ts";
import { type Unit, unitsOf, withoutAhead } from "./units.ts";

const LONGEST = 500;
/** Fixed words that a line may lack. */
const LACKING = 3;
/** Lines that are tried at most. */
const MOST = 400;
/** Expressions with more pieces are not looked at. */
const PIECES = 80;

interface Stretched {
  /** What was let go, as the doubt says it. */
  what: string;
  pattern: string;
  /** The group that may have several words. */
  wide?: string;
  /** Several pieces in a row were let go. */
  isRun?: boolean;
}

/** Doubts about lines that one piece of the rule keeps out. */
export function elastic(rule: LineRule, group: Group, page: Page, lines: readonly string[]): string[] {
  const taken = new Set(interpretRule({ ...rule, filters: [] }, lines).map((one) => one.content));
  if (taken.size === 0) return [];
  const isOut = exclusions(group, page, taken);
  const words = new Set(rule.alternatives.flatMap(({ pattern }) => fixedWords(pattern)));
  const open = lines.filter(
    (line) =>
      line.length <= LONGEST &&
      line.trim() !== "" &&
      !taken.has(line) &&
      !rule.unless.some((text) => line.includes(text)),
  );
  const near = open
    .map((line) => ({ line, lacking: words.size - shared(line, words) }))
    .filter(({ line, lacking }) => lacking <= LACKING && lacking < Math.max(1.5, words.size) && !isOut(line))
    .sort((a, b) => a.lacking - b.lacking)
    .slice(0, MOST)
    .map(({ line }) => line);
  if (near.length === 0) return [];
  const known = new Set(near);
  // A part of the file is told by lines that are no records.
  const all = rule.scope === undefined && rule.above === undefined ? near : lines;
  for (const one of rule.alternatives) {
    for (const { what, pattern, wide, isRun } of stretchedFrom(one, page)) {
      if (isTooFree(pattern, near)) continue;
      const read = interpretRule({ ...rule, alternatives: [{ ...one, pattern }] }, all).filter(
        ({ content }) => known.has(content) && !taken.has(content),
      );
      const left = wide === undefined ? read : read.filter(({ content }) => isPhrase(pattern, wide, content));
      const [first] = left;
      if (first !== undefined && left.length <= Math.max(3, taken.size) * (isRun === true ? 5 : 1))
        return [`${left.length} lines are not read for ${what} alone, e.g. ${first.content.trim()}`];
    }
  }
  return [];
}

export function exclusions(group: Group, page: Page, taken: ReadonlySet<string>): (line: string) => boolean {
  const ruledOut = ruledOutLines(page, group);
  const apart = toldApart(page, group);
  const own = new Set([...taken].slice(0, MOST).flatMap((line) => wordsOf(line).map(stem)));
  const stems = new Set([...page.unwantedStems].filter((one) => !own.has(one)));
  return (line) =>
    ruledOut(line) ||
    apart(line) ||
    page.unwanted.some((text) => line.includes(text)) ||
    wordsOf(line).some((word) => stems.has(stem(word)));
}

function fixedWords(pattern: string): string[] {
  const units = unitsOf(withoutAhead(pattern).rest) ?? [];
  return units.filter(isWord).map(({ text }) => text);
}

function shared(line: string, words: ReadonlySet<string>): number {
  return [...words].filter((word) => line.includes(word)).length;
}

/** Is the text of the group some words? */
function isPhrase(pattern: string, group: string, line: string): boolean {
  const text = new RegExp(pattern).exec(line)?.groups?.[group] ?? "";
  return /^[A-Za-z][\w()'/.-]*(?: [A-Za-z(][\w()'/.-]*){1,4}$/.test(text);
}

/** The expressions of an alternative with one piece let go. */
function stretchedFrom({ pattern, projection }: LineAlternative, page: Page): Stretched[] {
  const { rest } = withoutAhead(pattern);
  const ahead = rest === pattern ? "" : pattern.slice(0, pattern.length - rest.length + 1);
  const units = unitsOf(rest);
  if (units === undefined || units.length > PIECES) return [];
  const words = units.filter(isWord).length;
  const marks = units.filter(({ kind, text }) => kind === "literal" && !/[\p{L}\p{N}]/u.test(text)).length;
  if (words === 0 && marks < 2) return [];
  const value = projection.value.from === "group" ? projection.value.group : undefined;
  const fixed = { words, marks };
  const stretched = [
    ...units.flatMap((unit, at) =>
      unit.kind === "group" ? partLet(units, at, value, words) : pieceLet(units, at, page, fixed),
    ),
    ...runsLet(units, page, words),
  ];
  return stretched
    .map(({ what, wide, by, isRun }) => {
      const text = by.map(({ raw }) => raw).join("");
      const own = ahead === "" ? text : `${ahead}${text.replace(/^\^/, "")}`;
      return { what, pattern: own, isRun: isRun === true, ...(wide === undefined ? {} : { wide }) };
    })
    .filter((one) => one.pattern !== pattern && isExpression(one.pattern));
}

interface Let {
  what: string;
  by: readonly Unit[];
  wide?: string;
  isRun?: true;
}

/** A part with several words, or left out with what encloses it. */
function partLet(units: readonly Unit[], at: number, value: string | undefined, words: number): Let[] {
  const unit = units[at];
  const name = /^\(\?<(\w+)>/.exec(unit?.raw ?? "")?.[1];
  if (unit === undefined || name === undefined) return [];
  const result: Let[] = [];
  if (/^(?:\\S|\[\^\\s[^\]]*\])\+\??$/.test(unit.raw.slice(name.length + 4, -1))) {
    const raw = `(?<${name}>[^\\s:,;=]+(?: [^\\s:,;=]+)+?)`;
    result.push({ what: `the words of ${name}`, by: units.with(at, { ...unit, raw }), wide: name });
  }
  if (name !== value && words > 0) {
    const [from, to] = around(units, at);
    result.push({ what: `a ${name}`, by: [...units.slice(0, from), ...units.slice(to)] });
  }
  return result;
}

/** A fixed word that goes on: "DENIED_ONCE" for "DENIED". */
function longer(units: readonly Unit[], at: number): Let[] {
  const unit = units[at];
  if (unit?.kind !== "literal" || !/^[A-Za-z]\w*_\w+$/.test(unit.text)) return [];
  return [{ what: `more of ${unit.text}`, by: units.with(at, { ...unit, raw: `${unit.raw}[\\w.-]+` }) }];
}

/** A text between the parts left out, or a word of which the page says nothing left out or another one. */
function pieceLet(
  units: readonly Unit[],
  at: number,
  page: Page,
  { words, marks }: { words: number; marks: number },
): Let[] {
  const unit = units[at];
  if (unit === undefined) return [];
  if (/^\\s\{\d+,\d*\}$|^\[ \\t\]\{\d+,?\}$/.test(unit.raw))
    return [{ what: "wide blanks", by: units.with(at, { ...unit, raw: "\\s+" }) }];
  const isFree = unit.kind === "other" && /^\\[Sw]|^\[\^/.test(unit.raw);
  const isOwn = isWord(unit) && !page.stems.has(stem(unit.text.toLowerCase()));
  const before = units[at - 1]?.kind === "space";
  if (!(before || units[at + 1]?.kind === "space") || !(isFree ? words > 1 || marks > 1 : isOwn && words > 2))
    return longer(units, at);
  const from = before ? at - 1 : at;
  const what = isOwn ? `the word ${unit.text}` : "a text between the parts";
  const without = { what, by: [...units.slice(0, from), ...units.slice(before ? at + 1 : at + 2)] };
  return isOwn ? [without, { what, by: units.with(at, { ...unit, raw: "[A-Za-z]{3,}" }) }] : [without];
}

/** Runs of pieces that may be left out together: at most so many pieces long. */
const RUN = 8;
const RUNS = 60;

/** Several pieces in a row left out, none of them a part or a word that the page speaks of. */
function runsLet(units: readonly Unit[], page: Page, words: number): Let[] {
  const result: Let[] = [];
  units.forEach((unit, from) => {
    if (unit.kind !== "space" || result.length >= RUNS) return;
    for (let to = from + 3; to <= Math.min(units.length, from + RUN); to += 1) {
      const run = units.slice(from, to);
      const last = run.at(-1);
      if (last?.kind === "group" || last?.kind === "look") break;
      if (units[to]?.kind !== "space" && !/^[,;:]$/.test(units[to]?.text ?? "")) continue;
      const own = run.filter(isWord);
      if (own.some(({ text }) => page.stems.has(stem(text.toLowerCase())))) break;
      if (own.length === 0 || words - own.length < 1) continue;
      const what = run.map(({ kind, text }) => (kind === "literal" ? text : " ")).join("");
      result.push({
        what: what.replace(/\s+/g, " ").trim(),
        isRun: true,
        by: [...units.slice(0, from), ...units.slice(to)],
      });
    }
  });
  return result;
}

function isWord({ kind, text }: Unit): boolean {
  return kind === "literal" && /^[A-Za-z]{3,}$/.test(text);
}

/** The place of a part with the brackets or quotes around it, and the blanks in front of it. */
function around(units: readonly Unit[], at: number): [number, number] {
  let [from, to] = [at, at + 1];
  const pairs = ["()", "[]", "<>", "{}", '""', "''"];
  if (pairs.includes(`${units[at - 1]?.text ?? ""}${units[at + 1]?.text ?? ""}`))
    [from, to] = [at - 1, at + 2];
  if (units[from - 1]?.kind === "space") from -= 1;
  return [from, to];
}

function isExpression(source: string): boolean {
  try {
    return new RegExp(source).source !== "";
  } catch {
    return false;
  }
}
