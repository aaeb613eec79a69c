// Which line of a block the page counts its records by, from what it says about the lines of records.

import { escapeRegex } from "../../escape.ts";
import { similarity, stem, wordsOf } from "../../page/names.ts";
import type { Page } from "../../page/page.ts";
import { type RecordLine, recordLines } from "../../page/record-line.ts";
import { labelOf } from "../families.ts";
import type { Put } from "./distribute.ts";
import { isRowNoun, rowNouns } from "./row-nouns.ts";
import type { Shown } from "./shown.ts";

/** The line of the block, or that the page names a line and the block has none that is surely meant. */
export interface Numbered {
  line?: number;
  unread?: string;
  /** The page only names the record ("that of the finding"). */
  weak?: true;
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth"];
const PLAIN = new Set(["line", "number", "the", "with", "that", "and", "its", "where", "stands"].map(stem));

/** The line of the block that the page numbers records by. `value` is the line of the value, -1 where it has none. */
export function numberedBy(page: Page, block: Shown, puts: readonly Put[], value: number): Numbered {
  let unread: string | undefined;
  let weak = false;
  const nouns = rowNouns(page);
  for (const one of recordLines([...page.statements, ...page.sourceStatements])) {
    const isRow = nouns.size > 0 && block.lines.length > 1 && isRowNoun(one.told, nouns);
    const line = isRow ? rowOf(block, puts) : resolved(one, block, puts, value);
    if (line !== undefined && line >= 0 && line < block.lines.length) return { line };
    if (!one.weak) unread ??= one.told === "" ? (one.points?.[0] ?? "") : one.told;
    else if (one.told !== "") weak = true;
  }
  // "Every box is an item."
  if (/\b(?:every|each) (?:single )?[a-z]+ (?:is|makes) (?:an? )?(?:item|record)\b/i.test(page.prose))
    weak = true;
  return { ...(unread === undefined ? {} : { unread }), ...(weak ? { weak } : {}) };
}

/** The line below the first one that has most parts. */
function rowOf({ lines }: Shown, puts: readonly Put[]): number {
  const count = (at: number): number => puts.filter((put) => put.line === at).length;
  let best = lines.length - 1;
  for (let at = best; at > 0; at -= 1) if (count(at) > count(best)) best = at;
  return best;
}

function resolved(
  { told, points, ofValue, except }: RecordLine,
  block: Shown,
  puts: readonly Put[],
  value: number,
): number | undefined {
  const meant = (text: string): number | undefined => lineMeant(text, block, puts);
  // "this line", "the line with this number": that of the value, where the page speaks of it.
  const here = points !== undefined || /\b(?:this|that|its)\b/i.test(told);
  const order = ORDER.test(told) ? meant(told) : undefined;
  if (order !== undefined) return order;
  if (here && ofValue && value >= 0) return value;
  // "The name of the cell, one record per cell line".
  if (ofValue && value >= 0 && namesValue(told, puts, value)) return value;
  if (told !== "") {
    const line = meant(told);
    if (line !== undefined) return line;
    const other = except === undefined || block.lines.length !== 2 ? undefined : meant(except);
    if (other !== undefined) return 1 - other;
  }
  for (const text of points ?? []) {
    const line = meant(text);
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Do the words for the line name what the value is called or described as? */
function namesValue(told: string, puts: readonly Put[], value: number): boolean {
  const own = puts[0]?.line === value ? puts[0]?.hint : undefined;
  if (own === undefined || !/ line$/.test(told)) return false;
  const said = new Set(wordsOf(`${own.name} ${/^[^,.;(]*/.exec(own.description)?.[0] ?? ""}`).map(stem));
  const words = wordsOf(told)
    .map(stem)
    .filter((word) => !PLAIN.has(word));
  return words.length > 0 && words.every((word) => said.has(word));
}

const ORDER = /\b(first|second|third|fourth|fifth|last) (?:line|one|row|of)\b/i;

function lineMeant(told: string, block: Shown, puts: readonly Put[]): number | undefined {
  const { lines: shown, context } = block;
  const literal = /`([^`]+)`|"([^"]+)"/.exec(told);
  const quoted = (literal?.[1] ?? literal?.[2])?.trim();
  if (quoted !== undefined) {
    const first = shown.findIndex((line) => line.trim().startsWith(quoted));
    const literally = first >= 0 ? first : shown.findIndex((line) => line.includes(quoted));
    if (literally >= 0) return literally;
  }
  const order = ORDER.exec(told)?.[1]?.toLowerCase();
  if (order !== undefined) return order === "last" ? shown.length - 1 : context + ORDINALS.indexOf(order);
  if (/\b(?:mark\w*|flag\w*)\b/i.test(told)) {
    const marked = shown.findIndex((line) => /\(\*?[A-Z]{3,}\*?\)|\b[A-Z]{4,}\s*$/.test(line));
    if (marked >= 0) return marked;
  }
  // "The line that begins with Neighbor", "the Time line".
  const opening =
    /\b(?:begin|start|open)(?:s|ning|ing)? (?:with|in|by) (?:the (?:word|key|text) )?([A-Za-z][\w-]*)/.exec(
      told,
    )?.[1] ?? /^(?:the |its )?([A-Z][\w-]*) line$/.exec(told)?.[1];
  if (opening !== undefined) {
    const form = new RegExp(`^[^\\p{L}\\p{N}]*${escapeRegex(opening)}(?![\\w-])`, "u");
    const opened = shown.findIndex((line) => form.test(line));
    if (opened >= 0) return opened;
  }
  const named = namedLine(told, shown, puts);
  if (named !== undefined) return named;
  return /\b(?:first|start\w*|head\w*|title|top|opening|opens)\b/i.test(told) ? 0 : undefined;
}

/** The line whose parts or words the text names. */
function namedLine(told: string, shown: readonly string[], puts: readonly Put[]): number | undefined {
  const words = wordsOf(told)
    .filter((word) => word.length > 2)
    .map(stem)
    .filter((word) => !PLAIN.has(word));
  if (words.length === 0) return undefined;
  const phrase = told.replace(/\b(?:the|line|of|with|that|its|where|stands|number)\b/gi, " ").trim();
  const scores = shown.map((line, at) => {
    const own = puts.filter((put) => put.line === at);
    const known = new Set(
      [
        line,
        ...own.map(({ hint }) => `${hint.name} ${/^[^,.;(]*/.exec(hint.description)?.[0] ?? ""}`),
      ].flatMap((text) => wordsOf(text).map(stem)),
    );
    const shared = words.filter((word) => known.has(word)).length / words.length;
    const like = Math.max(
      0,
      similarity(phrase, labelOf(line) ?? ""),
      ...own.map(({ hint }) => similarity(hint.name, phrase)),
    );
    // A capital word that the page takes over from the line ("the INSTANCE line") says most.
    const exact = (told.match(/\b[A-Z][A-Z_]{2,}\b/g) ?? []).some((word) => line.includes(word));
    return shared + like + (exact ? 1 : 0);
  });
  const best = Math.max(...scores);
  return best >= 0.5 ? scores.indexOf(best) : undefined;
}
