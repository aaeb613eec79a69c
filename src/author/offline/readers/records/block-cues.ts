// What the sentences around a block say of the places of its parts: columns of a heading row inside it ("of the column total
// `count` and `time`"), a part on a line of its own, what stands on the line below ("its pin below"). And what the form of a
// line says: a title is taken whole, the key of another part is no part.

import { likeness, similarity, stem, wordsOf } from "../../page/names.ts";
import type { Hint, Page } from "../../page/page.ts";
import type { Span } from "../../parts/spans.ts";

/** How much these sentences speak for a part of a line. */
export type BlockCue = (hint: Hint, at: number, span: Span) => number;

export function blockCues(
  page: Page,
  hints: readonly Hint[],
  lines: readonly string[],
  fixed: ReadonlySet<number>,
): BlockCue {
  const columns = columnsOf(page, hints, lines);
  const below = belowHeadings(hints, lines, fixed);
  const own = ownLines(page, hints, lines);
  return (hint, at, span) => {
    const line = lines[at] ?? "";
    const column = columns.get(hint);
    const place = own.get(hint);
    return (
      (column === undefined ? 0 : inColumn(column, lines, at, span) + rowScore(line, hint)) +
      (place === undefined ? 0 : place.has(at) ? 2.5 : -2.5) +
      (below?.hints.has(hint) !== true ? 0 : below.at === at ? 2.5 : -2.5) +
      titleScore(line, span) +
      keyScore(line, span, hint, hints) +
      shownScore(line, span, hint) +
      wordScore(line, span, hint) +
      plainScore(line, span, hint)
    );
  };
}

/** The row right below heading rows, and the parts that these name. */
function belowHeadings(
  hints: readonly Hint[],
  lines: readonly string[],
  fixed: ReadonlySet<number>,
): { at: number; hints: Set<Hint> } | undefined {
  const isRow = (at: number): boolean => fixed.has(at) && /\S(?:\t|\s{2,})\S/.test((lines[at] ?? "").trim());
  const at = lines.findIndex((_, index) => isRow(index - 1) && !fixed.has(index));
  if (at < 0) return undefined;
  const said = new Set<string>();
  for (let head = at - 1; isRow(head); head -= 1)
    for (const word of wordsOf(lines[head] ?? "")) said.add(stem(word));
  const named = hints.filter(({ name }) => {
    const words = wordsOf(name.replace(/_/g, " "));
    return words.length > 0 && words.every((word) => said.has(stem(word)));
  });
  return { at, hints: new Set(named) };
}

const OF_COLUMN =
  /\b(?:of|from|in|under|out of) (?:the )?(?:columns? [`"]?([A-Za-z%][\w%.-]*)[`"]?|[`"]?([A-Za-z%][\w%.-]*)[`"]? column)(?:[,:]| the(?: fields)?)? ((?:`[\w-]+`(?:,? and |, |\s*)?)+)/gi;
const COLUMN =
  /\bcolumns? [`"]?([A-Za-z%][\w%.-]*)[`"]?|(?:^|[\s(])[`"]?([A-Za-z%][\w%.-]*)[`"]? columns?\b/i;

/** The name of the column that the page gives for a part. */
function columnsOf(page: Page, hints: readonly Hint[], lines: readonly string[]): Map<Hint, string> {
  const found = new Map<Hint, string>();
  const isHeading = (name: string): boolean => lines.some((line) => headingAt(line, name) !== undefined);
  for (const { text } of page.statements) {
    for (const [, first, second, names = ""] of text.matchAll(OF_COLUMN)) {
      const column = first ?? second ?? "";
      for (const hint of hints)
        if (names.includes(`\`${hint.name}\``) && isHeading(column)) found.set(hint, column);
    }
  }
  for (const hint of hints) {
    const told = COLUMN.exec(hint.description);
    const column = told?.[1] ?? told?.[2] ?? "";
    if (!found.has(hint) && column !== "" && isHeading(column)) found.set(hint, column);
  }
  return found;
}

/** Where a heading row has the name: a line of words alone. */
function headingAt(line: string, name: string): Span | undefined {
  const words = [...line.matchAll(/\S+/g)];
  const isWords = words.filter(([word]) => /^[A-Za-z#%/()-][\w%#/().-]*$/.test(word)).length;
  if (words.length < 3 || isWords < words.length * 0.6 || words.some(([word]) => /^[-+]?\d+$/.test(word)))
    return undefined;
  const match = words.find(([word]) => word.toLowerCase() === name.toLowerCase());
  return match === undefined ? undefined : { start: match.index, end: match.index + match[0].length };
}

/** Does a part stand below the name of its column? */
function inColumn(column: string, lines: readonly string[], at: number, { start, end }: Span): number {
  for (let head = at - 1; head >= 0; head -= 1) {
    const name = headingAt(lines[head] ?? "", column);
    if (name === undefined) continue;
    const line = lines[at] ?? "";
    const under = [...line.matchAll(/\S+/g)].filter(
      (word) => word.index < name.end && word.index + word[0].length > name.start,
    );
    const word = under.at(-1);
    if (word === undefined) return 0;
    return start === word.index && end === word.index + word[0].length ? 12 : -4;
  }
  return 0;
}

/** The row of a table inside a block begins with its name. */
function rowScore(line: string, hint: Hint): number {
  const name = /^[^\p{L}\p{N}]*([A-Za-z][\w-]*(?: [A-Za-z][\w-]*)*)/u.exec(line)?.[1];
  return name === undefined ? 0 : 6 * likeness(hint, name);
}

const ALONE =
  /\b(?:an?|the|each|every|one) ([a-z]+(?: [a-z]+)?) (?:stands|is|comes|is printed|has|gets|takes) (?:on |in )?an? (?:own line|lines? (?:of its own|by itself|alone|for itself))/i;
const BELOW =
  /\b(?:its|the) ([a-z]+(?: [a-z]+)?)(?: is| stands| follows| comes)? (?:on (?:the )?(?:next|following) line|below(?: it)?|underneath|beneath|in the line below)\b/i;

/** The lines on which such a sentence places a part. */
function ownLines(page: Page, hints: readonly Hint[], lines: readonly string[]): Map<Hint, Set<number>> {
  const found = new Map<Hint, Set<number>>();
  const words = lines.map((line) => line.trim().split(/\s+/).length);
  const meant = (name: string): Hint | undefined =>
    hints.find((hint) => similarity(hint.name, name) >= 0.7 || isNoun(hint, name));
  for (const { text, blocks } of page.statements) {
    if (blocks.every((one) => one.length < 2)) continue;
    const alone = meant(ALONE.exec(text)?.[1] ?? "");
    const single = new Set(words.flatMap((count, at) => (count === 1 ? [at] : [])));
    if (alone === undefined || single.size === 0 || single.size === lines.length) continue;
    found.set(alone, single);
    const below = meant(BELOW.exec(text)?.[1] ?? "");
    const first = Math.min(...single);
    if (below !== undefined && below !== alone) found.set(below, new Set([first + 1]));
  }
  return found;
}

/** "the driving pin" is `driver` (the pin). */
function isNoun(hint: Hint, name: string): boolean {
  const last = wordsOf(name).at(-1);
  const own = /^\W*(?:the |its |an? )?([a-z]+)\W*$/i.exec(hint.description)?.[1];
  return last !== undefined && own !== undefined && stem(own.toLowerCase()) === stem(last);
}

/** "Disk Copy Helper:" is a title, and a word of it is no part. */
function titleScore(line: string, { start, end }: Span): number {
  if (!/^\s*[\p{L}\p{N}][^:=|]*:\s*$/u.test(line) || !/\S\s+\S/.test(line.trim())) return 0;
  const lead = line.slice(0, start);
  return /^:\s*$/.test(line.slice(end)) && /\S/.test(lead) && /^[\s\p{L}\p{N}._-]*$/u.test(lead) ? -1.5 : 0;
}

const FUNCTION_WORD = /^(?:at|on|in|of|for|to|by|from|with|the|an?|is|was|are|has|and|or|as|its|that)$/;
const UNIT_TOO = /\bwith (?:the |its |their |a )?units?\b/i;
/** "(name without id)" */
const NO_REMARK =
  /\bwithout (?:the |its |any |a )?(?:trailing |numeric |numerical )?(?:ids?|codes?|numbers?|remarks?|marks?)\b/i;

const WHOLE_LINE = /\b(?:whole|entire|full|complete) (?:heading|headline|title|header)\b/i;

/** Numbers with a sign in front and a unit glued to them. */
export function signedParts(line: string): Span[] {
  return [...line.matchAll(/(?<![\w.])[-+]\d[\d.]*[A-Za-z%]{1,4}(?!\w)/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Words of grammar are no data; a number with its unit; a name without the code in brackets behind it. */
function wordScore(
  line: string,
  { start, end }: Span,
  { name, literals, choices, description, kind }: Hint,
): number {
  const text = line.slice(start, end);
  const rest = line.slice(end);
  const isBare = /^[-+]?\d[\d.,]*$/.test(text);
  const first = /^\S+/.exec(text)?.[0] ?? "";
  if (FUNCTION_WORD.test(first) && kind !== "text" && !literals.includes(text) && !choices.includes(text))
    return -5;
  if (WHOLE_LINE.test(description)) return text === line.trim() ? 6 : -3;
  if (/\bwithout (?:the |its |their )?units?\b/i.test(description) && /^[-+]?\d[\d.]*[A-Za-z%]+$/.test(text))
    return -5;
  if (/^\d/.test(text) && /(?:^|\s)[-+]$/.test(line.slice(0, start))) return -4;
  // "-0.138ns": a unit that is glued to its number belongs to it.
  const isCut = isBare && /^[A-Za-z%]{1,4}(?!\w)/.test(rest);
  if (isCut && !literals.includes(text) && !/\b(?:number|digits?|figure|without|only)\b/i.test(description))
    return -4;
  // "contains 12 devices": the number in front of what is counted.
  const next = /^ ([A-Za-z]+)/.exec(rest)?.[1];
  const counts = /s$/.test(name) && next !== undefined && stem(next.toLowerCase()) === stem(name);
  if (isBare && counts && !/^(?:text|path|address|time)$/.test(kind ?? "")) return 6;
  // "Gate7 is shut": the rest is said of it.
  if (kind !== "text" && /^\S+ (?:is|are|was|were|has|had) \S/.test(text) && !literals.includes(text))
    return -2;
  // An address of the memory.
  if (kind === "address" && /^0x[\da-f]+$/i.test(text)) return 4;
  if (UNIT_TOO.test(description) && isBare && /^\s?[A-Za-z%]{1,5}(?=\s|$)/.test(rest)) return -6;
  if (!NO_REMARK.test(description)) return 0;
  if (/^\s+[[(][^[\]()]*[\])]\s*$/.test(rest)) return 4;
  return /\S\s+[[(][^[\]()]*[\])]$/.test(text) ? -4 : 0;
}

const COUNTS = /^(?:count|number|total|amount|size|n|how_many)|_(?:count|number|total)$|s$/;

/** "The following 4 cells": how many there are is no name of one. "Level: high; since 2023": the next remark. */
function plainScore(line: string, { start, end }: Span, hint: Hint): number {
  const text = line.slice(start, end);
  // "the end point (To)" gives the key.
  if (FUNCTION_WORD.test(text.toLowerCase()) && /^\s*:\s*\S/.test(line.slice(end))) return -12;
  if (hint.literals.includes(text)) return 0;
  if (hint.kind !== "text" && /^\S+; \S/.test(text)) return -3;
  // "for module MUX2. Using library", "benchmark copy:": a mark that ends the sentence or the title.
  if (/^[^\s.]*\w\.$/.test(text) && /^\s+[A-Z]|^\s*$/.test(line.slice(end))) return -1.5;
  if (/^\S*\w:$/.test(text) && line.slice(end).trim() === "") return -4;
  const isPlural = /^ [a-z]{3,}s(?![A-Za-z])/.test(line.slice(end)) && hint.kind !== "number";
  const isCount = COUNTS.test(hint.name) || /\b(?:number|count|how many)\b/i.test(hint.description);
  return /^[-+]?\d[\d.,]*$/.test(text) && isPlural && !isCount ? -3 : 0;
}

/** A piece of the text that the page shows for the part, where the line has all of it. */
function shownScore(line: string, { start, end }: Span, { literals, description }: Hint): number {
  const text = line.slice(start, end);
  const whole = literals.find(
    (one) => one.length > text.length && one.includes(text) && description.includes(`(${one})`),
  );
  return whole !== undefined && line.includes(whole) ? -3 : 0;
}

/** "95 instances: 12": a part neither is the key of another one nor ends in one. */
function keyScore(line: string, { start, end }: Span, hint: Hint, hints: readonly Hint[]): number {
  const text = line.slice(start, end);
  const rest = line.slice(end);
  if (start === line.search(/\S/) && !/\s/.test(text)) return 0;
  // "clock(s) clk_100": the name itself.
  const isOwn = text.toLowerCase() === hint.name.toLowerCase() && /^(?:\([a-z]{1,2}\))?\s+\S/.test(rest);
  if (isOwn && !hint.literals.includes(text)) return -1.5;
  if (/\S\s+[A-Za-z][\w-]*\s*[:=]$/.test(text)) return -6;
  if (!/^\s*[:=]\s+\S/.test(rest) || hint.literals.includes(text)) return 0;
  const before = /(?:^|\s)$/.test(line.slice(0, start));
  const isName = hints.some((one) => one !== hint && likeness(one, text) >= 0.7);
  // One of several keys of the line.
  const isKey = /(?:\s{2}|\t)$/.test(line.slice(0, start)) && /^[A-Z]/.test(text);
  if (before && (isName || isKey) && /^[A-Za-z][\w-]*$/.test(text) && start > line.search(/\S/)) return -1.5;
  return /[\d_/]\S*\s+[A-Za-z][\w-]*$/.test(text) ? -4 : 0;
}
