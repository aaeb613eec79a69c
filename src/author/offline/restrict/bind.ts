// One piece of a sentence bound to the rules: each of its asks to a part of the records or to their lines, and several of
// them joined. What restricts and can be bound to nothing is a doubt.

import { lookingAhead } from "../conditions/ahead.ts";
import { hiddenParts, withHidden } from "../conditions/hidden-columns.ts";
import { partsOf } from "../conditions/parts.ts";
import { shownRecords } from "../conditions/shown-records.ts";
import { escapeRegex } from "../escape.ts";
import type { Group } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Extracted, GroupFilter, LineRule, Rule } from "../program/ir.ts";
import { type Ask, asksOf } from "./asks.ts";
import type { Piece } from "./cues.ts";
import { type Fit, fitsOf, worded } from "./fits.ts";

export interface Scene {
  rules: readonly Rule[];
  group: Group;
  lines: readonly string[];
}

export interface Outcome {
  /** The rules as they are narrowed. */
  rules?: Rule[];
  doubt?: string;
}

/** One piece of a sentence: each ask is bound, and all together leave some records. */
export function apply(
  { keep, isOrder, text }: Piece,
  quoted: readonly string[],
  { rules, group, lines }: Scene,
): Outcome {
  const open = withHidden(rules);
  const records = open.flatMap((rule) => interpretRule(rule, lines));
  if (records.length < 2) return {};
  const parts = [...partsOf(rules, group), ...hiddenParts(rules)];
  const asks = asksOf(text, quoted);
  const bound: { ask: Ask; fit: Fit }[] = [];
  for (const ask of asks) {
    if (isDone(ask, rules)) continue;
    const chosen = choose(fitsOf(text, ask, records, parts));
    if (chosen === "many")
      return { doubt: "the page restricts the records by what could be meant of several parts" };
    // A text that the named part never has may stand beside it.
    const isBeside = ask.how === "is" && chosen?.hits.every((hit) => hit === ask.negate) === true;
    if (chosen !== undefined && !isBeside) bound.push({ ask, fit: chosen });
    else if (isOpen(ask, keep, records)) {
      const byLine = onLines(ask, keep, { rules, group, lines }, records);
      return byLine ?? { doubt: "the page restricts the records, and nothing in the rule does" };
    }
  }
  if (bound.length === 0) {
    const chosen = choose(worded(text, asks, records, parts));
    if (chosen === undefined || chosen === "many" || (isOrder && keep && !chosen.isNamed)) return {};
    return narrowed([chosen.filter], keep, { rules, group, lines });
  }
  const splits = bound.filter(({ fit }) => isSplit(fit.hits));
  if (splits.length === 0) return {};
  return joined(splits, keep, text, { rules, group, lines });
}

/** Have the rules a condition on just these texts already? */
function isDone({ how, texts }: Ask, rules: readonly Rule[]): boolean {
  const isSame = (own: string): boolean => texts.some((one) => one === own || own === `${one}%`);
  return (
    how !== "blank" &&
    texts.length > 0 &&
    rules.every(({ filters }) => filters.some(({ equals }) => equals.length > 0 && equals.every(isSame)))
  );
}

/** The best fit; "many" when another part would keep other records and nothing speaks for the first. */
function choose(fits: readonly Fit[]): Fit | "many" | undefined {
  const [best] = fits;
  if (best === undefined) return undefined;
  const isRival = ({ part, score, hits }: Fit): boolean =>
    part !== best.part &&
    score > best.score - 0.25 &&
    isSplit(hits) &&
    hits.some((hit, index) => hit !== best.hits[index]);
  const rival = fits.find(isRival);
  return rival === undefined ? best : "many";
}

function isSplit(hits: readonly boolean[]): boolean {
  return hits.some(Boolean) && !hits.every(Boolean);
}

/** Does the ask, bound to no part, speak of what some records have? */
function isOpen(ask: Ask, keep: boolean, records: readonly Extracted[]): boolean {
  if (ask.how === "blank") return false;
  // What begins or ends so is out already where no text does.
  const isAffix = ask.how === "prefix" || ask.how === "suffix";
  if (ask.how !== "is" && ask.how !== "contains" && !isAffix) return true;
  const test = isAffix ? undefined : new RegExp(bodyOf(ask));
  const having = records.filter(
    ({ content }) => test?.test(content) ?? ask.texts.some((one) => content.includes(one)),
  ).length;
  return isAffix && keep ? having < records.length : having > 0 && having < records.length;
}

/** Its texts as words of a line. */
function bodyOf({ texts }: Ask): string {
  return texts.map((one) => `(?<![A-Za-z0-9])${escapeRegex(one)}(?![A-Za-z0-9])`).join("|");
}

/** A text that is no part, but on the lines of some records. */
function onLines(
  ask: Ask,
  keep: boolean,
  { rules, group, lines }: Scene,
  records: readonly Extracted[],
): Outcome | undefined {
  if (ask.how !== "is" && ask.how !== "contains") return undefined;
  if (!rules.every((rule): rule is LineRule => rule.kind === "line")) return undefined;
  const ahead = `(?${keep === ask.negate ? "!" : "="}.*(?:${bodyOf(ask)}))`;
  const own = rules.map((rule) => lookingAhead(rule, ahead, lines));
  const kept = own.flatMap((rule) => interpretRule(rule, lines)).length;
  if (kept === 0 || kept === records.length) return undefined;
  if (shownRecords(rules, group).length > shownRecords(own, group).length) return undefined;
  return { rules: own };
}

/** Several asks of one piece: either of them, or all together. */
function joined(
  bound: readonly { ask: Ask; fit: Fit }[],
  keep: boolean,
  text: string,
  scene: Scene,
): Outcome {
  const filters: GroupFilter[] = [];
  let joins: "or" | "and" | undefined;
  for (const [index, { ask, fit }] of bound.entries()) {
    const before = bound[index - 1];
    if (before !== undefined) {
      const same = before.fit.hits.every((hit, at) => hit === fit.hits[at]);
      const between = text.slice(before.ask.end, ask.start);
      if (same) continue;
      const how = /\b(?:or|nor|as well as|and those|and the ones)\b/.test(between) ? "or" : "and";
      if (joins !== undefined && joins !== how)
        return { doubt: "the page restricts the records by several things" };
      joins = how;
    }
    filters.push(fit.filter);
  }
  // Records that are wanted for one of several reasons, and those that are unwanted for all of them, are no filters.
  if (filters.length > 1 && (joins === "or") === keep)
    return { doubt: "the page restricts the records by several things" };
  return narrowed(filters, keep, scene);
}

function narrowed(filters: readonly GroupFilter[], keep: boolean, { rules, group, lines }: Scene): Outcome {
  const own = filters.map((one) => (keep ? one : turned(one)));
  const result = rules.map((rule) => ({ ...rule, filters: [...rule.filters, ...own] }));
  const before = rules.flatMap((rule) => interpretRule(rule, lines)).length;
  const kept = result.flatMap((rule) => interpretRule(rule, lines)).length;
  if (kept === before) return {};
  if (kept === 0) return { doubt: "no record would be left by what the page restricts" };
  if (shownRecords(rules, group).length > shownRecords(result, group).length)
    return { doubt: "the page restricts the records, and its own example would be left out" };
  return { rules: result };
}

function turned(filter: GroupFilter): GroupFilter {
  const { negate, ...rest } = filter;
  return negate === true ? rest : { ...rest, negate: true };
}
