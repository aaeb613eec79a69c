// "A query or zone transfer was denied": the page names another text for a fixed word of the expression, and lines with that
// one in its place have everything else.

import { escapeRegex } from "../../escape.ts";
import { stem, wordsOf } from "../../page/names.ts";
import type { Page } from "../../page/page.ts";
import { bare, NEGATIVE } from "../../page/text.ts";
import type { Unit } from "../units.ts";

/** Words of the other text at most. */
const WORDS = 3;
/** Shorter words stand in any sentence. */
const SHORT = 4;

/** The expression with one word that may be the other one too. */
export function swapped(units: readonly Unit[], page: Page): { what: string; by: Unit[] }[] {
  const choices = choicesOf(page);
  return units.flatMap((unit, at) => {
    if (unit.kind !== "literal" || unit.text.length < SHORT || !/^\p{L}+$/u.test(unit.text)) return [];
    const own = stem(unit.text.toLowerCase());
    return choices.flatMap(([one, other]) => {
      const names = [
        ...(stem(one.at(-1) ?? "") === own ? beginnings(other) : []),
        ...(stem(other[0] ?? "") === own ? endings(one) : []),
      ].filter((words) => words.some((word) => word.length >= SHORT));
      if (names.length === 0) return [];
      const texts = names.map((words) => words.map(anyNumber).join("\\s+"));
      const raw = `(?:${unit.raw}|${texts.join("|")})\\b`;
      return [
        {
          what: "a word for which the page names another",
          by: units.with(at, { kind: "other", text: raw, raw }),
        },
      ];
    });
  });
}

/** The words in front of "or" or "and" and those behind it, in what the page wants. */
function choicesOf(page: Page): [string[], string[]][] {
  const sentences = page.statements.filter(({ depth }) => depth === 0).flatMap((one) => one.sentences);
  return sentences.flatMap(({ text }) => {
    const plain = bare(text);
    if (NEGATIVE.test(plain)) return [];
    return [...plain.matchAll(/([\p{L} -]+?),? (?:or|and) (?=([\p{L} -]+))/giu)].map(
      ([, one = "", other = ""]): [string[], string[]] => [wordsOf(one), wordsOf(other)],
    );
  });
}

function beginnings(words: readonly string[]): string[][] {
  return Array.from({ length: Math.min(WORDS, words.length) }, (_, index) =>
    words.slice(0, index + 1),
  ).reverse();
}

function endings(words: readonly string[]): string[][] {
  return Array.from({ length: Math.min(WORDS, words.length) }, (_, index) =>
    words.slice(-index - 1),
  ).reverse();
}

/** The word as it is written in a sentence, or one of many. */
function anyNumber(word: string): string {
  return word.endsWith("s") && word.length > SHORT
    ? `${escapeRegex(word.slice(0, -1))}s?`
    : escapeRegex(word);
}
