// A part of a line that the page names by its column ("the Send-Q column"), where the log has the heading row: which of the
// pieces of a line stands below that name is read off the rows of the log. So are parts whose names a heading row of the log has.

import { similarity, wordsOf } from "../page/names.ts";
import type { Hint } from "../page/page.ts";
import { quotedIn } from "../page/text.ts";
import type { Span } from "./evidence.ts";

/** So many rows below a heading tell where its columns are. */
const ROWS = 40;

/** What stands in the named column of the example, as evidence; undefined where the log has no such heading. */
export function headedColumns(
  example: string,
  hints: readonly Hint[],
  lines: readonly string[],
): ((span: Span, hint: Hint) => number) | undefined {
  const places = new Map<Hint, Span>();
  const chunks = [...example.matchAll(/\S+/g)];
  const spelled = namedInHeading(hints, lines);
  for (const hint of hints) {
    const index = [...columnNames(hint), ...(spelled.get(hint) ?? [])]
      .map((name) => indexBelow(name, lines))
      .find((one) => one !== undefined);
    const chunk = index === undefined ? undefined : chunks[index];
    if (chunk !== undefined) places.set(hint, { start: chunk.index, end: chunk.index + chunk[0].length });
  }
  const named = headedByName(chunks, hints, lines);
  if (places.size === 0 && named.size === 0) return;
  return (span, hint) => {
    const told = places.get(hint);
    const place = told ?? named.get(hint);
    if (place === undefined) return 0;
    const weight = told === undefined ? 0.5 : 1;
    // A cell in brackets of its own is what stands in them.
    const bare = /^(?:\([^()]*\)|\[[^[\]]*\]|<[^<>]*>|"[^"]*")$/.test(example.slice(place.start, place.end))
      ? 1
      : 0;
    if (span.start === place.start + bare && span.end === place.end - bare) return 6 * weight;
    return (span.start >= place.start && span.end <= place.end ? 1 : -3) * weight;
  };
}

/** Cells of a heading row have blanks inside. */
const CELL = /\S+(?: \S+)*/g;
/** Longer lines are no heading. */
const LONGEST = 400;

/** The chunks of the example below the cells of a heading row that two of the parts at least are named like. */
function headedByName(
  chunks: readonly RegExpExecArray[],
  hints: readonly Hint[],
  lines: readonly string[],
): Map<Hint, Span> {
  const found = new Map<Hint, Span>();
  if (hints.length < 2 || chunks.length < 3) return found;
  const firsts = hints
    .map(({ name }) => (wordsOf(name)[0] ?? "").slice(0, 3))
    .filter((one) => one.length > 1);
  let best: { at: number; cells: Map<Hint, Span> } | undefined;
  lines.forEach((line, at) => {
    if (line.length > LONGEST || !/\S {2,}\S/.test(line)) return;
    const low = line.toLowerCase();
    if (firsts.filter((one) => low.includes(one)).length < 2) return;
    const cells = new Map<Hint, Span>();
    for (const match of line.matchAll(CELL)) {
      if (/\d{2}:\d{2}/.test(match[0])) continue;
      const hint = hints.find((one) => !cells.has(one) && similarOrUnit(one, match[0]));
      const start = match.index + match[0].search(/[\p{L}\p{N}%#]/u);
      if (hint !== undefined) cells.set(hint, { start, end: match.index + match[0].length });
    }
    if (cells.size >= 2 && cells.size > (best?.cells.size ?? 0)) best = { at, cells };
  });
  if (best === undefined) return found;
  const rows = rowsBelow(best.at, chunks.length, lines);
  if (rows.length < 2) return found;
  for (const [hint, cell] of best.cells) {
    const indices = rows.map((pieces) =>
      pieces.findIndex((one) => one.index < cell.end && one.index + one[0].length > cell.start),
    );
    const [index = -1] = indices;
    const chunk = chunks[index];
    const same = indices.filter((one) => one === index).length;
    if (chunk === undefined || same < rows.length * 0.8) continue;
    found.set(hint, { start: chunk.index, end: chunk.index + chunk[0].length });
  }
  return found;
}

/** Are two cells of a line at least, and most of those that are words, the names of parts? */
export function namesParts(line: string, hints: readonly Hint[]): boolean {
  if (line.length > LONGEST || !/\S {2,}\S/.test(line)) return false;
  const cells = [...line.matchAll(CELL)]
    .map(([cell]) => cell)
    .filter((cell) => /^[^\d:]*[A-Za-z][^\d:]*$/.test(cell));
  const named = cells.filter((cell) => hints.some((hint) => similarOrUnit(hint, cell))).length;
  return named >= 3 || (named === 2 && cells.length <= 3);
}

/** The pieces of the rows below a heading that have as many as the example, up to some lines without such a row. */
function rowsBelow(at: number, count: number, lines: readonly string[]): RegExpExecArray[][] {
  const rows: RegExpExecArray[][] = [];
  let missed = 0;
  for (const row of lines.slice(at + 1, at + 1 + ROWS)) {
    const pieces = [...row.matchAll(/\S+/g)];
    if (pieces.length === count) rows.push(pieces);
    missed = pieces.length === count ? 0 : missed + 1;
    if (missed > 2) break;
  }
  return rows;
}

/** The name, with or without a unit behind it: "SIM TIME (ns)". */
function similarOrUnit({ name }: Hint, cell: string): boolean {
  const plain = cell.replace(/\s*(?:\([^()]*\)|\[[^[\]]*\])\s*$/, "");
  return similarity(name, plain === "" ? cell : plain) >= 0.9;
}

/** Parts called like headings of the log: `cpu0` and `cpu1` below "CPU0 CPU1", where a line of few words has several of them. */
function namedInHeading(hints: readonly Hint[], lines: readonly string[]): ReadonlyMap<Hint, string[]> {
  const heading = lines.find((line) => {
    const words = line.length > 300 ? [] : line.trim().toLowerCase().split(/\s+/);
    const found = hints.filter(({ name }) => words.includes(name.toLowerCase())).length;
    return found >= 2 && found >= 0.5 * words.length && words.every((word) => !/^\d/.test(word));
  });
  const words = heading?.trim().split(/\s+/) ?? [];
  return new Map(
    hints.map((hint) => [hint, words.filter((word) => word.toLowerCase() === hint.name.toLowerCase())]),
  );
}

/** "the Send-Q column", "column `PID`". */
function columnNames({ description }: Hint): string[] {
  if (!/\bcolumns?\b/i.test(description)) return [];
  const plain = [
    ...description.matchAll(/\b([A-Z][\w%#/-]*) column\b/g),
    ...description.matchAll(/\b(?:column|headed|under) ["'`]?([A-Z%#][\w%#/-]*)/g),
  ].map((match) => match[1] ?? "");
  return [...plain, ...quotedIn(description).map(({ text }) => text)].filter((name) =>
    /^[^\s]{2,}$/.test(name),
  );
}

/** Which piece of most rows below a heading with the name stands below it. */
function indexBelow(name: string, lines: readonly string[]): number | undefined {
  const at = lines.findIndex((line) => {
    const words = line.trim().split(/\s+/);
    return words.length > 1 && words.includes(name) && words.every((word) => !/^\d/.test(word));
  });
  if (at < 0) return;
  const heading = lines[at] ?? "";
  const word = [...heading.matchAll(/\S+/g)].find((one) => one[0] === name);
  if (word === undefined) return;
  const [from, to] = [word.index, word.index + name.length];
  const counts = new Map<number, number>();
  let rows = 0;
  for (const row of lines.slice(at + 1, at + 1 + ROWS)) {
    if (row.trim() === "") break;
    rows += 1;
    const index = [...row.matchAll(/\S+/g)].findIndex(
      (one) => one.index < to && one.index + one[0].length > from,
    );
    if (index >= 0) counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best !== undefined && rows > 1 && best[1] * 5 >= rows * 4 ? best[0] : undefined;
}
