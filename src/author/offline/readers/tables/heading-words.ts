// "Only the lists with `T` in the heading": of tables whose titles are built alike, those that have a text more.

import { escapeRegex } from "../../escape.ts";
import type { Page } from "../../page/page.ts";
import { bare, NEGATIVE, quotedIn } from "../../page/text.ts";
import type { TableRule } from "../../program/ir.ts";

interface Told {
  text: string;
  /** Tables whose title has the text are wanted; else those without it. */
  having: boolean;
}

/** What the page says of a list in front of it, where the list is wanted: no part of a record. */
const ABOUT_PARTS = /^\s*(?:the |its )?(?:value|fields?|columns?|line(?: number)?)\b/i;
const SHOWN = /(?:\b(?:as|like|e\.g\.|for example|such as|for instance),?|:|=|\()\s*$/i;
const LACKS =
  /\b(?:without|lack(?:s|ing)?|(?:has|have|with) no|not)(?: (?:mention|contain|have|carry|say|show|name|end (?:in|with)|saying|said to have))? (?:an? |the |any )?(?:[\w-]+ )?$/i;

/** Does a text stand in some of the titles, and not in all? */
function tells(text: string, titles: readonly string[]): boolean {
  const having = titles.filter((title) => title.includes(text)).length;
  return text.length > 3 && having > 0 && having < titles.length;
}

/** The text that tells wanted titles from the others: one that the page quotes, else a word of what it wants or not. */
function toldIn(page: Page, titles: readonly string[]): Told | undefined {
  const all = [...page.statements, ...page.sourceStatements].flatMap(({ sentences }) => sentences);
  for (const { text } of all) {
    if (ABOUT_PARTS.test(bare(text))) continue;
    for (const span of quotedIn(text)) {
      const before = text.slice(0, span.start);
      const own = span.text.trim().replace(/\s*(?:\.{3}|…)$/, "");
      if (SHOWN.test(before) || !tells(own, titles)) continue;
      return { text: own, having: NEGATIVE.test(bare(text)) === LACKS.test(before) };
    }
  }
  // A plain word tells titles only where they are titles of one kind.
  const firsts = new Set(titles.map((title) => /^\W*(\w+)/.exec(title)?.[1]));
  for (const { phrase, wanted } of firsts.size === 1 ? page.claims : []) {
    if (!/\b(?:lists?|tables?|blocks?|sections?|parts?|titles?|headings?|headlines?)\b/i.test(phrase))
      continue;
    for (const word of phrase.match(/[a-z]{5,}/g) ?? []) {
      if (!tells(word, titles)) continue;
      const before = phrase.slice(0, phrase.indexOf(word));
      return { text: word, having: wanted !== LACKS.test(before) };
    }
  }
  return undefined;
}

/** The scope of such tables, from the titles above all of them. */
export function headingWords(
  page: Page,
  titles: readonly (string | undefined)[],
): NonNullable<TableRule["sections"]> | undefined {
  if (titles.length < 2 || titles.includes(undefined)) return undefined;
  const known = titles.filter((title) => title !== undefined).map((title) => title.trim());
  const told = toldIn(page, known);
  if (told === undefined) return undefined;
  const meant = known.filter((title) => title.includes(told.text) === told.having);
  const [example] = meant;
  if (example === undefined) return undefined;
  const alike = builtAlike(known, told.text);
  // Where titles of another kind, or none, stand above what is wanted, they cannot all be listed.
  if (alike === undefined && !told.having) return undefined;
  const { heading, titleOf } = alike ?? exactly(known);
  return { heading, wanted: [...new Set(meant.map(titleOf))], example };
}

interface Heading {
  heading: string;
  /** What the expression takes for the title of a line. */
  titleOf: (line: string) => string;
}

/** Titles of the same words, and some with the text behind them. */
function builtAlike(titles: readonly string[], text: string): Heading | undefined {
  const fronts = titles.map(
    (title) =>
      title
        .split(text)[0]
        ?.replace(/[:.\s]+$/, "")
        .split(/\s+/) ?? [],
  );
  const [first] = fronts;
  if (first === undefined || fronts.some((front) => front.length !== first.length)) return undefined;
  // Words that all titles share stay; what differs is one word.
  const words = first.map((word, index) =>
    fronts.every((front) => front[index] === word) && !/\d/.test(word) ? escapeRegex(word) : "[^\\s:]+",
  );
  if (!words.some((word) => /[A-Za-z]{3}/.test(word))) return undefined;
  const heading = `^\\s*${words.join("\\s+")}\\s*(?<title>.*?)\\s*[:.]?\\s*$`;
  const regex = new RegExp(heading);
  const titleOf = (line: string): string => regex.exec(line)?.groups?.["title"] ?? "";
  return titles.every((title) => (titleOf(title) === text) === title.includes(text))
    ? { heading, titleOf }
    : undefined;
}

/** The titles that were seen, as they are. */
function exactly(titles: readonly string[]): Heading {
  const all = [...new Set(titles)];
  return { heading: `^\\s*(?<title>${all.map(escapeRegex).join("|")})\\s*$`, titleOf: (line) => line.trim() };
}
