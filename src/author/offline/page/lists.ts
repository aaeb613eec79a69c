// Lists of names and conditions on fields, as the sentences of a page give them.
import { readConditions } from "./conditions.ts";
import { isGlob } from "./files.ts";
import { wordsOf } from "./names.ts";
import type { FieldRule, Listed } from "./page.ts";
import { bare, NEGATIVE, quotedIn, type Sentence, splitList } from "./text.ts";

const LIST_LEAD =
  /^.*\b(?:columns?|parts?|cells?|order|fields?|comes?|contains?|consists? of|shows?|gives?|has|have|with|holds?|lists?|prints?|states?|carr(?:y|ies)|by|then|followed by|starts? with|header|headings?)\b:?\s+(?=\S)/i;

/** What stands between the names of a list: separators, words of the line, steps. */
const NO_PART =
  /^(?:(?:an?|the|two|one) )?(?:then|colons?|commas?|semicolons?|dash(?:es)?|hyphens?|blanks?|spaces?|tabs?|arrow|equals? sign|pipes?|(?:separated|framed|divided|delimited) by .*|the words? .*|words? [A-Z].*|which .*|that .*|as (?:printed|written|shown|given|it stands)\b.*)$/i;

const PLACE =
  /^(?:(?:after|before|behind|in front of|followed by) (?:an?|the|two) (?:[a-z]+ )?[a-z]+|(?:in|within|inside) (?:the )?(?:[a-z]+ )?(?:brackets|parentheses|quotes|braces))$/i;

/** Ordered lists of three or more short names: the columns of a table or the parts of a line. */
export function readLists(sentence: Sentence): Listed[] {
  const text = sentence.text.replace(/[.。]\s*$/, "");
  const lists: Listed[] = [];
  // A description of the value lists what it has or has not, not the parts of a line.
  if (/^(?:the )?(?:value|值)\b\s*[:：=–-]/i.test(text)) return lists;
  const spans = quotedIn(text);
  const plain = spans.length === 0 ? [text] : [text, bare(text)];
  for (const candidate of plain) {
    for (const piece of piecesOf(candidate)) {
      const list = listOf(piece, sentence.text);
      if (list === undefined || lists.some((one) => one.names.join() === list.names.join())) continue;
      const at = text.indexOf(list.names[0] ?? "");
      if (spans.some((span) => span.text.length >= 15 && span.end <= at && at - span.end <= 12))
        list.shown = true;
      lists.push(list);
    }
  }
  return lists;
}

/** One piece of a sentence as a list of short names, if it is one; parts in front that are no names are left out. */
function listOf(piece: string, context: string): Listed | undefined {
  const parts = splitList(piece).filter(
    (part) => !/^(?:more|others?|so on|further \w+|the rest)$/i.test(part),
  );
  for (let from = 0; from < 3 && parts.length - from >= 3; from += 1) {
    const list = listFrom(parts.slice(from), context);
    if (list !== undefined) return list;
  }
  // "type, and in the last column the function or the place in the code".
  const long = wordsOf(parts.at(-1) ?? "").length > 5 && parts.length > 4;
  return long ? listOf(parts.slice(0, -1).join(", "), context) : undefined;
}

function listFrom(parts: readonly string[], context: string): Listed | undefined {
  // The first part may carry the lead words of the sentence in front of its name.
  const first = (parts[0] ?? "")
    .replace(/\bfor (?:each|every)(?: \w+){1,2}?(?= the\b| an?\b|$)/i, "")
    .replace(LIST_LEAD, "")
    .trim();
  const texts = [first === "" ? (parts[0] ?? "") : first, ...parts.slice(1)];
  const names = texts.map((part) =>
    part
      .replace(/\(.*\)|\bin columns?\b.*|\bfor each\b.*/g, "")
      .replace(/^(?:(?:and|then|followed by|after that|finally|last)\s+)+/i, "")
      .replace(
        /^(?:after|behind) (?:another|an?|the) (?:\w+ )?(?:colon|comma|dash|blank|bar|slash|semicolon),? (?=\w)/i,
        "",
      )
      .replace(/^(?:the|an?|its|then|each)\s+/i, "")
      .replace(/[`"]/g, "")
      .replace(/\s+(?:and|or|then)$/i, "")
      .replace(/\s+(?:in|within|inside|between|after|before|behind|from|at the)\s.*$/, "")
      .trim(),
  );
  const real = names.flatMap((name, index) =>
    NO_PART.test(name) || PLACE.test(name) || (index === 0 && isGlob(name)) ? [] : [index],
  );
  // "after a colon" between two names says where they stand, and is none.
  if (real.length < 3 && names.some((name) => PLACE.test(name))) return undefined;
  const kept = real.length >= 3 ? real : [...names.keys()];
  const chosen = kept.map((index) => names[index] ?? "");
  if (!chosen.every((name) => name !== "" && wordsOf(name).length <= 5 && wordsOf(name).length > 0))
    return undefined;
  const told = names.findIndex((name) => SEPARATED.test(name));
  // "A, B and C, separated by colons" speaks of all of them.
  const ahead = kept.filter((index) => index < told).length;
  const from = told < 0 || ahead >= kept.length ? 0 : ahead;
  return {
    names: chosen,
    // "..., in the last parentheses, the rule": the place belongs to what follows it.
    texts: kept.map((index) => {
      const place = names[index - 1] ?? "";
      return PLACE.test(place) ? `${texts[index] ?? ""} (${place})` : (texts[index] ?? "");
    }),
    context,
    ...separatorIn(context, from),
  };
}

/** The parts of a sentence that may be lists: between colons and dashes, and inside brackets. */
function piecesOf(text: string): string[] {
  const pieces = text.split(/[:：]\s|\s[-–]\s|‹›|\bare\b/);
  return [...pieces, ...pieces.flatMap((piece) => (/[()]/.test(piece) ? piece.split(/\(|\)/) : []))];
}

const SEPARATORS: [RegExp, string][] = [
  [/\bsemicolons?\b/i, ";"],
  [/\bcommas?\b/i, ","],
  [/\bcolons?\b/i, ":"],
  [/\b(?:pipes?|vertical bars?)\b/i, "|"],
  [/\btabs?\b/i, "\t"],
  [/\bslashes\b/i, "/"],
];

const SEPARATED = /\b(?:separated|divided|delimited|split) by (?:single |a |an )?(\w+(?: \w+)?)/i;

/** "separated by semicolons": the character, and the first name of the list that it holds for. */
function separatorIn(text: string, from: number): { separated?: { by: string; from: number } } {
  const told =
    SEPARATED.exec(text)?.[1] ?? /\b(tab|comma|semicolon|colon|pipe|bar|slash)-separated\b/i.exec(text)?.[1];
  const found = told === undefined ? undefined : SEPARATORS.find(([words]) => words.test(told));
  return found === undefined ? {} : { separated: { by: found[1], from } };
}

/** "whose load state is not-found", "with a count other than 0". */
export function readRules(sentence: Sentence): FieldRule[] {
  const rules: FieldRule[] = [];
  // What a line of the log says about itself restricts nothing.
  const text = sentence.text.replace(/`[^`]{40,}`/g, "``");
  const push = (name: string, equals: string[], negate: boolean): void => {
    if (wordsOf(name).length > 3 || /\d/.test(name)) return;
    rules.push({ name, equals: equals.map((one) => one.replace(/[.,]$/, "")), negate });
  };
  const negated =
    /\b(?:whose|with|where)\s+(?:an?\s+|the\s+|its\s+)?([\w -]{2,30}?)\s+(?:is |are |being )?(?:other than|different from|not equal to|unequal to|not(?!-))\s+[`"]?([\w.%-]+)[`"]?/gi;
  for (const match of text.matchAll(negated)) {
    push(match[1] ?? "", [match[2] ?? ""], true);
  }
  // "with a count above 0", "whose errors are not zero"
  for (const match of text.matchAll(
    /\b(?:whose|with|where)\s+(?:an?\s+|the\s+|its\s+)?([a-z][\w -]{1,24}?)\s+(?:is |are )?(?:above|over|greater than|more than|not) (?:0|zero)\b/gi,
  )) {
    if (!NEGATIVE.test(text.replace(/\bnot (?:0|zero)\b/gi, ""))) push(match[1] ?? "", ["0"], true);
  }
  // "rules with count 0 are clean and not wanted": the sentence says on which side they are.
  for (const match of text.matchAll(
    /\bwith\s+(?:an?\s+|the\s+)?([a-z][\w-]*(?: [a-z][\w-]*)?)\s+(\d+)(?=\s)/gi,
  )) {
    push(match[1] ?? "", [match[2] ?? ""], NEGATIVE.test(text));
  }
  // "with a number of seats of 0"
  for (const match of text.matchAll(
    /\bwith\s+(?:an?\s+|the\s+)?((?:number|count|amount|sum|total)s? of [a-z]+) of (\d+(?:\.\d+)?)(?=[\s.,;)]|$)/gi,
  )) {
    push(match[1] ?? "", [match[2] ?? ""], NEGATIVE.test(text));
  }
  for (const read of readConditions(sentence)) {
    const rule = read.equals.join() === "neither" ? neitherOf(read, text) : read;
    if (rule === undefined) continue;
    if (!rules.some((one) => one.name === rule.name && one.negate)) rules.push(rule);
  }
  return rules;
}

/** "Whose state is neither `a` nor `b`". */
function neitherOf(rule: FieldRule, text: string): FieldRule | undefined {
  const item = '(`[^`]+`|"[^"]+"|[\\w.-]*\\w)';
  const found = new RegExp(`\\bneither ${item}(?:, ${item})? nor ${item}`, "i").exec(text);
  if (found === null) return undefined;
  const equals = found
    .slice(1)
    .flatMap((one) => (one === undefined ? [] : [one.replace(/^[`"]|[`"]$/g, "")]));
  return { ...rule, equals, negate: true };
}
