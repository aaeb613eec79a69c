// Which lines of the log stand where a line of the block stands, told by the other lines of the block: the line that
// the indented ones below it hang on, the first line of their paragraph, the items of the list below a title.

import type { Scope } from "../../program/ir.ts";
import { flexible } from "./keyed-line.ts";
import type { Shown } from "./shown.ts";

const MAX_RECORD_LINES = 400;

function indentOf(line: string | undefined): number {
  return (line ?? "").search(/\S/);
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
  items: number[];
}

/** The list that a line of the block is an item of: it is deeper than a line above it that has no part. */
export function listingOf(
  shown: Shown,
  at: number,
  hasParts: (line: number) => boolean,
  lines: readonly string[],
): Listing | undefined {
  const title = parentOf(shown.lines, at);
  if (title === undefined || hasParts(title)) return undefined;
  const text = shown.lines[title] ?? "";
  const label = /^\s*([A-Za-z][^:=]*?)\s*[:=](?=\s|$)/.exec(text)?.[1];
  const open =
    label === undefined
      ? `^\\s*${flexible(text.trim(), true)}\\s*$`
      : `^\\s*${flexible(label, true)}\\s*[:=]`;
  const regex = new RegExp(open);
  const opens = lines.flatMap((line, index) => (regex.test(line) ? [index] : []));
  const [first] = opens;
  if (first === undefined) return undefined;
  const depth = Math.max(...opens.map((index) => indentOf(lines[index])));
  const blankEnds = !gapBetween(shown, title, at);
  const close = `^[ \\t]{0,${depth}}\\S${blankEnds ? "|^\\s*$" : ""}`;
  const closes = new RegExp(close);
  const items: number[] = [];
  for (const index of opens) {
    const own: number[] = [];
    for (let below = index + 1; below < lines.length && !closes.test(lines[below] ?? ""); below += 1)
      own.push(below);
    const width = indentOf(lines[own[0] ?? -1]);
    items.push(...own.filter((one) => indentOf(lines[one]) === width));
  }
  return items.length === 0
    ? undefined
    : { scope: { open, close, openExample: lines[first] ?? text }, items };
}
