// What a page asks of the rows of a table in words about its columns: "rows of another protocol" than the row that it shows,
// "ports with a load master", "rows with a plain number there".

import type { Claim } from "../page/claims.ts";
import type { Page } from "../page/page.ts";
import type { GroupFilter } from "../program/ir.ts";
import type { Binding, Seen } from "./bind.ts";
import { WHOLE } from "./hidden-columns.ts";
import { names, type Part, textOf } from "./parts.ts";
import { shownTexts } from "./shown-kinds.ts";

const NOUN = "(?<noun>[A-Za-z][\\w-]*(?: [a-z][\\w-]*)?)";
const OTHER = new RegExp(`\\b(?:another|a different|any other|other|different) ${NOUN}`, "i");
const HAVING = new RegExp(
  `\\b(?:with|that have|which have|having) (?:an? |any |some |the |its |their )${NOUN}(?=$|[,.;:()]| (?:and|or|but|is|are|at|in|on)\\b)`,
  "i",
);
const NUMBER_THERE =
  /\b(?:plain |bare |mere |simple |single )?numbers? (?:there|in (?:it|that column|this column|the last column))\b/i;

/** Bindings of a claim in plain words to the columns that it speaks of. */
export function bindColumns(claim: Claim, seen: Seen, page: Page): Binding[] {
  const bindings: Binding[] = [];
  const push = (part: Part, filter: Omit<GroupFilter, "group">, keeps: (text: string) => boolean): void => {
    const met = seen.records.every((record) => keeps(textOf(record, part)));
    bindings.push({ filters: [{ group: part.group, ...filter }], met });
  };
  const other = OTHER.exec(claim.phrase)?.groups?.["noun"];
  if (other !== undefined && !claim.wanted) {
    for (const part of namedBy(other, seen)) {
      const shown = [...new Set(shownTexts(part, seen))];
      if (shown.length === 0 || shown.includes("")) continue;
      push(part, { equals: shown }, (text) => shown.includes(text));
    }
    return bindings;
  }
  bindings.push(...remarks(claim, seen), ...yesAndNo(claim, seen), ...allTogether(claim, seen, page));
  const having = HAVING.exec(claim.phrase)?.groups?.["noun"];
  if (having !== undefined) {
    for (const part of namedBy(having, seen)) {
      const blank = seen.records.filter((record) => /^-*$/.test(textOf(record, part))).length;
      if (blank === 0 || blank === seen.records.length) continue;
      const negate = claim.wanted ? { negate: true } : {};
      push(part, { equals: ["", "-", "--"], ...negate }, (text) => /^-{0,2}$/.test(text) !== claim.wanted);
    }
  }
  if (NUMBER_THERE.test(claim.phrase)) {
    const part = columnBefore(claim, seen, page);
    const digits = (text: string): boolean => /^\d[\d.,]*$/.test(text);
    const some = part !== undefined && seen.records.some((record) => digits(textOf(record, part)));
    if (part !== undefined && some) {
      const mixed = seen.records.some((record) => {
        const text = textOf(record, part);
        return /\d/.test(text) && !digits(text);
      });
      const match = "letters" as const;
      const negate = claim.wanted ? { negate: true } : {};
      if (!mixed) push(part, { equals: [], match, ...negate }, (text) => digits(text) === claim.wanted);
    }
  }
  return bindings;
}

/** "Files that are not deleted", and some cells end in "(deleted)", which is no part of the record. */
function remarks(claim: Claim, { records }: Seen): Binding[] {
  const words = claim.phrase.toLowerCase().split(/[^\w-]+/);
  const cells = new Set(
    records.flatMap((record) => Object.keys(record.fields).filter((name) => name.startsWith(WHOLE))),
  );
  return [...cells].flatMap((name): Binding[] => {
    const texts = records.map((record) => record.fields[name] ?? "");
    const marked = new Set(texts.flatMap((text) => /[([]([A-Za-z][\w-]*)[)\]]$/.exec(text)?.[0] ?? []));
    const mark = [...marked].find((text) => words.includes(text.slice(1, -1).toLowerCase()));
    if (mark === undefined) return [];
    const not = /\b(?:not|never)\b/i.test(claim.phrase);
    const keeps = claim.wanted !== not;
    const filter = { group: name.slice(WHOLE.length), equals: [mark], match: "suffix" as const };
    return [
      {
        filters: [keeps ? filter : { ...filter, negate: true }],
        met: texts.every((text) => text.endsWith(mark) === keeps),
      },
    ];
  });
}

const YES = /^(?:yes|y|true|on)$/i;
const NO = /^(?:no|n|false|off|-+)$/i;

/** "Devices that are not busy", "only busy ones", and the column `busy` says yes or no. */
function yesAndNo(claim: Claim, seen: Seen): Binding[] {
  const words = claim.phrase.toLowerCase().match(/[a-z][a-z-]+/g) ?? [];
  return seen.parts.flatMap((part): Binding[] => {
    const texts = seen.records.map((record) => textOf(record, part));
    const kinds = new Set(texts);
    const [yes, no] = [
      [...kinds].filter((text) => YES.test(text)),
      [...kinds].filter((text) => NO.test(text)),
    ];
    if (kinds.size !== 2 || yes.length !== 1 || no.length !== 1) return [];
    if (!words.some((word) => word.length > 2 && names(part, word, texts) >= 0.6)) return [];
    const keeps = claim.wanted !== /\b(?:not|no|never|non|without)\b/i.test(claim.phrase);
    const filter = { group: part.group, equals: yes };
    return [{ filters: [keeps ? filter : { ...filter, negate: true }], met: false }];
  });
}

const EACH = /\b(?:single|individual|separate|particular|each of the|per-[a-z]+)\b/i;
const ALL = /\b(?:for|of|over) all\b|\ball [a-z ]*together\b|\baltogether\b|\boverall\b|\bin total\b/i;

/** "The rows of single processors are not wanted", and a column says `all` in some rows and a number in the others. */
function allTogether(claim: Claim, { records, parts }: Seen, page: Page): Binding[] {
  if (claim.wanted || !EACH.test(claim.phrase) || !ALL.test(page.prose)) return [];
  const having = parts.filter((part) => {
    const texts = records.map((record) => textOf(record, part));
    return texts.includes("all") && texts.some((text) => text !== "all");
  });
  const [part] = having;
  return part === undefined || having.length > 1
    ? []
    : [{ filters: [{ group: part.group, equals: ["all"] }], met: false }];
}

function namedBy(noun: string, { parts, records }: Seen): Part[] {
  const texts = (part: Part): string[] => records.map((record) => textOf(record, part));
  return parts
    .map((part) => ({ part, like: names(part, noun, texts(part)) }))
    .filter(({ like }) => like >= 0.6)
    .sort((a, b) => b.like - a.like)
    .map(({ part }) => part);
}

/** The column that the sentence before speaks of: the part that is said to be there, by its place or name. */
function columnBefore(claim: Claim, seen: Seen, page: Page): Part | undefined {
  const sentences = page.statements.flatMap((one) => one.sentences.map(({ text }) => text));
  const at = sentences.indexOf(claim.said);
  const place = /\b(first|last) column\b/i.exec(`${sentences[at - 1] ?? ""} ${claim.said}`)?.[0];
  if (place === undefined) return undefined;
  return seen.parts.find((part) => new RegExp(`\\b${place}\\b`, "i").test(part.hint.description));
}
