// What tests of claims are made of: the texts and nouns of a phrase, and how a test is written down.

export type How = "is" | "prefix" | "suffix" | "contains" | "amount" | "blank" | "letters";
export type Relation = "=" | ">" | ">=" | "<" | "<=";

export interface Test {
  /** The noun in front or behind that names the part; empty when the phrase has none. */
  of: string;
  /** A noun that is usually a record's or a place's ("the file"): the part of just this name, where there is one. */
  maybe?: string;
  how: How;
  texts: string[];
  relation?: Relation;
  /** Such records do not have it. */
  negate: boolean;
  /** The texts are plain words of the sentence: only a part that is just this text is meant. */
  plain: boolean;
  /** Whatever part has one of the texts. */
  every?: boolean;
  /** For several parts: all of them, at least one of them. */
  over?: "all" | "any";
  /** The noun of another part that it is compared with, in place of texts. */
  than?: string;
  /** How many parts, where it is said. */
  count?: number;
}

export const Q = "‹\\d+›";
/** A text that is no plain word: quoted, in capitals, with digits or marks inside. */
export const HARD = `(?:${Q}|[A-Z][A-Z0-9]*(?:[_/.-][A-Z0-9]+)*(?![\\w-])|[A-Za-z]*\\d[\\w.:%-]*\\w|\\d+|[A-Za-z]\\w*_\\w+|![a-z]\\b)`;
export const HARDS = `${HARD}(?:(?:,\\s*|\\s*,?\\s+(?:or|and|nor)\\s+)(?:the )?${HARD})*`;
export const NUMBER = "(?<number>[-+]?\\d+(?:[.,]\\d+)*|zero|one|two|three|four|five|ten)(?<percent>\\s?%)?";
export const NOUN = "(?<noun>‹\\d+›|[%A-Za-z][\\w%-]*(?: [a-z%][\\w%-]*){0,2}?)";

/** Nouns of records and places: no part of a record is meant. */
export const RECORDS =
  /^(?:the |all |other |of |an? )*(?:lines?|rows?|records?|entr(?:y|ies)|items?|messages?|ones?|those|blocks?|files?|sections?|tables?|reports?|logs?|paths?|events?|findings?|results?|requests?|columns?|parts?|lists?|in|on|at|of|and|or|only|level|form|number)$/i;

/** What stands in front of the name of a part, and behind it. */
const LEAD =
  /^.*\b(?:whose|with|that|which|who|where|in|of|for|by|on|at|to|having|the|an?|its|their|all|any|other|exactly|only|one|are|is|was|titled|column|field|from)\s+(?=\S)/i;
const TRAIL = /\s+(?:is|are|was|than|about|in|on|of|with|at|to|like|has|have|itself|column|field|and|or)$/i;

export function test(of: string, how: How, texts: string[], more: Partial<Test> = {}): Test {
  const full = ` ${of.trim()}`.replace(/^ (?:the|an?) /i, " ");
  const noun = full
    .replace(TRAIL, "")
    .replace(LEAD, "")
    .trim()
    .replace(/^(?:the|an?|its|their|all|exactly|whose|with|of|is)$/i, "");
  const isRecord = RECORDS.test(noun) && !/^level$/i.test(noun);
  // "`*_test.c`", "`...1v80`": how the texts end.
  if (how === "is" && texts.length > 0 && texts.every((one) => OPEN_FRONT.test(one)))
    return {
      of: isRecord ? "" : noun,
      how: "suffix",
      texts: texts.map((one) => one.replace(OPEN_FRONT, "")),
      negate: false,
      plain: false,
      ...more,
    };
  return {
    of: isRecord ? "" : noun,
    ...(isRecord ? { maybe: noun } : {}),
    // "the categories `space/...`": how they begin.
    how: how === "is" && isOpen(texts) ? "prefix" : how,
    texts: isOpen(texts) ? texts.map(cutOpen) : texts,
    negate: false,
    plain: false,
    ...more,
  };
}

/** Dots or an asterisk in front of what a text ends with. */
const OPEN_FRONT = /^(?:\.{3}|…|\*)(?=[\w.,_:/-]*\w[\w.,_:/-]*$)/;

/** A name that may be quoted. */
export function spelled(name: string, quoted: readonly string[]): string {
  return name.replace(/‹(\d+)›/g, (_all, index: string) => quoted[Number(index)] ?? "");
}

/** Texts of a list: quoted ones as they are quoted. */
export function textsIn(list: string, quoted: readonly string[]): string[] {
  const found = [...list.matchAll(new RegExp(HARD, "g"))].map(([one]) =>
    one.replace(/^‹(\d+)›$/, (_all, index: string) => quoted[Number(index)] ?? ""),
  );
  return found.map((one) => one.trim()).filter((one) => one !== "");
}

/** "`requested_...`", "I-*": how the texts begin. */
export function isOpen(texts: readonly string[]): boolean {
  return texts.every((one) => /\w.*(?:\.{3}|…|\*)$/.test(one));
}

export function cutOpen(text: string): string {
  return text.replace(/(?<=\w.*)(?:\.{3}|…|\*)$/, "");
}
