// A rule for lines, relaxed at one place at a time: the text between two parts, what stands behind the last one or in front
// of the first, the kind of text of one part. What a rule relaxed like that takes more has all parts, and the same
// text everywhere else.

import { escapeRegex } from "../../escape.ts";
import { stem, wordsOf } from "../../page/names.ts";
import type { Page } from "../../page/page.ts";
import { bare, NEGATIVE } from "../../page/text.ts";
import { isExpression, type Unit, unitsOf, withoutAhead } from "../units.ts";
import { swapped } from "./swapped.ts";

/** An expression with one place opened. */
export interface Relaxed {
  /** What was opened, as a doubt says it. */
  what: string;
  pattern: string;
  /** How much is left that tells a line: fixed words, marks, kinds of text. */
  strength: number;
}

/** Expressions with more pieces are not looked at. */
const PIECES = 120;

/** The expressions of an alternative with one place opened. */
export function relaxedFrom(pattern: string, page: Page): Relaxed[] {
  const { rest } = withoutAhead(pattern);
  const ahead = rest === pattern ? "" : pattern.slice(0, pattern.length - rest.length + 1);
  const units = unitsOf(rest);
  if (units === undefined || units.length > PIECES) return [];
  const parts = units.flatMap((unit, at) => (unit.kind === "group" ? [at] : []));
  const [first] = parts;
  const last = parts.at(-1);
  if (first === undefined || last === undefined) return [];
  const opened: { what: string; by: readonly Unit[] }[] = [
    ...parts.flatMap((from, index) => {
      const to = parts[index + 1];
      return to === undefined ? [] : gap(units, from, to, page);
    }),
    ...tail(units, last, page),
    ...front(units, first, page),
    ...parts.flatMap((at) => freed(units, at, page)),
    ...swapped(units, page),
  ];
  return opened.flatMap(({ what, by }) => {
    const text = by.map(({ raw }) => raw).join("");
    const own = ahead === "" ? text : `${ahead}${text.replace(/^\^/, "")}`;
    return own === pattern || !isExpression(own) ? [] : [{ what, pattern: own, strength: strengthOf(by) }];
  });
}

/** Words tell more than marks and texts of one kind. */
export function strengthOf(units: readonly Unit[]): number {
  const kinds = units.map((unit) => {
    if (isWord(unit)) return 3;
    if (unit.kind === "literal") return 1;
    return /\\d|\|/.test(unit.raw) ? 1 : 0;
  });
  return kinds.reduce((sum: number, one) => sum + one, 0);
}

/** Does the page speak of records without something that are not wanted? */
export function skipsLacking(page: Page): boolean {
  return page.statements
    .flatMap((one) => one.sentences.map(({ text }) => bare(text)))
    .some((text) => NEGATIVE.test(text) && /\b(?:no|without|lacks?|missing)\b/i.test(text));
}

const ANY: Unit = { kind: "other", text: ".*?", raw: ".*?" };

/** Any text between two parts, but for the marks beside them, the key of the second one and the words that the page says. */
function gap(units: readonly Unit[], from: number, to: number, page: Page): { what: string; by: Unit[] }[] {
  const start = from + 1;
  const behind = isBorder(units[start]) ? start + 1 : start;
  const key = keyStart(units, behind, to);
  const between = units.slice(behind, key);
  const conditions = between.filter(isCondition);
  const inside = between.filter((unit) => !conditions.includes(unit));
  if (!inside.some(({ kind }) => kind !== "space") || inside.every(isAny)) return [];
  // Something has to say where the next part begins.
  if (key === to && behind === start) return [];
  const kept = inside.flatMap((unit) => (isTelling(unit, page) ? [ANY, unit] : []));
  return [
    {
      what: "the text between two parts",
      by: [...units.slice(0, behind), ...conditions, ...kept, ANY, ...units.slice(key)],
    },
  ];
}

/** The text behind the last part, but for the mark beside it and the words that the page says. */
function tail(units: readonly Unit[], last: number, page: Page): { what: string; by: Unit[] }[] {
  const behind = isBorder(units[last + 1]) ? last + 2 : last + 1;
  const inside = units.slice(behind);
  if (inside.every((unit) => unit.kind === "space" || isAny(unit) || unit.raw === "\\s*")) return [];
  const kept = inside.flatMap((unit) => (isTelling(unit, page) ? [ANY, unit] : []));
  return [{ what: "the text behind the parts", by: [...units.slice(0, behind), ...kept] }];
}

/** The text in front of the first part, but for its key, the words that the page says and the conditions on the whole line. */
function front(units: readonly Unit[], first: number, page: Page): { what: string; by: Unit[] }[] {
  const key = keyStart(units, 0, first);
  const before = units.slice(0, key).filter(({ raw }) => raw !== "^");
  const conditions = before.filter(isCondition);
  const inside = before.filter((unit) => !conditions.includes(unit));
  if (!units.slice(key, first).some(({ kind }) => kind === "literal")) return [];
  if (inside.every((unit) => unit.kind === "space" || isAny(unit) || unit.raw === "\\s*")) return [];
  const kept = inside.flatMap((unit) => (isTelling(unit, page) ? [unit, ANY] : []));
  return [
    {
      what: "the text in front of the parts",
      by: [...anchored(conditions), ANY, ...kept, ...units.slice(key)],
    },
  ];
}

/** What the line must or must not have anywhere: never let go. */
function isCondition({ raw }: Unit): boolean {
  return /^\(\?[!=]\.\*/.test(raw);
}

/** Conditions hold for the whole line from its beginning. */
function anchored(conditions: readonly Unit[]): Unit[] {
  return conditions.length === 0 ? [] : [{ kind: "other", text: "", raw: "^" }, ...conditions];
}

/** "Only numbered interrupts". */
const NUMBERED = /\b(?:numbered|only (?:with )?(?:a )?numbers?)\b/i;

/** Any text in the place of one part that may be of one kind only. */
function freed(units: readonly Unit[], at: number, page: Page): { what: string; by: Unit[] }[] {
  const unit = units[at];
  const name = /^\(\?<(\w+)>/.exec(unit?.raw ?? "")?.[1];
  if (unit === undefined || name === undefined) return [];
  const body = unit.raw.slice(name.length + 4, -1);
  if (/^\.|^\\S|^\[\^/.test(body)) return [];
  if (isListed(body, page) || (/^-?\\d/.test(body) && NUMBERED.test(page.prose))) return [];
  return [{ what: `the kind of ${name}`, by: units.with(at, { ...unit, raw: `(?<${name}>\\S+?)` }) }];
}

/** Texts that the page lists. */
function isListed(body: string, page: Page): boolean {
  const listed = /^(?:\(\?:)?([\w|-]+)\)?$/.exec(body)?.[1]?.split("|") ?? [];
  return listed.length > 0 && listed.every((text) => isNamed(text, page));
}

/** Where the key of the next part begins: the last word in front of it, with the marks and blanks around. */
function keyStart(units: readonly Unit[], from: number, to: number): number {
  let at = to;
  while (at > from && !isWord(units[at - 1]) && units[at - 1]?.kind !== "other") at -= 1;
  if (at > from && isWord(units[at - 1]) && at < to) at -= 1;
  return at;
}

function isBorder(unit: Unit | undefined): boolean {
  return (
    unit !== undefined &&
    (unit.kind === "space" || (unit.kind === "literal" && !/[\p{L}\p{N}]/u.test(unit.text)))
  );
}

/** A word that the page says, a number that it names, one of several words. */
function isTelling({ kind, text, raw }: Unit, page: Page): boolean {
  if (kind === "other") return /^\(\?:[\w|-]+\)$/.test(raw);
  return kind === "literal" && /[\p{L}\p{N}]/u.test(text) && isSaid(text, page);
}

function isAny({ raw }: Unit): boolean {
  return /^\.[*+]\??$/.test(raw);
}

function isWord(unit: Unit | undefined): boolean {
  return unit?.kind === "literal" && /^\p{L}{2,}/u.test(unit.text);
}

/** Words shorter than this stand in any sentence. */
const SHORT = 4;

/** Does the page say the word, or name the number? */
function isSaid(text: string, page: Page): boolean {
  if (isNamed(text, page) && /\d|^[A-Z]{2,}$/.test(text)) return true;
  return text.length >= SHORT && wordsOf(text).some((word) => page.stems.has(stem(word)));
}

function isNamed(text: string, page: Page): boolean {
  return new RegExp(`(?<![\\w.-])${escapeRegex(text)}(?![\\w-])`, "i").test(page.prose);
}
