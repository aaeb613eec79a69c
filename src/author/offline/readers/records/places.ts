// Which lines of the log stand where a line of the block stands, told by the other lines of the block: the line that
// the indented ones below it hang on, the first line of their paragraph, the items of the list below a title.

import type { Scope } from "../../program/ir.ts";
import { flexible } from "./keyed-line.ts";
import type { Shown } from "./shown.ts";

const MAX_RECORD_LINES = 400;

/** How deep a line is. Numbers with decimals in front of it are aligned at their ends. */
function indentOf(line: string | undefined): number {
  const number = /^\s*(?:[-+]\d|\d+\.)[\d.]*(?=\s)/.exec(line ?? "")?.[0];
  return number === undefined ? (line ?? "").search(/\S/) : number.length;
}

/** Indices of the lines that the ones below line `at` of the block hang on; `found` has the lines of the log that are
 * like the other lines of the block. */
export function aboveDeeper(
  shown: Shown,
  at: number,
  found: ReadonlyMap<number, readonly number[]>,
  lines: readonly string[],
): number[] {
  const places = new Set<number>();
  const others = new Set([...found.values()].flat());
  for (const [other, hits] of found) {
    if (other <= at) continue;
    const levels = levelsUp(shown.lines, other, at);
    if (levels === undefined) continue;
    for (const hit of hits) {
      const place = climb(lines, hit, levels);
      if (place !== undefined && !others.has(place)) places.add(place);
    }
  }
  return [...places].sort((a, b) => a - b);
}

/** Indices of the lines that stand right above those like the next line of the block, or at the top of their paragraph. */
export function aboveNext(
  shown: Shown,
  at: number,
  found: ReadonlyMap<number, readonly number[]>,
  lines: readonly string[],
): number[] {
  const places = new Set<number>();
  const others = new Set([...found.values()].flat());
  const [next] = [...found].filter(([other]) => other > at).sort((a, b) => a[0] - b[0]);
  if (next === undefined) return [];
  const [other, hits] = next;
  const adjacent = !gapBetween(shown, at, other);
  for (const hit of hits) {
    const place = adjacent ? hit - (other - at) : paragraphTop(lines, hit);
    if (place >= 0 && place < hit && !others.has(place) && (lines[place] ?? "").trim() !== "")
      places.add(place);
  }
  return places.size >= hits.length * 0.8 ? [...places].sort((a, b) => a - b) : [];
}

/** Indices of the lines that stand as far below those like the line before as the block shows it. */
export function belowLast(
  shown: Shown,
  at: number,
  found: ReadonlyMap<number, readonly number[]>,
  lines: readonly string[],
): number[] {
  const last = [...found].filter(([other]) => other < at).sort((a, b) => b[0] - a[0])[0];
  if (last === undefined || gapBetween(shown, last[0], at)) return [];
  const distance = (shown.offsets[at] ?? 0) - (shown.offsets[last[0]] ?? 0);
  return last[1].map((hit) => hit + distance).filter((place) => (lines[place] ?? "").trim() !== "");
}

function gapBetween(shown: Shown, from: number, to: number): boolean {
  for (let at = from + 1; at <= to; at += 1) if (shown.gaps.has(at)) return true;
  return false;
}

/** How many times one has to go from a line to the one that it hangs on to come to `at`. */
function levelsUp(shown: readonly string[], from: number, at: number): number | undefined {
  let levels = 0;
  let now = from;
  while (now > at) {
    const above = parentOf(shown, now);
    if (above === undefined || above < at) return undefined;
    now = above;
    levels += 1;
  }
  return levels === 0 ? undefined : levels;
}

/** The nearest line above that is less deep. */
function parentOf(lines: readonly string[], at: number): number | undefined {
  const own = indentOf(lines[at]);
  for (let above = at - 1; above >= 0 && above >= at - MAX_RECORD_LINES; above -= 1) {
    const indent = indentOf(lines[above]);
    if (indent >= 0 && indent < own) return above;
  }
  return undefined;
}

function climb(lines: readonly string[], from: number, levels: number): number | undefined {
  let at: number | undefined = from;
  for (let level = 0; level < levels && at !== undefined; level += 1) at = parentOf(lines, at);
  return at;
}

function paragraphTop(lines: readonly string[], from: number): number {
  let at = from;
  while (at > 0 && at > from - MAX_RECORD_LINES && (lines[at - 1] ?? "").trim() !== "") at -= 1;
  return at;
}

/** A list below a title: where it opens and closes, and its lines. */
export interface Listing {
  scope: Scope;
  /** All lines of the lists. */
  all: number[];
  /** Those as deep as the first of their list. */
  items: number[];
}

/** The list that a line of the block is an item of: it is deeper than a line above it. `found` has the expressions of
 * the lines of the block that are known. */
export function listingOf(
  shown: Shown,
  at: number,
  found: ReadonlyMap<number, { pattern: string }>,
  lines: readonly string[],
): Listing | undefined {
  const title = parentOf(shown.lines, at);
  // Where other known lines hang on the same one, they are lines of one record, not items of a list.
  const others = [...found.keys()].filter((other) => other !== at && other !== title);
  if (title === undefined || others.some((other) => parentOf(shown.lines, other) === title)) return undefined;
  const text = shown.lines[title] ?? "";
  const open = found.get(title)?.pattern ?? titlePattern(text);
  const regex = new RegExp(open);
  const opens = lines.flatMap((line, index) => (regex.test(line) ? [index] : []));
  const [first] = opens;
  if (first === undefined) return undefined;
  const depth = Math.max(...opens.map((index) => indentOf(lines[index])));
  const blankEnds = !gapBetween(shown, title, at);
  const close = `^[ \\t]{0,${depth}}\\S${blankEnds ? "|^\\s*$" : ""}`;
  const closes = new RegExp(close);
  const items: number[] = [];
  const all: number[] = [];
  for (const index of opens) {
    const own: number[] = [];
    for (let below = index + 1; below < lines.length && !closes.test(lines[below] ?? ""); below += 1)
      own.push(below);
    const filled = own.filter((one) => (lines[one] ?? "").trim() !== "");
    all.push(...filled);
    const width = indentOf(lines[filled[0] ?? -1]);
    items.push(...filled.filter((one) => indentOf(lines[one]) === width));
  }
  return items.length === 0
    ? undefined
    : { scope: { open, close, openExample: lines[first] ?? text }, all, items };
}

/** The expression of a title: its label, or all of it with any digits. */
function titlePattern(text: string): string {
  const label = /^\s*([A-Za-z][^:=]*?)\s*[:=](?=\s|$)/.exec(text)?.[1];
  return label === undefined
    ? `^\\s*${flexible(text.trim(), true)}\\s*$`
    : `^\\s*${flexible(label, true)}\\s*[:=]`;
}

/** The title right above a line of the block, and the lines of the log right below such titles. */
export function titleAbove(
  shown: Shown,
  at: number,
  hasParts: (line: number) => boolean,
  lines: readonly string[],
): { pattern: string; below: number[] } | undefined {
  const title = shown.lines[at - 1] ?? "";
  if (shown.gaps.has(at) || hasParts(at - 1) || !/^\s*[A-Za-z][\w ()/-]*[:=]?\s*$/.test(title))
    return undefined;
  const pattern = `^\\s*${flexible(title.trim(), false)}\\s*$`;
  const regex = new RegExp(pattern);
  const below: number[] = [];
  let open = false;
  lines.forEach((line, index) => {
    if (line.trim() === "") return;
    if (open) below.push(index);
    open = regex.test(line);
  });
  return below.length === 0 ? undefined : { pattern, below };
}
