// What a claim asks for and no rule does: a case, a comparison, a text that only some of the records have, a kind that is
// not wanted and still among the records.

import { escapeRegex } from "../escape.ts";
import type { Claim } from "../page/claims.ts";
import { stem, stemsOf, wordsOf } from "../page/names.ts";
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
  const around = { rules, group, page, lines };
  if (isPlace) return casesOf(claim, around);
  return [
    ...stillThere(claim, rules, group, lines),
    ...nowhere(claim, rules, lines),
    ...casesOf(claim, around),
    ...openTexts(claim, rules, page, lines),
  ];
}

/** Cases and comparisons restrict for sure; what no other reader knows of them is a doubt. */
function casesOf(claim: Claim, around: Around): string[] {
  const { page } = around;
  const isTitle = page.statements[0]?.sentences[0]?.text === claim.said;
  if (!isTitle && claim.tests.some((one) => one.than !== undefined))
    return [`the page compares two parts of a record, and nothing in the rule does: ${claim.said}`];
  // What never is missing in a record is nothing that a rule could do.
  if (claim.tests.every((one) => one.how === "blank")) return [];
  return claim.isCase === true && !isKnown(claim, page) && !isInAll(claim, around)
    ? [`the page says when a record counts, and nothing in the rule does: ${claim.said}`]
    : [];
}

/** Where another reader knows the sentence, its own doubts tell whether it is done. */
function isKnown({ said }: Claim, page: Page): boolean {
  return page.rules.some((rule) => rule.said === said) || page.wishes.some((wish) => wish.text === said);
}

/** "A device counts when the remark says that the driver is not attached": all records have the words that the log knows. */
function isInAll({ phrase, wanted }: Claim, { rules, group, lines }: Around): boolean {
  if (!wanted) return false;
  const named = stemsOf(
    [...(group.value === undefined ? [] : [group.value]), ...group.fields]
      .map(({ name }) => name.replace(/_/g, " "))
      .join(" "),
  );
  const common = stemsOf(COMMON);
  const words = wordsOf(phrase)
    .filter((word) => word === "not" || (word.length > 2 && !FUNCTION_WORD.test(word)))
    .map(stem)
    .filter((word) => !named.has(word) && !common.has(word));
  const has = (line: string, word: string): boolean => stemsOf(line).has(word);
  const told = words.filter((word) => word !== "not" && lines.some((line) => has(line, word)));
  // Two words at least, one of which other lines lack.
  if (told.length < 2 || !told.some((word) => lines.some((line) => line.trim() !== "" && !has(line, word))))
    return false;
  const contents = rules.flatMap((rule) => interpretRule(rule, lines)).map(({ content }) => content);
  const isNot = /\b(?:not|never|no)\b/i.test(phrase);
  return (
    contents.length > 0 &&
    contents.every(
      (line) => told.every((word) => has(line, word)) && /\b(?:not|never|no)\b/i.test(line) === isNot,
    )
  );
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

/** Words for what stands around the rows of a table. */
const AROUND =
  /^(?:title|head|ruler?|blank|empti|section|page|summar|total|sum|count|column|foot|end|begin|top|bottom|first|last|separator|border|frame|caption|remark|comment|text|part|piece|thing|detail|other|rest|anything|everything)/i;

/** "Threads are not wanted" of a table: rows that the page rules out by a word that nothing in the log says. */
function nowhere(claim: Claim, rules: readonly Rule[], lines: readonly string[]): string[] {
  const isTable = rules.every((rule) => rule.kind === "table");
  if (!isTable || claim.wanted || !claim.tests.some((test) => test.plain)) return [];
  const words = (claim.phrase.toLowerCase().match(/[a-z][a-z-]+/g) ?? []).filter(
    (word) => word.length > 3 && !COMMON.split(" ").includes(word),
  );
  if (words.length === 0 || words.length > 2 || words.some((word) => AROUND.test(word))) return [];
  if (/\d|\b(?:means?|that|which|where|when)\b/i.test(claim.phrase)) return [];
  const stems = words.map((word) => stem(word).slice(0, 6));
  const isSaid = lines.some((line) => {
    const own = line.toLowerCase();
    return stems.some((word) => own.includes(word));
  });
  return isSaid ? [] : [`the page rules out "${claim.phrase}", of which nothing in the log speaks`];
}

/** What the page rules out in plain words that no rule does, and a part of some records is just such a word. */
function stillThere(claim: Claim, rules: readonly Rule[], group: Group, lines: readonly string[]): string[] {
  if (claim.wanted || !claim.tests.some((test) => test.plain)) return [];
  // What is said about them in a clause of its own ("that follow from it") tells no kind.
  const kinds = claim.phrase.replace(
    /\([^)]*\)|,? \b(?:which|that|who|where|when)\b(?! (?:is|are|was|were|says?)\b).*$/gi,
    " ",
  );
  const words = new Set(
    (kinds.toLowerCase().match(/[a-z][a-z-]+/g) ?? []).filter((word) => !FUNCTION_WORD.test(word)),
  );
  const records = rules.flatMap((rule) => interpretRule(rule, lines));
  // "Whose protocol is up" says nothing of another part that is up.
  const all = partsOf(rules, group);
  const named = all.filter((part) => [...words].some((word) => names(part, word, []) >= 0.7));
  for (const part of named.length > 0 ? named : all) {
    const texts = records.map((record) => textOf(record, part));
    const hit = texts.find(
      (text) =>
        words.has(text.toLowerCase()) &&
        !COMMON.split(" ").includes(text.toLowerCase()) &&
        // "The jail `x` itself": what the part is called.
        !(names(part, text.toLowerCase(), []) >= 0.9),
    );
    if (hit !== undefined && texts.some((text) => text !== hit))
      return [`the page rules out "${claim.phrase}", and a record has ${part.hint.name} ${hit}`];
  }
  return [];
}

const FUNCTION_WORD =
  /^(?:from|for|with|without|within|by|in|on|at|to|of|as|than|into|over|under|after|before|between|about|it|its|this|that|them|they|their|there|here|an?|the|is|are|was|were|be|been|has|have|had|do|does|did|not|no|nor|and|or|but|if|so|also|both|each|one|two|three|another|some|more|most|same|own|only|just)$/;

/** Words of any page that tell no kind. */
export const COMMON =
  "the and all any are not nor these those such plain mere merely simply ordinary alone that say says read reads show shows only just with without level levels kind kinds type types line lines row rows record records entry entries item items message messages one ones result results finding findings event events case cases itself here also own state status";
