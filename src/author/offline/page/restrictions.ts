// Restrictions that a page makes over several sentences or beside the way: "Extract these three", "peers that never
// had a handshake (time 0)", "except loop devices (type loop or rom)", "an asterisk is the selected one, a plus a
// candidate ... Take the selected one and the candidates". Read as conditions like those of one sentence.

import { similarity, stem, stemsOf, wordsOf } from "./names.ts";
import type { FieldRule, Hint, Listed } from "./page.ts";
import { saysUnwanted } from "./polarity.ts";
import { bare, NEGATIVE, quotedIn, type Statement } from "./text.ts";

/** What the restrictions may speak of: values and fields, and further names in the lists of the page. */
interface Known {
  hints: readonly Hint[];
  lists: readonly Listed[];
}

const EXTRACTS = /\b(?:extract|take|report|collect|keep|find|want(?:ed)?|only|select|we need)\b/i;

/** All restrictions of a page beyond those that one sentence states as a condition. */
export function readRestrictions(statements: readonly Statement[], known: Known): FieldRule[] {
  const rules: FieldRule[] = [];
  for (const { sentences } of statements) {
    sentences.forEach(({ text }, index) => {
      const before = sentences.slice(0, index).map((one) => one.text);
      const read = [
        ...theseOnes(text, before),
        ...inBrackets(text, known),
        ...nonEmpty(text, known),
        ...beginning(text, known),
        ...unless(text, known),
        ...unwantedKinds(text, known),
      ];
      rules.push(...read.map((rule) => ({ ...rule, said: text })));
    });
  }
  return rules;
}

/** "The keys A-SVC, A-CONT and A-SESS stand for … Extract these three." */
function theseOnes(text: string, before: readonly string[]): FieldRule[] {
  if (!/^(?:extract|take|report|collect|keep|only)\b[^.;]*\b(?:these|those)\b/i.test(text)) return [];
  const last = before.at(-1) ?? "";
  const word =
    /\bthe word[s]? (?:`([^`]+)`|"([^"]+)"|([A-Za-z][\w-]*))\s+(?:stands?|is|are|appears?|follows?)\b/i.exec(
      last,
    );
  if (word !== null) return [wordRule([word[1] ?? word[2] ?? word[3] ?? ""])];
  const quoted = quotedIn(last).map((span) => span.text);
  const capitals = bare(last).match(
    /(?<![\w-])[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)+(?![\w-])|(?<![\w-])[A-Z]{3,}(?![\w-])/g,
  );
  const texts = quoted.length >= 2 ? quoted : [...new Set(capitals ?? [])];
  const count = /\b(?:these|those) (two|three|four|five|six)\b/i.exec(text)?.[1]?.toLowerCase();
  const wanted = ["two", "three", "four", "five", "six"].indexOf(count ?? "") + 2;
  if (texts.length < 2 || (count !== undefined && texts.length !== wanted)) return [];
  return [wordRule(texts)];
}

/** A word of the record, of no field. */
function wordRule(equals: string[]): FieldRule {
  return { name: "", equals, negate: false };
}

/** "(time 0)", "(type loop or rom)": a name that is known and what it must be, or must not be behind "except". */
function inBrackets(text: string, known: Known): FieldRule[] {
  if (!EXTRACTS.test(bare(text))) return [];
  const rules: FieldRule[] = [];
  for (const match of text.matchAll(
    /\(([a-z][a-z_ ]{1,20}?) ((?:`[^`]+`|[\w.-]+)(?:(?:, | or | and )(?:`[^`]+`|[\w.-]+))*)\)/g,
  )) {
    const name = nameOf(match[1] ?? "", known);
    if (name === undefined) continue;
    const equals = (match[2] ?? "").split(/, | or | and /).map((one) => one.replace(/`/g, ""));
    if (equals.some((one) => /^(?:is|are|as|of|in|the|an?|only|column|field)$/i.test(one))) continue;
    const clause = text.slice(0, match.index);
    const negate = /\b(?:except|without|other than|but (?:not|no)|apart from)\b[^.;]*$/i.test(clause);
    if (!negate && /\b(?:not wanted|ignor\w+|skip\w*|left out|no items?)\b/i.test(bare(text))) continue;
    rules.push({ name, equals, negate });
  }
  return rules;
}

/** "Most groups have an empty list and are not wanted": the part must not be empty. */
function nonEmpty(text: string, known: Known): FieldRule[] {
  if (!NEGATIVE.test(bare(text)) && !/\bnot wanted\b|\bno items?\b/i.test(text)) return [];
  const said =
    /\b(?:empty|blank|(?<!\b(?:is|are|was|were) )no) ([a-z]+)\b|\bnothing in the ([a-z]+) (?:column|field|cell)\b|\bwhose ([a-z]+)(?: \w+)? is (?:empty|blank)\b/i.exec(
      text,
    );
  const noun = said?.[1] ?? said?.[2] ?? said?.[3];
  if (
    noun === undefined ||
    /^(?:(?:line|row|record|entry|block|item)s?|when|where|if|for|in|on|at|as|is|are|and|or)$/i.test(noun)
  )
    return [];
  const meant = known.hints.find(
    (hint) =>
      similarity(hint.name, noun) >= 0.6 ||
      // A remark "behind the counters, if there is one" is no counter.
      (!hint.optional && stemsOf(hint.description).has(stem(noun.toLowerCase()))),
  );
  return meant === undefined ? [] : [{ name: meant.name, equals: [""], negate: true }];
}

/** "Only commands that begin with `sudo`": the noun is a value or field. */
function beginning(text: string, known: Known): FieldRule[] {
  if (!/\bonly\b/i.test(bare(text))) return [];
  const match =
    /\b([a-z][\w-]*) that (begin|start|end)s? (?:with|in) (?:the (?:word|text) )?((?:`[^`]+`|"[^"]+")(?:(?:\s*,\s*|\s*,?\s+or\s+)(?:`[^`]+`|"[^"]+"))*)/i.exec(
      text,
    );
  const name = match === null ? undefined : nameOf(singular(match[1] ?? ""), known);
  if (match === null || name === undefined) return [];
  const equals = quotedIn(match[3] ?? "").map((span) => span.text);
  return [{ name, equals, negate: false, match: match[2]?.toLowerCase() === "end" ? "suffix" : "prefix" }];
}

/** "An account can log in unless its shell is called nologin or false, whatever the directory." */
function unless(text: string, known: Known): FieldRule[] {
  const match =
    /\bunless (?:its|their|the) ([a-z][\w ]{1,20}?) (?:is|are) (?:called |named |set to )?((?:`[^`]+`|[\w.-]+)(?:(?:, | or )(?:`[^`]+`|[\w.-]+))*)/i.exec(
      text,
    );
  const name = match === null ? undefined : nameOf(match[1] ?? "", known);
  if (match === null || name === undefined) return [];
  const equals = (match[2] ?? "").split(/, | or /).map((one) => one.replace(/`/g, ""));
  if (equals.some((one) => /^(?:not|the|an?|empty|blank|there|in|of)$/i.test(one))) return [];
  const anywhere = /\bwhatever (?:the|its) (?:directory|path|folder)\b|\bin any directory\b/i.test(text);
  return [
    anywhere
      ? { name, equals: equals.map((one) => `/${one}`), negate: true, match: "suffix" }
      : { name, equals, negate: true },
  ];
}

/** "Partitions of the type `Empty` do not exist and are not wanted", "file systems of type cgroup are not wanted". */
function unwantedKinds(text: string, known: Known): FieldRule[] {
  if (
    !/\b(?:is|are)\b[^.;]*?\b(?:not (?:wanted|needed|of interest|items?|counted)|no items?|ignored|left out|skipped)\b/i.test(
      text,
    )
  )
    return [];
  const match =
    /\b(?:of|with) (?:the |a |an )?([a-z][\w]*(?: [a-z]\w*)?) ((?:`[^`]+`|[\w.-]+)(?:(?:, | or | and )(?:`[^`]+`|[\w.-]+))*) (?:is|are|do|does|exist|have|has)\b/i.exec(
      text,
    );
  const name = match === null ? undefined : nameOf(match[1] ?? "", known);
  if (match === null || name === undefined) return [];
  const equals = (match[2] ?? "").split(/, | or | and /).map((one) => one.replace(/`/g, ""));
  if (equals.some((one) => /^(?:not|the|an?|empty|blank|there|in|of|other|than|that|which)$/.test(one)))
    return [];
  return [{ name, equals, negate: true }];
}

function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/s$/, "");
}

/** Places in a log, not parts of a record. */
const PLACES =
  /^(?:sections?|tables?|lines?|rows?|pages?|chapters?|columns?|parts?|steps?|figures?|blocks?)$/i;

/** The name of a hint, or of a part in a list of the page, that a word means. */
function nameOf(text: string, { hints, lists }: Known): string | undefined {
  const words = wordsOf(text);
  if (words.length === 0 || words.length > 3 || PLACES.test(text)) return undefined;
  const hint = hints
    .map((one) => ({ name: one.name, like: similarity(one.name, text) }))
    .sort((a, b) => b.like - a.like)[0];
  if (hint !== undefined && hint.like >= 0.75) return hint.name;
  const listed = lists.flatMap((list) => list.names).filter((name) => wordsOf(name)[0] === words[0]);
  const [first] = [...new Set(listed)];
  return first ?? ((hint?.like ?? 0) >= 0.6 ? hint?.name : undefined);
}

/** Marks in front of a row that the page explains, and those of them that it wants. */
export interface RowMarks {
  wanted: string[];
  /** The value goes without its mark. */
  stripped: boolean;
}

const MARKS: [RegExp, string][] = [
  [/\b(?:asterisk|star)\b/i, "*"],
  [/\bplus(?: sign)?\b/i, "+"],
  [/\b(?:minus|dash|hyphen)(?: sign)?\b/i, "-"],
  [/\b(?:hash|number sign)\b/i, "#"],
  [/\bquestion mark\b/i, "?"],
  [/\bexclamation mark\b/i, "!"],
  [/\b(?:greater[- ]than sign|arrow|angle)\b/i, ">"],
  [/\b(?:caret|circumflex)\b/i, "^"],
  [/\bequals? sign\b/i, "="],
  [/\bbullet\b/i, "●"],
];

/** "The first character of a row tells …: an asterisk is the selected one, a plus a candidate; …. Take the selected
 * one and the candidates." */
export function readRowMarks(statements: readonly Statement[]): RowMarks | undefined {
  for (const { sentences, text: whole } of statements) {
    const stripped =
      /\bwithout (?:that|this|the|its)(?: first| leading| tally| status)? (?:characters?|mark|sign|asterisk|codes?)\b|\b(?:the|its|this|that) (?:mark|sign|character|code) (?:is )?(?:removed|dropped|cut off|left off|stripped)\b/i.test(
        whole,
      );
    const defined = sentences.map(({ text }) => markedIf(text)).find((marks) => marks.length > 0);
    if (defined !== undefined) return { wanted: defined, stripped };
    const at = sentences.findIndex(({ text }) =>
      /\bfirst character of (?:a|each|every|the) (?:row|line)\b|\b(?:with|have|has|are|is|by|a|the) (?:status )?(?:codes?|marks?|signs?|flags?|characters?|symbols?) (?:right )?(?:in front\b|(?:in|at) the (?:very )?(?:first (?:column|place)|front|beginning)\b)/i.test(
        text,
      ),
    );
    const told = sentences[at]?.text;
    if (told === undefined) continue;
    const wants = sentences
      .filter(({ text }, index) => index !== at && EXTRACTS.test(text))
      .flatMap(({ text }) => [...stemsOf(text)]);
    const wanted: string[] = [];
    // "All other rows do not count": every mark that the sentence names is wanted.
    const others = sentences[at + 1]?.text ?? "";
    const isAll =
      /^(?:all |any |the )?(?:others?|other (?:rows|lines|marks|entries)|rest)\b/i.test(others) &&
      saysUnwanted(bare(others));
    for (const clause of told.split(/[,;:]\s+|\s+and\s+(?=an?\b)/)) {
      const quoted = /`([^\w\s])`/.exec(clause)?.[1];
      const mark = quoted ?? MARKS.find(([words]) => words.test(clause))?.[1];
      if (mark === undefined || NEGATIVE.test(clause) || /\banything else\b/i.test(clause)) continue;
      const meaning = [...stemsOf(clause)].filter((word) => word.length > 3 && !COMMON.has(word));
      if (isAll || meaning.some((word) => wants.includes(word))) wanted.push(mark);
    }
    if (wanted.length > 0) return { wanted, stripped };
  }
  return undefined;
}

/** "A source is usable if the tally is an asterisk (the system peer) or a plus sign". */
function markedIf(text: string): string[] {
  const said =
    /\b(?:if|when|where|whose) (?:the |its |their )?(?:tally|mark|sign|flag|symbol|first character|status code|character in front)(?: character)? (?:is|are) ((?:an?|the) .*)$/i.exec(
      text.replace(/\([^)]*\)/g, ""),
    )?.[1];
  if (said === undefined || NEGATIVE.test(bare(text))) return [];
  return MARKS.filter(([words]) => words.test(said)).map(([, mark]) => mark);
}

const COMMON = stemsOf("first character row line tells what became that this with mark marks means");
