// Tables: the parts are columns below a heading row, or cells between delimiters. A row is identified by its table, not
// by the text of its other columns.
import { addDiff, type Diff } from "../examples/diffs.ts";
import { type Instance, isName, VALUE } from "../examples/instances.ts";
import type { Rule } from "../examples/rule.ts";
import type { Span } from "../examples/spans.ts";
import type { Leaf } from "../examples/template.ts";
import { textDiffs } from "../examples/text-diffs.ts";
import {
  type Cell,
  cells_of,
  columns_of,
  type GridShape,
  is_rule,
  rows_of,
  type Word,
  words_of,
} from "../runtime/index.ts";
import type { Anchor } from "./anchor.ts";
import type { LogText, Place } from "./places.ts";

/** How a row is divided into cells, and the index of the cell of each part. */
export interface Grid {
  shape: GridShape;
  parts: ReadonlyMap<string, number>;
  /** Parts that examples lack, with the texts of their cells there, such as `n/a`. */
  placeholders: ReadonlyMap<string, readonly string[]>;
}

/** Merges the grids of two rules whose examples have different parts; undefined if these are different tables. */
export function mergeGrids(a: Grid, b: Grid, ruleA: Rule, ruleB: Rule): Grid | undefined {
  if (JSON.stringify(a.shape) !== JSON.stringify(b.shape)) return undefined;
  const parts = new Map([...a.parts, ...b.parts]);
  const indexes = [...parts.values()];
  if ([...a.parts].some(([name, index]) => parts.get(name) !== index)) return undefined;
  if (new Set(indexes).size < indexes.length) return undefined;
  const placeholders = new Map([...a.placeholders, ...b.placeholders]);
  for (const [name, index] of parts) {
    if (a.parts.has(name) && b.parts.has(name)) continue;
    const rule = a.parts.has(name) ? ruleB : ruleA;
    const texts = rule.instances.map(({ lines, anchor }) => cellText(a.shape, lines[anchor] ?? "", index));
    placeholders.set(
      name,
      [...new Set([...(placeholders.get(name) ?? []), ...texts])].filter((text) => text !== ""),
    );
  }
  return { shape: a.shape, parts, placeholders };
}

function cellText(shape: GridShape, row: string, index: number): string {
  if ("heading" in shape) return "";
  const cell = cells_of(row, shape.delimiter)[index];
  return cell === undefined ? "" : row.slice(cell.start, cell.end);
}

const DELIMITERS = ["|", ";", ",", "\t"] as const;

/** Lines above a row that are searched for its heading row. */
const MAX_HEADING_DISTANCE = 500;
/** Cost of a blank cell. */
const BLANK_COST = 1;

/** The grid of a rule whose parts are cells or columns in all examples; undefined if they are not.
 * @param places the anchor of each instance in the logs */
export function inferGrid(
  rule: Rule,
  logs: readonly LogText[],
  places: ReadonlyMap<Instance, readonly Place[]>,
): Grid | undefined {
  if (rule.blank.length > 0) return undefined;
  const rows = rule.instances.map((instance) => ({
    line: instance.lines[instance.anchor] ?? "",
    spans: instance.placed.get(instance.anchor) ?? new Map<string, Span>(),
  }));
  return cellGrid(rows) ?? columnGrid(rule, logs, places);
}

type Row = { line: string; spans: ReadonlyMap<string, Span> };

function cellGrid(rows: readonly Row[]): Grid | undefined {
  for (const delimiter of DELIMITERS) {
    const counts = rows.map(({ line }) => line.split(delimiter).length);
    const [cells = 0] = counts;
    if (cells < 3 || counts.some((count) => count !== cells)) continue;
    const parts = commonParts(rows, ({ line, spans }) => indexesOf(cells_of(line, delimiter), spans));
    if (parts !== undefined) return { shape: { delimiter, cells }, parts, placeholders: new Map() };
  }
  return undefined;
}

function columnGrid(
  rule: Rule,
  logs: readonly LogText[],
  places: ReadonlyMap<Instance, readonly Place[]>,
): Grid | undefined {
  const byHeading = new Map<string, { count: number; grid: Grid }>();
  const fixedWords = rule.anchor.elements.flatMap((element) =>
    element.kind === "fixed" && element.token === "word" ? [element.text] : [],
  );
  // A line with the fixed words of the rows is a row, not a heading.
  const isRow = (words: readonly Word[]): boolean =>
    fixedWords.length > 0 && fixedWords.every((text) => words.some((word) => word.text.includes(text)));
  for (const instance of rule.instances) {
    const place = places.get(instance)?.[0];
    if (place === undefined) return undefined;
    const spans = instance.placed.get(instance.anchor) ?? new Map<string, Span>();
    for (const heading of headingsAbove(logs[place.file]?.lines ?? [], place.line)) {
      const row = logs[place.file]?.lines[place.line] ?? "";
      const parts = indexesOf(columns_of(heading, row), spans);
      if (parts === undefined || heading.length < 3 || isRow(heading)) continue;
      if (heading.some(({ text }) => /^[\d.,:]+$/.test(text))) continue;
      const shape = { heading: heading.map((word) => word.text) };
      const key = shape.heading.join(" ");
      const known = byHeading.get(key);
      if (known !== undefined && !isEqualMap(known.grid.parts, parts)) continue;
      const grid = { shape, parts, placeholders: new Map() };
      byHeading.set(key, { count: (known?.count ?? 0) + 1, grid });
    }
  }
  return [...byHeading.values()].findLast(({ count }) => count === rule.instances.length)?.grid;
}

/** The words of the lines above a row in the same table, the nearest line first. */
function headingsAbove(lines: readonly string[], row: number): Word[][] {
  const above: Word[][] = [];
  for (let line = row - 1; line >= Math.max(0, row - MAX_HEADING_DISTANCE); line -= 1) {
    const text = lines[line] ?? "";
    if (text.trim() === "" && !is_rule(lines[line - 1] ?? "") && !is_rule(lines[line + 1] ?? "")) break;
    if (text.trim() !== "" && !is_rule(text)) above.push(words_of(text));
  }
  return above;
}

/** The indexes of the parts, if they are the same in all rows. */
function commonParts(
  rows: readonly Row[],
  read: (row: Row) => ReadonlyMap<string, number> | undefined,
): ReadonlyMap<string, number> | undefined {
  const all = rows.map(read);
  const [first] = all;
  return first !== undefined && all.every((parts) => parts !== undefined && isEqualMap(parts, first))
    ? first
    : undefined;
}

function isEqualMap(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

/** The cell of each part; undefined if a part is not exactly one cell, or two parts are the same cell. */
function indexesOf(
  cells: readonly (Cell | null)[],
  spans: ReadonlyMap<string, Span>,
): ReadonlyMap<string, number> | undefined {
  const indexes = new Map<string, number>();
  for (const [name, span] of spans) {
    const index = cells.findIndex((cell) => cell?.start === span.start && cell.end === span.end);
    if (index < 0 || [...indexes.values()].includes(index)) return undefined;
    indexes.set(name, index);
  }
  return indexes;
}

/** All rows of the grid, with the differences of their parts from the examples. */
export function gridRows(grid: Grid, rule: Rule, lines: readonly string[]): Anchor[] {
  const leaves = new Map<string, Leaf>();
  for (const element of rule.anchor.elements) {
    if (element.kind === "part") for (const name of element.leaf.names) leaves.set(name, element.leaf);
  }
  return rows_of(grid.shape, lines).flatMap(({ line, cells }): Anchor[] => {
    const diffs: Diff[] = [];
    const spans = new Map<string, Span>();
    let cost = 0;
    for (const [name, index] of grid.parts) {
      const cell = cells[index];
      const leaf = leaves.get(name);
      if (leaf === undefined) continue;
      const placeholders = grid.placeholders.get(name);
      if (cell === undefined || cell === null || cell.start === cell.end) {
        if (placeholders !== undefined) continue;
        addDiff(diffs, { kind: "blank", subject: name });
        cost += BLANK_COST;
        continue;
      }
      const text = (lines[line] ?? "").slice(cell.start, cell.end);
      if (placeholders?.includes(text)) continue;
      spans.set(name, cell);
      // Only the last column has no column behind it that limits its text.
      const open = "heading" in grid.shape && index === grid.shape.heading.length - 1;
      for (const [kind, weight] of textDiffs(leaf, text, true, open)) {
        addDiff(diffs, { kind, subject: name });
        cost += weight;
      }
    }
    return spans.has(VALUE) || !grid.parts.has(VALUE) ? [{ line, fit: { cost, diffs }, spans }] : [];
  });
}

/** The cells of a row below the names of parts, if a heading row above it contains at least two names. */
export function namedColumns(
  lines: readonly string[],
  row: number,
  parts: readonly string[],
): Map<string, Span> {
  for (const heading of headingsAbove(lines, row)) {
    const columns = parts.flatMap((part): [string, number][] => {
      const index = heading.findIndex((word) => isName(part, word.text));
      return index < 0 ? [] : [[part, index]];
    });
    if (columns.length < 2) continue;
    const cells = columns_of(heading, lines[row] ?? "");
    return new Map(
      columns.flatMap(([part, index]): [string, Span][] => {
        const cell = cells[index];
        return cell ? [[part, cell]] : [];
      }),
    );
  }
  return new Map();
}
