// Whether a kind of line holds records, told by what distinguishes it from the examples: one table, row by row.
// docs/offline-author.md has the figures behind the rows.
import { type Diff, diffKey } from "../examples/diffs.ts";
import { isName } from "../examples/instances.ts";
import type { Rule } from "../examples/rule.ts";
import { isNumber, tokenize } from "../examples/tokens.ts";
import type { Candidate } from "./scan.ts";

/** Lines that differ from the examples in the same way. */
export interface LineKind {
  rule: number;
  diffs: Diff[];
  /** First the one that is most like the examples, which is judged for all. */
  lines: Candidate[];
  /** Are they the first of their files and have names of parts where their texts stand? */
  isHeading: boolean;
  verdict: "record" | "other" | "open";
  why: string;
}

export type Decision = Pick<LineKind, "verdict" | "why">;

export interface Facts {
  rule: Rule;
  /** How likely it is that all examples miss lines of this kind although they are records; see {@link shareOf}. */
  share: number;
  /** What is unlike the examples with records in each example that says `none`. */
  none: readonly (readonly Diff[])[];
  /** Does the page show any line that is no record? */
  shown: boolean;
  /** Short texts that the page shows and that stand in all examples with records. */
  said: readonly string[];
}

/** Above this cost a line is another message. Lines of one kind are all above it or none is. */
const FAR = 6;

export const isFar = (cost: number): boolean => cost > FAR;

/** Behind so many words one other word tells no other message. */
const LONG_TAIL = 4;

/** How likely it must be that examples of records miss a kind of line by chance. */
const LIKELY = 0.25;

/** What parts may differ in without being of another message. */
const HARMLESS: readonly Diff["kind"][] = ["type", "digits", "zero", "sign", "constant", "stamp", "blank"];

export const AS_SHOWN: Decision = { verdict: "record", why: "as in the examples" };
/** Of lines that an example says none of, and of those like them. */
export const LIKE_NONE: Decision = { verdict: "other", why: "like an example that says none" };

const OPEN: Decision = { verdict: "open", why: "" };

/** Judges one kind of line. */
export function decide(kind: LineKind, facts: Facts): Decision {
  if (facts.none.some((one) => tellsAgainst(one, kind.diffs))) return LIKE_NONE;
  if (kind.diffs.length === 0) return AS_SHOWN;
  const decided = byMessage(kind, facts) ?? byParts(kind, facts.rule);
  if (decided !== undefined) return decided;
  return kind.diffs.every((diff) => isHarmless(diff, kind, facts))
    ? { verdict: "record", why: "other texts in the same places" }
    : OPEN;
}

/** A kind of line that has all that distinguishes a `none` example is none either, unless that is only how many
 * digits or marks a text has. */
function tellsAgainst(none: readonly Diff[], diffs: readonly Diff[]): boolean {
  if (!none.every((diff) => diffs.some((own) => diffKey(own) === diffKey(diff)))) return false;
  return none.length === 0 || !none.every(({ kind }) => kind === "digits" || kind === "marks");
}

/** Is it another message than that of the examples? */
function byMessage(kind: LineKind, { rule, said }: Facts): Decision | undefined {
  const { diffs, lines } = kind;
  if (diffs.some((diff) => diff.kind === "keys")) return OPEN;
  const types = count(diffs, "type");
  if (
    diffs.some((diff) => diff.kind === "heading" && diff.at === "itself") &&
    (numericParts(rule) === 0 || types > 0)
  )
    return other("a heading");
  const words = diffs.filter((diff) => diff.kind === "word" && diff.tail !== true);
  if (words.some(({ at }) => isSaid(rule, at, said))) return other("without a text that the page demands");
  if (words.length * 2 > wordsBefore(rule).length) return other("another message");
  if (words.length > 0) return OPEN;
  if (isFar(lines[0]?.cost ?? 0)) return hasMessage(rule) ? OPEN : other("too little in common");
  return undefined;
}

/** Do its parts show that it is no row of the examples' kind? */
function byParts({ diffs, isHeading }: LineKind, rule: Rule): Decision | undefined {
  const types = count(diffs, "type");
  const rest = diffs.filter(({ kind }) => !HARMLESS.includes(kind));
  if (types > 1 && types === numericParts(rule)) return other("texts where the examples have numbers");
  if (types > 0 && rest.length > 0) return other("a text where the examples have a number");
  const names = partNames(rule);
  if (types > 0 && isHeading) return other("a heading");
  if (count(diffs, "blank") * 2 > names.length) return other("most parts are blank");
  const kinds = rest.map(({ kind }) => kind);
  if (kinds.includes("absent") && kinds.some((kind) => ["mark", "words", "prefix"].includes(kind)))
    return other("too little in common");
  if (kinds.length > 0 && kinds.every((kind) => kind === "closing"))
    return other("the last row of a table, below a rule");
  return undefined;
}

/** Does a line have the name of a part where a text stands, as the heading row of a table does? */
export function hasNames({ texts }: Candidate, rule: Rule): boolean {
  const names = partNames(rule);
  return [...texts.values()].some((text) => names.some((name) => isName(name, text)));
}

function isHarmless(diff: Diff, { diffs }: LineKind, { rule, share, shown }: Facts): boolean {
  if (diff.tail === true) {
    const told = diffs.filter(({ kind, tail }) => tail === true && (kind === "word" || kind === "inserted"));
    return hasMessage(rule) && (told.length > 1 || wordsBehind(rule) > LONG_TAIL || hasFreeTail(rule));
  }
  const chance = share ** rule.instances.length > LIKELY;
  const single = rule.instances.length === 1;
  switch (diff.kind) {
    case "stamp":
    case "blank":
      return true;
    case "type":
      return hasMessage(rule);
    case "constant":
      return shown || chance || single;
    case "zero":
      return shown || chance;
    case "member":
    case "sign":
      return shown || (chance && !single);
    case "heading":
      return chance && !single;
    default:
      return false;
  }
}

/** How likely it would be that one example is as all of them are, if lines of this kind were records too: the least
 * over what distinguishes the kind, between 0 and 1. */
export function shareOf({ rule, diffs }: LineKind, all: readonly LineKind[]): number {
  const kinds = all.filter((one) => one.rule === rule);
  const lines = (test: (one: LineKind) => boolean): number =>
    kinds.filter(test).reduce((sum, one) => sum + one.lines.length, 0);
  const same = lines((one) => one.diffs.length === 0);
  const shares = diffs.map((diff) => {
    const others = lines((one) =>
      diff.kind === "heading"
        ? one.diffs.length > 0 && one.diffs.every(({ kind }) => kind === "heading")
        : one.diffs.some((own) => diffKey(own) === diffKey(diff)),
    );
    return same / (same + others);
  });
  return Math.min(1, ...shares);
}

function other(why: string): Decision {
  return { verdict: "other", why };
}

function count(diffs: readonly Diff[], kind: Diff["kind"]): number {
  return diffs.filter((diff) => diff.kind === kind).length;
}

function lastPart({ anchor }: Rule): number {
  return anchor.elements.findLastIndex(({ kind }) => kind === "part");
}

/** Do the examples themselves differ behind the last part? */
function hasFreeTail(rule: Rule): boolean {
  return rule.anchor.elements.slice(lastPart(rule)).some(({ kind }) => kind === "free");
}

/** Fixed words of the line that counts, behind the last part: how many. */
function wordsBehind(rule: Rule): number {
  return rule.anchor.elements.slice(lastPart(rule) + 1).filter(isWord).length;
}

/** Fixed words of the line that counts, before the last part. */
function wordsBefore(rule: Rule): Rule["anchor"]["elements"] {
  return rule.anchor.elements.slice(0, Math.max(0, lastPart(rule))).filter(isWord);
}

function isWord(element: Rule["anchor"]["elements"][number]): boolean {
  return element.kind === "fixed" && element.token === "word";
}

/** Is a fixed word of a line one of those texts? */
function isSaid(rule: Rule, at: string, said: readonly string[]): boolean {
  const element = / of /.test(at) ? undefined : rule.anchor.elements[Number(at)];
  return (
    element?.kind === "fixed" &&
    said.some((text) => tokenize(text).some((token) => token.text === element.text))
  );
}

function partNames(rule: Rule): string[] {
  return rule.anchor.elements.flatMap((element) => (element.kind === "part" ? element.leaf.names : []));
}

function numericParts(rule: Rule): number {
  return [rule.anchor, ...rule.satellites.map(({ template }) => template)]
    .flatMap(({ elements }) => elements)
    .filter((element) => element.kind === "part" && element.leaf.samples.every(isNumber)).length;
}

/** Does the line say something beside its parts, so that text behind them is no sign of another message? */
function hasMessage(rule: Rule): boolean {
  return wordsBefore(rule).length > 0;
}
