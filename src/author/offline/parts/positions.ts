// Parts counted by place: a page that lists the columns of its lines in order, and an example with as many parts,
// say together which part is which. Stronger than any likeness of names and texts.

import { matchNames } from "../page/names.ts";
import type { Hint, Listed } from "../page/page.ts";
import type { Span } from "./evidence.ts";

/** Names of the listed columns and where each of them stands in the example. */
interface Placement {
  names: readonly string[];
  cells: Span[];
}

const COLUMNS = /\b(?:columns|cells)\b|\bfrom left to right\b/i;
const FIELDS = /^(?:the |its )?(?:fields?|value)\b/i;

/** The list of columns that has as many names as the line has parts, or undefined. */
function placementOf(line: string, lists: readonly Listed[]): Placement | undefined {
  const found: Placement[] = [];
  for (const list of lists) {
    const named = list.shown === true || COLUMNS.test(list.context);
    if (list.names.length < 3 || !named || FIELDS.test(list.context)) continue;
    const cells = COLUMNS.test(list.context)
      ? cut(line, list.names.length)
      : (wideCells(line, list.names.length) ?? markedCells(line, list.names.length));
    if (cells !== undefined) found.push({ names: list.names, cells });
  }
  return found.sort((a, b) => b.names.length - a.names.length)[0];
}

/** What the places of a line say about parts for the hints, when the list names half of them at least. */
export function placesOf(
  line: string,
  lists: readonly Listed[],
  hints: readonly Hint[],
): { cells: readonly Span[]; score: (span: Span, hint: Hint) => number } | undefined {
  const placement = placementOf(line, lists);
  if (placement === undefined) return undefined;
  const columnOf = new Map<Hint, number>();
  matchNames(placement.names, hints).forEach((hint, column) => {
    if (hint !== undefined) columnOf.set(hint, column);
  });
  const half = columnOf.size * 2 >= hints.length;
  return {
    cells: placement.cells,
    score: (span, hint) => (half ? placeScore(placement, span, hint, columnOf) : 0),
  };
}

/** The parts between wide gaps, if there are as many. */
function wideCells(line: string, count: number): Span[] | undefined {
  const wide = [...line.matchAll(/\S+(?: \S+)*/g)].map(spanOf);
  return wide.length === count ? wide : undefined;
}

/** The parts between commas and the like, behind a key that opens the line, if there are as many. */
function markedCells(line: string, count: number): Span[] | undefined {
  const key = /^\s*[A-Za-z]+[:=](?=\S)/.exec(line)?.[0].length ?? 0;
  for (const mark of [",", ";", "|", "\t"]) {
    for (const from of new Set([key, 0])) {
      const cells: Span[] = [];
      let start = from;
      for (const text of line.slice(from).trimEnd().split(mark)) {
        const lead = text.length - text.trimStart().length;
        cells.push({ start: start + lead, end: start + text.trimEnd().length });
        start += text.length + mark.length;
      }
      if (cells.length === count && cells.every((cell) => cell.end > cell.start)) return cells;
    }
  }
  return undefined;
}

/** The line in so many parts: by wide gaps, by blanks, or by blanks with the rest of the line as the last part. */
function cut(line: string, count: number): Span[] | undefined {
  if (/[|\t;]/.test(line)) return undefined;
  const wide = [...line.matchAll(/\S+(?: \S+)*/g)].map(spanOf);
  if (wide.length === count) return wide;
  const words = [...line.matchAll(/\S+/g)].map(spanOf);
  if (words.length === count) return words;
  const last = words[count - 1];
  if (words.length < count || words.length > count + 3 || last === undefined) return undefined;
  return [...words.slice(0, count - 1), { start: last.start, end: line.trimEnd().length }];
}

function spanOf(match: RegExpMatchArray): Span {
  const start = match.index ?? 0;
  return { start, end: start + match[0].length };
}

/** What the place says about a part for a hint: the column that has the hint's name is the part. `columnOf` tells
 * which listed name a hint means. */
function placeScore(
  placement: Placement,
  span: Span,
  hint: Hint,
  columnOf: ReadonlyMap<Hint, number>,
): number {
  const column = columnOf.get(hint);
  const cell = column === undefined ? undefined : placement.cells[column];
  if (cell !== undefined) {
    if (span.start === cell.start && span.end === cell.end) return 8;
    return span.start >= cell.start && span.end <= cell.end ? 4 : -8;
  }
  // A part for which no column is named stands in one of the columns that are left.
  const taken = new Set(columnOf.values());
  const inside = placement.cells.findIndex((one) => span.start >= one.start && span.end <= one.end);
  if (inside < 0) return -6;
  return taken.has(inside) ? -6 : 0;
}
