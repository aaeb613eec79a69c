// "Ports that are administratively up but have no link", "flow types of which at least one packet was accepted": what a
// page asks of the rows of a table in words that stand in its columns.

import { stem, wordsOf } from "../../page/names.ts";
import type { Page } from "../../page/page.ts";
import { bare } from "../../page/text.ts";
import type { GroupFilter } from "../../program/ir.ts";

/** A column as conditions see it. */
interface ConditionColumn {
  group: string;
  /** Heading and name on the page. */
  names: string[];
  texts: readonly string[];
  /** Its cells in the rows that the page shows. */
  shown?: readonly string[];
}

/** Sentences that say which rows are wanted. */
const ASKS =
  /\b(?:extract|take|find|collect|pick|list|report|only|wanted|we (?:need|want)|of interest|which|are (?:records|items))\b/i;

/** The clauses behind the noun: "ports | that are administratively up | but have no link". */
const CLAUSE =
  /\b(?:that|which|who) (?:(?:is|are|was|were|has|have|had|do|does|did) )?|\b(?:of|in|on|for) which\b|\bwith\b|\bwhose\b|\bwhere\b|\bwithout\b/i;

/** Filters for the conditions of a page that its columns make clear, and what stands beside them unread. */
export function clauseFilters(
  page: Page,
  columns: readonly ConditionColumn[],
): { filters: GroupFilter[]; unread: { part: string; said: string; parts: number }[] } {
  const filters: GroupFilter[] = [];
  const unread: { part: string; said: string; parts: number }[] = [];
  for (const text of asking(page)) {
    const at = CLAUSE.exec(text);
    if (at === null) continue;
    // "... with Admin Up and Link No count."
    const told = text.slice(at.index).replace(/(?<=\S) (?:counts?|matters?|qualif(?:y|ies))\W*$/i, "");
    const parts = told.split(/,\s+|\s+(?:and|but)\s+/);
    const wants = WANTS.test(text) && !/\bor\b/.test(text);
    const read = parts.map(
      (part, index) =>
        amountIn(part, columns) ??
        (wants ? givenIn(index === 0 ? part : withVerb(part, parts[0] ?? ""), columns) : undefined) ??
        shortIn(part, columns) ??
        absenceIn(part, columns) ??
        stateIn(part, columns),
    );
    if (read.every((one) => one === undefined)) continue;
    read.forEach((filter, index) => {
      // "..., and the crew of each": a part of the records, no condition.
      if (filter === undefined && index > 0 && NOUN_ALONE.test(parts[index] ?? "")) return;
      if (filter === undefined) unread.push({ part: parts[index] ?? "", said: text, parts: parts.length });
      else if (!filters.some((one) => one.group === filter.group)) filters.push(filter);
    });
  }
  return { filters, unread };
}

/** Sentences that say which rows are wanted, not what the report has. */
const WANTS = /\b(?:extract|take|find|collect|pick|only|wanted|we (?:need|want)|of interest)\b/i;

/** "That have a reset, | but no enable": the verb of the first clause goes on. */
function withVerb(part: string, first: string): string {
  const verb = /\b(?:have|has|with|carry|carries|show|shows)\b/i.exec(first)?.[0];
  return verb !== undefined && /^(?:an?|any|no) /i.test(part) ? `${verb} ${part}` : part;
}

/** "With a reset signal", "have no enable signal": the column that has all these words is filled, or blank. */
function givenIn(part: string, columns: readonly ConditionColumn[]): GroupFilter | undefined {
  const { no, lacks, noun = "" } = GIVEN.exec(part)?.groups ?? {};
  const words = wordsOf(noun).map(stem);
  if (words.length === 0) return undefined;
  const named = columns.filter(
    ({ names, texts }) =>
      texts.includes("") &&
      !texts.some((text) => /^(?:yes|no|none|true|false|n\/a)$/i.test(text)) &&
      texts.some((text) => text !== "") &&
      names.some((name) => {
        const own = wordsOf(name).map(stem);
        return words.every((word) => own.includes(word));
      }),
  );
  const [column] = named;
  if (named.length !== 1 || column === undefined) return undefined;
  const isBlank = no !== undefined || lacks !== undefined;
  return { group: column.group, equals: ["", "-", "--"], ...(isBlank ? {} : { negate: true }) };
}

const GIVEN =
  /\b(?:(?<lacks>without)|have|has|with|carry|carries|show|shows) (?:both )?(?:(?<no>no)|an?|any|either an?)(?: such)? (?<noun>[a-z][\w/-]*(?: (?!is\b|are\b|was\b|were\b|in\b|of\b|on\b|at\b)[a-z][\w/-]*){0,3})/i;

const NOUN_ALONE =
  /^(?:and )?(?:the|its|their) (?!.*\b(?:is|are|was|were|has|have|had|do|does|not|no|without|with|whose|that|which|only)\b)[\w ,-]+[.]?$/i;

/** "Take every row of that table": what other sentences say of the rows by the way restricts none. */
const EVERY_ROW =
  /\b(?:take|extract|report|collect|read|want|need) (?:every|all|each)(?: of the| the)? (?:single )?(?:rows?|lines?|entr(?:y|ies)) (?:of|in|from) (?:that|this|the) (?:table|list|report)\b(?! (?:that|which|whose|with|where|of)\b)/i;

/** The sentences of section 1 that ask for rows, without those about the value and the fields. */
function asking(page: Page): string[] {
  if (EVERY_ROW.test(page.prose) && !/\bonly\b/i.test(page.prose)) return [];
  return page.statements.flatMap(({ sentences }, number) =>
    sentences.flatMap(({ text }, index) => {
      const plain = bare(text);
      if (/^(?:the |its )?(?:value|fields?|columns?|line(?: number)?)\b/i.test(plain)) return [];
      const isFirst = number === 0 && index === 0;
      return (isFirst || ASKS.test(plain)) && !/\bnot (?:wanted|items?|needed)\b/i.test(plain) ? [plain] : [];
    }),
  );
}

const SOME =
  /\bat least one\b|\b(?:any|some)\b|\bmore than (?:0|zero)\b|\bnot (?:0|zero)\b|\bnon-?zero\b|\b(?:above|over) (?:0|zero)\b/i;

/** "of which at least one packet was accepted": the counter that the clause names is not 0. */
function amountIn(part: string, columns: readonly ConditionColumn[]): GroupFilter | undefined {
  if (!SOME.test(part)) return undefined;
  const numeric = columns.filter(({ texts }) => texts.length > 0 && texts.every((text) => NUMBER.test(text)));
  const named = numeric.filter((column) => isNamedIn(part, column));
  const [column] = named;
  if (named.length !== 1 || column === undefined) return undefined;
  const zeros = [...new Set(column.texts.filter((text) => /^0+(?:\.0+)?%?$/.test(text)))];
  if (zeros.length === 0) return undefined;
  return { group: column.group, equals: zeros, negate: true };
}

const NUMBER = /^\d[\d,]*(?:\.\d+)?[%kKMG]?$/;

/** "have no link", "without a lease": the column says no, or nothing. */
function absenceIn(part: string, columns: readonly ConditionColumn[]): GroupFilter | undefined {
  const noun = /\b(?:no|without(?: an?| any)?)\s+([a-z][\w-]*)/i.exec(part)?.[1];
  if (noun === undefined) return undefined;
  const named = columns.filter((column) => isNamedIn(noun, column));
  const [column] = named;
  if (named.length !== 1 || column === undefined) return undefined;
  const texts = [...new Set(column.texts)];
  const absent = texts.filter((text) => /^(?:no|none|n|off|false|-+|n\/a)$/i.test(text));
  return absent.length === 0 || absent.length === texts.length
    ? undefined
    : { group: column.group, equals: absent };
}

/** "With the link No": a short text right behind the name of its column, in letters as the cells have it. */
function shortIn(part: string, columns: readonly ConditionColumn[]): GroupFilter | undefined {
  const [, before = "", text = ""] = /^(.*\b[A-Za-z][\w-]*) ([A-Z][A-Za-z]{0,2})\W*$/.exec(part) ?? [];
  const last = wordsOf(before).slice(-2);
  const having = columns.filter(
    ({ names, texts }) =>
      texts.includes(text) &&
      texts.some((one) => one !== text) &&
      names.some((name) => wordsOf(name).some((word) => last.includes(word))),
  );
  // "The admin state Up" is not the port state.
  const whole = having.filter(({ names }) =>
    names.some((name) => wordsOf(name).length === 2 && wordsOf(name).every((word) => last.includes(word))),
  );
  const [column, other] = whole.length === 1 ? whole : having;
  return column === undefined || other !== undefined ? undefined : { group: column.group, equals: [text] };
}

/** "are administratively up": a text of a column of few texts, and the column is the only one or is named. */
function stateIn(part: string, columns: readonly ConditionColumn[]): GroupFilter | undefined {
  if (/\b(?:not|never|no|other|else|than|except|but|unless|without|neither|nor|anything)\b/i.test(part))
    return undefined;
  const words = part.toLowerCase().split(/[^\w-]+/);
  const stems = new Set(words.map(stem));
  const found = columns.flatMap((column) => {
    const texts = [...new Set(column.texts)].filter((text) => text !== "");
    if (texts.length < 2 || texts.length > 8 || texts.some((text) => NUMBER.test(text))) return [];
    const isShown = (text: string): boolean => column.shown?.includes(text) === true;
    const said = texts.filter(
      (text) =>
        /^[A-Za-z][\w-]+$/.test(text) &&
        !COMMON.test(text) &&
        (words.includes(text.toLowerCase()) || (isShown(text) && stems.has(stem(text.toLowerCase())))),
    );
    const isEither = said.length > 1 && said.length < texts.length && /\bor\b/i.test(part);
    return said.length === 1 || isEither ? [{ column, equals: said, named: isNamedIn(part, column) }] : [];
  });
  const named = found.filter((one) => one.named);
  const [only] = named.length > 0 ? named : found;
  if (only === undefined || (named.length > 0 ? named : found).length > 1) return undefined;
  return { group: only.column.group, equals: only.equals };
}

/** Texts of cells that are plain words of every page. */
const COMMON = /^(?:the|of|in|on|to|is|are|and|or|not|no|yes|all|with|that|which|one|any|for)$/i;

/** Does a clause name a column, by a word of its heading or an abbreviation of one? */
function isNamedIn(part: string, column: ConditionColumn): boolean {
  const said = wordsOf(part);
  return column.names
    .flatMap(wordsOf)
    .filter((word) => word.length > 2 && !GENERIC.has(word))
    .some((word) =>
      said.some((one) => stem(one) === stem(word) || (word.length >= 4 && one.startsWith(word))),
    );
}

const GENERIC = new Set("name type value number count total the and for".split(" "));
