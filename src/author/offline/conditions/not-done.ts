// What a claim asks for and no rule does: a case, a comparison, a text that only some of the records have, a kind that is
// not wanted and still among the records.

import { escapeRegex } from "../escape.ts";
import type { Claim } from "../page/claims.ts";
import type { Group, Page } from "../page/page.ts";
import { interpretRule } from "../program/interpret.ts";
import type { Rule } from "../program/ir.ts";
import { wordIn } from "./exclusions.ts";
import { names, partsOf, textOf } from "./parts.ts";

interface Around {
  rules: readonly Rule[];
  group: Group;
  page: Page;
  lines: readonly string[];
}

/** Doubts about a claim that the rules do not do; what speaks of a place is left to the readers of places. */
export function notDone(claim: Claim, isPlace: boolean, { rules, group, page, lines }: Around): string[] {
  if (isPlace) return casesOf(claim, page);
  return [
    ...stillThere(claim, rules, group, lines),
    ...casesOf(claim, page),
    ...openTexts(claim, rules, page, lines),
  ];
}

/** Cases and comparisons restrict for sure; what no other reader knows of them is a doubt. */
function casesOf(claim: Claim, page: Page): string[] {
  const isTitle = page.statements[0]?.sentences[0]?.text === claim.said;
  if (!isTitle && claim.tests.some((one) => one.than !== undefined))
    return [`the page compares two parts of a record, and nothing in the rule does: ${claim.said}`];
  // What never is missing in a record is nothing that a rule could do.
  if (claim.tests.every((one) => one.how === "blank")) return [];
  return claim.isCase === true && !isKnown(claim, page)
    ? [`the page says when a record counts, and nothing in the rule does: ${claim.said}`]
    : [];
}

/** Where another reader knows the sentence, its own doubts tell whether it is done. */
function isKnown({ said }: Claim, page: Page): boolean {
  return page.rules.some((rule) => rule.said === said) || page.wishes.some((wish) => wish.text === said);
}

/** "Those with the mark `x` are not wanted": a text that only some records have, and nothing in the rule does. */
function openTexts(claim: Claim, rules: readonly Rule[], page: Page, lines: readonly string[]): string[] {
  const [test, ...others] = claim.tests;
  if (test === undefined || others.length > 0 || !claim.whole || test.plain || test.than !== undefined)
    return [];
  if (!/^(?:is|contains|prefix|suffix)$/.test(test.how) || isKnown(claim, page)) return [];
  // Plain words of the sentence are no texts of the log for sure.
  const isHard = (text: string): boolean =>
    /^[^a-z]|[A-Z\d_]/.test(text) || new RegExp(`[\`"]${escapeRegex(text)}[\`"]`).test(claim.said);
  if (!test.texts.every(isHard)) return [];
  const words = test.texts.map((text) => wordIn(text));
  const contents = rules.flatMap((rule) => interpretRule(rule, lines)).map(({ content }) => content);
  const having = contents.filter((text) => words.some((word) => word.test(text))).length;
  return having === 0 || having === contents.length
    ? []
    : [
        `the page tells records by ${test.texts.join(", ")}, which ${having} of ${contents.length} have, and nothing in the rule does: ${claim.said}`,
      ];
}

/** What the page rules out in plain words that no rule does, and a part of some records is just such a word. */
function stillThere(claim: Claim, rules: readonly Rule[], group: Group, lines: readonly string[]): string[] {
  if (claim.wanted || !claim.tests.some((test) => test.plain)) return [];
  const words = new Set(claim.phrase.toLowerCase().match(/[a-z][a-z-]+/g) ?? []);
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  // "Whose protocol is up" says nothing of another part that is up.
  const all = partsOf(rules, group);
  const named = all.filter((part) => [...words].some((word) => names(part, word, []) >= 0.7));
  for (const part of named.length > 0 ? named : all) {
    const texts = records.map((record) => textOf(record, part));
    const hit = texts.find(
      (text) => words.has(text.toLowerCase()) && !COMMON.split(" ").includes(text.toLowerCase()),
    );
    if (hit !== undefined && texts.some((text) => text !== hit))
      return [`the page rules out "${claim.phrase}", and a record has ${part.hint.name} ${hit}`];
  }
  return [];
}

/** Words of any page that tell no kind. */
export const COMMON =
  "the and all any are not nor these those such plain mere merely simply ordinary alone that say says read reads show shows only just with without level levels kind kinds type types line lines row rows record records entry entries item items message messages one ones result results finding findings event events case cases itself here also own state status";
