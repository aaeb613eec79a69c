// Decides by its differences from the examples whether a kind of line is a record. The rules are the table in
// docs/offline-author.md.
import { type Diff, diffKey } from "../examples/diffs.ts";
import { isName } from "../examples/instances.ts";
import type { Rule } from "../examples/rule.ts";
import { isNumber, tokenize } from "../examples/tokens.ts";
import type { Candidate } from "./scan.ts";

/** Lines that have the same differences from the examples. */
export interface LineKind {
  /** Index of the rule that the lines are most similar to. */
  rule: number;
  diffs: Diff[];
  /** The first one is most similar to the examples; the decision about it applies to all. */
  lines: Candidate[];
  /** The lines are the first of their form in their files and contain names of parts in place of texts. */
  isHeading: boolean;
  verdict: "record" | "other" | "open";
  why: string;
}

export type Decision = Pick<LineKind, "verdict" | "why">;

/** What a decision is based on besides the kind of line. */
export interface Evidence {
  rule: Rule;
  /** Probability that one example does not show the kind by chance although it is a record; see {@link shownShare}. */
  share: number;
  /** Differences of the lines that examples mark as `none`. */
  none: readonly (readonly Diff[])[];
  /** The page has a `none` example. */
  hasNone: boolean;
  /** Short texts that the page quotes and that all examples with records contain. */
  required: readonly string[];
}

/** Above this cost a line is a different message; part of the identity of a kind. */
const FAR = 6;

/** Is a line too different from the examples to be the same message? */
export const isFar = (cost: number): boolean => cost > FAR;

/** In a tail of more words than this, a single different word does not make a different message. */
const LONG_TAIL = 4;

/** Lowest probability that all examples miss a kind of record by chance at which it is decided to be one. */
const MIN_MISS_PROBABILITY = 0.25;

/** Differences of parts that occur within the same message. */
const HARMLESS: readonly Diff["kind"][] = ["type", "digits", "zero", "sign", "constant", "stamp", "blank"];

export const AS_SHOWN: Decision = { verdict: "record", why: "as in the examples" };
export const LIKE_NONE: Decision = { verdict: "other", why: "like a `none` example" };

const OPEN: Decision = { verdict: "open", why: "" };

/** Decides about a kind of line. */
export function decide(kind: LineKind, evidence: Evidence): Decision {
  if (evidence.none.some((none) => isLikeNone(kind.diffs, none))) return LIKE_NONE;
  if (kind.diffs.length === 0) return AS_SHOWN;
  const decision = decideByMessage(kind, evidence) ?? decideByParts(kind, evidence.rule);
  if (decision !== undefined) return decision;
  return kind.diffs.every((diff) => isHarmless(diff, kind, evidence))
    ? { verdict: "record", why: "other texts in the same places" }
    : OPEN;
}

/** Has a line all differences of a `none` example? Only the number of digits or marks of a text is not enough. */
function isLikeNone(diffs: readonly Diff[], none: readonly Diff[]): boolean {
  const keys = new Set(diffs.map(diffKey));
  if (!none.every((diff) => keys.has(diffKey(diff)))) return false;
  return none.length === 0 || !none.every(({ kind }) => kind === "digits" || kind === "marks");
}

/** Decides by the fixed text of a line, if it shows a different message. */
function decideByMessage(kind: LineKind, { rule, required }: Evidence): Decision | undefined {
  const { diffs, lines } = kind;
  if (diffs.some((diff) => diff.kind === "keys")) return OPEN;
  const types = countDiffs(diffs, "type");
  if (
    diffs.some((diff) => diff.kind === "heading" && diff.subject === "itself") &&
    (countNumericParts(rule) === 0 || types > 0)
  )
    return reject("heading");
  const words = diffs.filter((diff) => diff.kind === "word" && diff.tail !== true);
  if (words.some(({ subject }) => isRequired(rule, subject, required)))
    return reject("without a text that the page requires");
  if (words.length * 2 > wordsBeforeLastPart(rule).length) return reject("different message");
  if (words.length > 0) return OPEN;
  if (isFar(lines[0]?.cost ?? 0)) return hasMessage(rule) ? OPEN : reject("too little in common");
  return undefined;
}

/** Decides by the texts of the parts, if they show a different kind of row. */
function decideByParts({ diffs, isHeading }: LineKind, rule: Rule): Decision | undefined {
  const types = countDiffs(diffs, "type");
  const rest = diffs.filter(({ kind }) => !HARMLESS.includes(kind));
  if (types > 1 && types === countNumericParts(rule)) return reject("texts where the examples have numbers");
  if (types > 0 && rest.length > 0) return reject("a text where the examples have a number");
  const names = partNames(rule);
  if (types > 0 && isHeading) return reject("heading");
  if (countDiffs(diffs, "blank") * 2 > names.length) return reject("most parts are blank");
  const kinds = rest.map(({ kind }) => kind);
  if (kinds.includes("absent") && kinds.some((kind) => ["mark", "words", "prefix"].includes(kind)))
    return reject("too little in common");
  if (kinds.length > 0 && kinds.every((kind) => kind === "closing"))
    return reject("last row of a table, below a rule");
  return undefined;
}

/** Is the text of a part the name of a part, as in the heading row of a table? */
export function hasNames({ texts }: Candidate, rule: Rule): boolean {
  const names = partNames(rule);
  return [...texts.values()].some((text) => names.some((name) => isName(name, text)));
}

/** May lines of the same message differ like this? */
function isHarmless(diff: Diff, { diffs }: LineKind, { rule, share, hasNone }: Evidence): boolean {
  if (diff.tail === true) {
    const words = diffs.filter(({ kind, tail }) => tail === true && (kind === "word" || kind === "inserted"));
    return (
      hasMessage(rule) && (words.length > 1 || countWordsBehindParts(rule) > LONG_TAIL || hasFreeTail(rule))
    );
  }
  const isLikely = share ** rule.instances.length > MIN_MISS_PROBABILITY;
  const isSingle = rule.instances.length === 1;
  switch (diff.kind) {
    case "stamp":
    case "blank":
      return true;
    case "type":
      return hasMessage(rule);
    case "constant":
      return hasNone || isLikely || isSingle;
    case "zero":
      return hasNone || isLikely;
    case "member":
    case "sign":
      return hasNone || (isLikely && !isSingle);
    case "heading":
      return isLikely && !isSingle;
    default:
      return false;
  }
}

/** Share of the lines as shown among these and the lines with a difference of the kind, the smallest over its
 * differences: the probability that a random example is as shown if lines of this kind are records, too. */
export function shownShare({ rule, diffs }: LineKind, all: readonly LineKind[]): number {
  const ownKinds = all.filter((kind) => kind.rule === rule);
  const countLines = (test: (kind: LineKind) => boolean): number =>
    ownKinds.filter(test).reduce((sum, { lines }) => sum + lines.length, 0);
  const shown = countLines((kind) => kind.diffs.length === 0);
  const shares = diffs.map((diff) => {
    const different = countLines((kind) =>
      diff.kind === "heading"
        ? kind.diffs.length > 0 && kind.diffs.every((other) => other.kind === "heading")
        : kind.diffs.some((other) => diffKey(other) === diffKey(diff)),
    );
    return shown / (shown + different);
  });
  return Math.min(1, ...shares);
}

function reject(why: string): Decision {
  return { verdict: "other", why };
}

function countDiffs(diffs: readonly Diff[], kind: Diff["kind"]): number {
  return diffs.filter((diff) => diff.kind === kind).length;
}

function lastPart({ anchor }: Rule): number {
  return anchor.elements.findLastIndex(({ kind }) => kind === "part");
}

/** Do the examples differ from each other behind the last part? */
function hasFreeTail(rule: Rule): boolean {
  return rule.anchor.elements.slice(lastPart(rule)).some(({ kind }) => kind === "free");
}

function countWordsBehindParts(rule: Rule): number {
  return rule.anchor.elements.slice(lastPart(rule) + 1).filter(isWord).length;
}

function wordsBeforeLastPart(rule: Rule): Rule["anchor"]["elements"] {
  return rule.anchor.elements.slice(0, Math.max(0, lastPart(rule))).filter(isWord);
}

function isWord(element: Rule["anchor"]["elements"][number]): boolean {
  return element.kind === "fixed" && element.token === "word";
}

/** Is a fixed word of the anchor a token of a required text?
 * @param subject of a difference: the index of an element, or `index of satellite` */
function isRequired(rule: Rule, subject: string, required: readonly string[]): boolean {
  const element = / of /.test(subject) ? undefined : rule.anchor.elements[Number(subject)];
  return (
    element?.kind === "fixed" &&
    required.some((text) => tokenize(text).some((token) => token.text === element.text))
  );
}

function partNames(rule: Rule): string[] {
  return rule.anchor.elements.flatMap((element) => (element.kind === "part" ? element.leaf.names : []));
}

function countNumericParts(rule: Rule): number {
  return [rule.anchor, ...rule.satellites.map(({ template }) => template)]
    .flatMap(({ elements }) => elements)
    .filter((element) => element.kind === "part" && element.leaf.samples.every(isNumber)).length;
}

/** Has the anchor fixed words before its last part, which identify the message? */
function hasMessage(rule: Rule): boolean {
  return wordsBeforeLastPart(rule).length > 0;
}
