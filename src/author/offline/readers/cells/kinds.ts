// Rows of several kinds with as many cells each: which of them are wanted is told by a cell that is no part, whose word in the page's
// example the page speaks of ("doors that were forced" and `FORCED`), or by the only such cell where others are not wanted.

import { stem, wordsOf } from "../../page/names.ts";
import type { Page } from "../../page/page.ts";
import { bare, NEGATIVE } from "../../page/text.ts";
import type { GroupFilter } from "../../program/ir.ts";
import type { Cell } from "./cut.ts";

const ASKS = /\b(?:only|extract|find|collect|wanted|we (?:want|need))\b/i;
const OTHERS = /\b(?:other|another|different) [a-z]/i;
const MOST_KINDS = 8;

/** Filters on cells that are no part. */
export function kindFilters(
  cells: readonly Cell[],
  columns: readonly (readonly string[])[],
  places: readonly number[],
  groups: readonly string[],
  page: Page,
): GroupFilter[] {
  const stems = askedStems(page);
  const free = cells.flatMap((cell, at) => (places.includes(at) ? [] : [{ text: cell.text, at }]));
  const told = free.flatMap(({ text, at }): GroupFilter[] => {
    const word = (text.match(/[A-Za-z]{3,}/g) ?? []).find((one) => stems.has(stem(one.toLowerCase())));
    const group = groups[at];
    if (word === undefined || group === undefined) return [];
    const has = new RegExp(`(?<![A-Za-z])${word}(?![A-Za-z])`);
    const having = (columns[at] ?? []).filter((one) => has.test(one)).length;
    if (having === 0 || having === columns[at]?.length) return [];
    return [
      word === text ? { group, equals: [text] } : { group, equals: [word], match: "contains" as const },
    ];
  });
  if (told.length > 0 || !speaksOfOthers(page)) return told;
  const kinds = free.filter(({ text, at }) => {
    const texts = new Set(columns[at] ?? []);
    const plain = [...texts].every((one) => /^[A-Za-z][A-Za-z_-]*$/.test(one));
    return plain && texts.size > 1 && texts.size <= MOST_KINDS && texts.has(text);
  });
  const [only] = kinds;
  const group = groups[only?.at ?? -1];
  return kinds.length === 1 && only !== undefined && group !== undefined
    ? [{ group, equals: [only.text] }]
    : [];
}

/** Stems of the first sentence and of those that ask for records; "log-in" as one word, too. */
function askedStems(page: Page): ReadonlySet<string> {
  const texts = page.statements.flatMap(({ depth, sentences }) =>
    sentences.flatMap(({ text }, index) => {
      const plain = bare(text);
      return (depth === 0 && index === 0) || (ASKS.test(plain) && !NEGATIVE.test(plain)) ? [plain] : [];
    }),
  );
  const words = texts.flatMap((text) => [
    ...wordsOf(text),
    ...wordsOf(text.replace(/(?<=[A-Za-z])-(?=[a-z])/g, "")),
  ]);
  return new Set(words.map((word) => stem(word)));
}

/** "Other actions are not wanted". */
function speaksOfOthers(page: Page): boolean {
  return page.statements.some(({ sentences }) =>
    sentences.some(({ text }) => NEGATIVE.test(bare(text)) && OTHERS.test(bare(text))),
  );
}
