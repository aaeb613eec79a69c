// Rows of cells between marks, without a heading: the page shows one row, the log has rows with as many cells of the same kinds, and
// every part is a whole cell. What is known of a column in all rows tells the parts better than one line of the page could.

import { escapeRegex } from "../../escape.ts";
import type { Group, Hint, Page } from "../../page/page.ts";
import type { LineRule, Projection, Source } from "../../program/ir.ts";
import { isHeadingRow } from "../tables/headers.ts";
import { chooseCells } from "./choose.ts";
import { BLANKS, type Cut, cutAt, isRow, MARKS } from "./cut.ts";
import { kindFilters } from "./kinds.ts";

export interface CellCandidate {
  rule: LineRule;
  confidence: number;
  reasons: string[];
  doubts: string[];
}

const LEAST_ROWS = 2;
/** So many of the lines have to be rows. */
const SHARE = 0.5;
/** The same for rows between blanks. */
const MOST_LINES = 0.75;
/** Below this another cell fits as well, up to the second one nearly as well. */
const UNCLEAR = 0.6;
const CLEAR = 1.6;

/** The rule for such rows, or undefined where the page shows none or a part is no cell. */
export function cellGroup(group: Group, page: Page, lines: readonly string[]): CellCandidate | undefined {
  const { value } = group;
  if (value === undefined || value.wholeLine || group.fields.length === 0) return undefined;
  const shown = group.examples.flatMap((one) => (one.lines.length === 1 ? [one.lines[0] ?? ""] : []));
  const [example] = shown;
  if (example === undefined || shown.length > 1) return undefined;
  const hints = [value, ...group.fields];
  const found = MARKS.flatMap((mark) => {
    const cut = cutFor(example, mark, hints);
    const one =
      cut === undefined || !isRow(cut, example) ? undefined : byMark(group, value, page, lines, example, cut);
    return one === undefined ? [] : [one];
  });
  return found.sort((a, b) => b.confidence - a.confidence)[0];
}

/** The example as cells. Between blanks a part that is shown up to the end of the line is one cell. */
function cutFor(example: string, mark: string, hints: readonly Hint[]): Cut | undefined {
  const tail =
    mark !== BLANKS
      ? undefined
      : hints
          .flatMap(({ literals }) => literals)
          .find((text) => /\s/.test(text) && example.trimEnd().endsWith(` ${text}`));
  if (tail === undefined) return cutAt(example, mark);
  const before = example.trimEnd().slice(0, -tail.length);
  return cutAt(example, mark, (before.match(/\S+/g) ?? []).length + 1);
}

interface Row {
  line: string;
  cut: Cut;
}

function byMark(
  group: Group,
  value: Hint,
  page: Page,
  lines: readonly string[],
  example: string,
  cut: Cut,
): CellCandidate | undefined {
  const plain = lines.filter((line) => line.trim() !== "" && !isRemark(line, example));
  // The last cell may have the mark in it, where it is a text of several words.
  const open = /\s/.test(cut.cells.at(-1)?.text ?? "") && !cut.framed;
  const rows = plain.flatMap((line): Row[] => {
    const own = cutAt(line, cut.mark, open ? cut.cells.length : undefined);
    return own !== undefined && own.cells.length === cut.cells.length && own.framed === cut.framed
      ? [{ line, cut: own }]
      : [];
  });
  if (rows.length < LEAST_ROWS || rows.length < (cut.mark === BLANKS ? MOST_LINES : SHARE) * plain.length)
    return undefined;
  if (cut.mark === BLANKS && saysWords(rows)) return undefined;
  const hints = [value, ...group.fields];
  // A row of names above them makes a table of it.
  if (rows.some(({ line }) => isHeadingRow(line, hints))) return undefined;
  const numeric = cut.cells.map((cell, at) => isNumber(cell.text) && shareOf(rows, at, isNumber) > 0.9);
  const fitting = rows.filter((row) =>
    row.cut.cells.every((cell, at) => cell.text === "" || !numeric[at] || isNumber(cell.text)),
  );
  const columns = cut.cells.map((_, at) => fitting.map((row) => row.cut.cells[at]?.text ?? ""));
  const orders = page.lists.flatMap(({ order }) =>
    order !== undefined && (order.line === undefined || order.line === example) ? [order] : [],
  );
  const chosen = chooseCells(example, cut.cells, columns, value, group.fields, orders);
  if (chosen === undefined) return undefined;
  const { places, margins } = chosen;
  if (hints.some((hint, row) => (places[row] ?? -1) < 0 && (hint === value || !hint.optional)))
    return undefined;
  const doubts: string[] = [];
  let confidence = 1;
  hints.forEach((hint, row) => {
    const margin = margins[row] ?? 0;
    if (margin >= CLEAR || (places[row] ?? -1) < 0) return;
    // Two parts that could change places are one doubt.
    confidence -= margin < UNCLEAR ? 0.45 : confidence === 1 ? 0.15 : 0.04;
    doubts.push(
      margin < UNCLEAR
        ? `two cells of the row fit the page equally well (${hint.name})`
        : `another cell of the row fits the page nearly as well (${hint.name})`,
    );
  });
  const taken = new Set(fitting.map((row) => row.line));
  const rest = plain.filter((line) => !taken.has(line) && marksIn(line, cut.mark) >= 2);
  if (rest.length > 0) {
    confidence -= rest.length > 0.02 * fitting.length ? 0.45 : 0;
    doubts.push(`${rest.length} lines have other cells, e.g. ${rest[0]?.trim() ?? ""}`);
  }
  if (cut.mark === BLANKS && doubts.length > 0) return undefined;
  const groups = namesOf(hints, places, cut.cells.length);
  const pattern = patternOf(fitting, cut, groups, places[0] ?? 0, numeric, lines);
  return {
    rule: {
      kind: "line",
      alternatives: [
        {
          pattern,
          projection: projectionOf(group, hints, places, groups),
          example: fitting[0]?.line ?? example,
        },
      ],
      unless: [],
      filters: kindFilters(cut.cells, columns, places, groups, page),
      cells: cut.mark,
    },
    confidence,
    reasons: [
      `${fitting.length} rows of ${cut.cells.length} cells between ${JSON.stringify(cut.mark)}, as the page shows one`,
    ],
    doubts,
  };
}

/** A comment of the file, where the example is none. */
function isRemark(line: string, example: string): boolean {
  return /^\s*(?:#|\/\/|;|--)/.test(line) && !/^\s*(?:#|\/\/|;|--)/.test(example);
}

/** Do the rows have words of a message, the same in all of them? */
function saysWords(rows: readonly Row[]): boolean {
  const [first] = rows;
  return (first?.cut.cells ?? []).some(
    ({ text }, at) => /[A-Za-z]{2}/.test(text) && rows.every(({ cut }) => cut.cells[at]?.text === text),
  );
}

function isNumber(text: string): boolean {
  return /^[-+]?\d[\d,]*(?:\.\d+)?$/.test(text);
}

function shareOf(rows: readonly Row[], at: number, test: (text: string) => boolean): number {
  const filled = rows.map(({ cut }) => cut.cells[at]?.text ?? "").filter((text) => text !== "");
  return filled.length === 0 ? 0 : filled.filter(test).length / filled.length;
}

function marksIn(line: string, mark: string): number {
  return line.split(mark).length - 1;
}

/** A group for each cell: that of the part, or a name of its own, which conditions may ask for. */
function namesOf(hints: readonly Hint[], places: readonly number[], count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const hint = hints[places.indexOf(at)];
    if (hint !== undefined && hint === hints[0] && !/^[a-z]\w*$/.test(hint.name)) return "value";
    return hint !== undefined && /^[A-Za-z]\w*$/.test(hint.name) ? hint.name : `cell_${at + 1}`;
  });
}

function patternOf(
  rows: readonly Row[],
  { mark, framed }: Cut,
  groups: readonly string[],
  valueAt: number,
  numeric: readonly boolean[],
  lines: readonly string[],
): string {
  const sep = mark === "\t" ? "\\t" : mark === BLANKS ? "\\s+" : escapeRegex(mark);
  const not = mark === "\t" ? "\\t" : mark === BLANKS ? "\\s" : escapeRegex(mark);
  const parts = groups.map((name, at) => {
    const own = rows.map(({ cut }) => cut.cells[at]);
    const quoted = own.filter((cell) => cell?.quoted === true).length;
    const padded = rows.some(({ line, cut: { cells } }, index) => {
      const cell = own[index];
      if (cell === undefined || mark === BLANKS) return false;
      const before = line.slice(cells[at - 1]?.end ?? 0, cell.start).replace(/"/g, "");
      const behind = line.slice(cell.end, cells[at + 1]?.start ?? line.length).replace(/"/g, "");
      return /\s$/.test(before.replace(/\t/g, "")) || /^ /.test(behind);
    });
    const least = at === valueAt || mark === BLANKS ? "+" : "*";
    // The last cell goes on to the end of the line.
    const goesOn = at === groups.length - 1 && own.some((cell) => (cell?.text ?? "").includes(mark));
    if (goesOn && quoted === 0) return `(?<${name}>\\S.*?)`;
    if (quoted === own.length) return blanks(`"(?<${name}>[^"]${least})"`, padded);
    if (quoted > 0) return blanks(`"?(?<${name}>(?<=")[^"]*(?=")|[^"${not}]${least})"?`, padded);
    if (numeric[at] === true && own.every((cell) => /^\d+$/.test(cell?.text ?? "")))
      return blanks(`(?<${name}>\\d+)`, padded);
    if (numeric[at] === true)
      return blanks(
        `(?<${name}>(?:[-+]?\\d[\\d,]*(?:\\.\\d+)?)${own.every((cell) => cell?.text !== "") ? "" : "?"})`,
        padded,
      );
    if (!padded) return `(?<${name}>[^${not}]${least})`;
    const ink = `[^${not}\\s]`;
    return `\\s*(?<${name}>(?:${ink}(?:[^${not}]*${ink})?)${at === valueAt ? "" : "?"})\\s*`;
  });
  const taken = new Set(rows.map(({ line }) => line));
  const body = `${framed ? sep : ""}${parts.join(sep)}${framed ? sep : ""}\\s*$`;
  const open = new RegExp(`^${body}`);
  // Remarks with as many marks as the rows.
  const others = lines.filter((line) => !taken.has(line) && open.test(line));
  const front =
    others.length > 0 && others.every((line) => /^\s*\W/.test(line)) ? "(?!\\s*(?:#|//|;|--))" : "";
  return `^${front}${body}`;
}

function blanks(source: string, padded: boolean): string {
  return padded ? `\\s*${source}\\s*` : source;
}

function projectionOf(
  group: Group,
  hints: readonly Hint[],
  places: readonly number[],
  groups: readonly string[],
): Projection {
  const sourceOf = (row: number): Source => ({ from: "group", group: groups[places[row] ?? 0] ?? "" });
  return {
    value: sourceOf(0),
    fields: group.fields.flatMap((hint) => {
      const row = hints.indexOf(hint);
      return (places[row] ?? -1) < 0 ? [] : [{ name: hint.name, source: sourceOf(row) }];
    }),
  };
}
