// Rows of tables: parts as columns below a heading row, or as cells between delimiters. A row is told by its table,
// not by the text of its other columns.
import { addDiff, type Diff } from "../examples/diffs.ts";
import type { Instance } from "../examples/instances.ts";
import { isName, VALUE } from "../examples/instances.ts";
import { textDiffs } from "../examples/matcher.ts";
import type { Rule } from "../examples/rule.ts";
import type { Span } from "../examples/spans.ts";
import type { Leaf } from "../examples/template.ts";
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

/** How a row is taken apart, and which cell each part is. */
export interface Grid {
  shape: GridShape;
  parts: ReadonlyMap<string, number>;
  /** Parts that examples lack, with what stands in their cells there. */
  lacking: ReadonlyMap<string, readonly string[]>;
}

/** One grid for the rows of two rules that differ in the parts they have; undefined for other grids. */
export function uniteGrids(a: Grid, b: Grid, ruleA: Rule, ruleB: Rule): Grid | undefined {
  if (JSON.stringify(a.shape) !== JSON.stringify(b.shape)) return undefined;
  const parts = new Map([...a.parts, ...b.parts]);
  const indexes = [...parts.values()];
  if ([...a.parts].some(([name, index]) => parts.get(name) !== index)) return undefined;
  if (new Set(indexes).size < indexes.length) return undefined;
  const lacking = new Map([...a.lacking, ...b.lacking]);
  for (const [name, index] of parts) {
    if (a.parts.has(name) && b.parts.has(name)) continue;
    const rule = a.parts.has(name) ? ruleB : ruleA;
    const texts = rule.instances.map(({ lines, anchor }) => cellText(a.shape, lines[anchor] ?? "", index));
    lacking.set(
      name,
      [...new Set([...(lacking.get(name) ?? []), ...texts])].filter((text) => text !== ""),
    );
  }
  return { shape: a.shape, parts, lacking };
}

function cellText(shape: GridShape, row: string, index: number): string {
  if ("heading" in shape) return "";
  const cell = cells_of(row, shape.delimiter)[index];
  return cell === undefined ? "" : row.slice(cell.start, cell.end);
}

const DELIMITERS = ["|", ";", ",", "\t"] as const;

/** Lines above a row among which its heading row is looked for. */
const HEADING_REACH = 500;

/** The grid of a rule whose parts are columns or cells in all examples; undefined when they are not.
 * @param places where the line that counts of each instance stands in the logs */
export function gridOf(
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
    const parts = sameParts(rows, ({ line, spans }) => indexesOf(cells_of(line, delimiter), spans));
    if (parts !== undefined) return { shape: { delimiter, cells }, parts, lacking: new Map() };
  }
  return undefined;
}

function columnGrid(
  rule: Rule,
  logs: readonly LogText[],
  places: ReadonlyMap<Instance, readonly Place[]>,
): Grid | undefined {
  const found = new Map<string, { count: number; grid: Grid }>();
  const message = rule.anchor.elements.flatMap((one) =>
    one.kind === "fixed" && one.token === "word" ? [one.text] : [],
  );
  // A line with the fixed words of the rows is a row itself.
  const isRow = (words: readonly Word[]): boolean =>
    message.length > 0 && message.every((text) => words.some((word) => word.text.includes(text)));
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
      const known = found.get(key);
      if (known !== undefined && !sameMap(known.grid.parts, parts)) continue;
      found.set(key, { count: (known?.count ?? 0) + 1, grid: { shape, parts, lacking: new Map() } });
    }
  }
  return [...found.values()].findLast(({ count }) => count === rule.instances.length)?.grid;
}

/** Lines above a row in the same table, nearest first, as words. */
function headingsAbove(lines: readonly string[], row: number): Word[][] {
  const above: Word[][] = [];
  for (let line = row - 1; line >= Math.max(0, row - HEADING_REACH); line -= 1) {
    const text = lines[line] ?? "";
    if (text.trim() === "" && !is_rule(lines[line - 1] ?? "") && !is_rule(lines[line + 1] ?? "")) break;
    if (text.trim() !== "" && !is_rule(text)) above.push(words_of(text));
  }
  return above;
}

function sameParts(
  rows: readonly Row[],
  read: (row: Row) => ReadonlyMap<string, number> | undefined,
): ReadonlyMap<string, number> | undefined {
  const all = rows.map(read);
  const [first] = all;
  return first !== undefined && all.every((one) => one !== undefined && sameMap(one, first))
    ? first
    : undefined;
}

function sameMap(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

/** Which cell each part is; undefined when one is not just a cell, or two are the same. */
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

/** Every row of the grid, with what distinguishes its parts from those of the examples. */
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
      const lacking = grid.lacking.get(name);
      if (cell === undefined || cell === null || cell.start === cell.end) {
        if (lacking !== undefined) continue;
        addDiff(diffs, { kind: "blank", at: name });
        cost += BLANK;
        continue;
      }
      const text = (lines[line] ?? "").slice(cell.start, cell.end);
      if (lacking?.includes(text)) continue;
      spans.set(name, cell);
      // Only the last column has nothing that tells where its text ends.
      const open = "heading" in grid.shape && index === grid.shape.heading.length - 1;
      for (const [kind, weight] of textDiffs(leaf, text, true, open)) {
        addDiff(diffs, { kind, at: name });
        cost += weight;
      }
    }
    return spans.has(VALUE) || !grid.parts.has(VALUE) ? [{ line, fit: { cost, diffs }, spans }] : [];
  });
}

/** Cost of a blank cell. */
const BLANK = 1;

/** Places in a row that a heading row above it names: parts whose name is a word of the heading. */
export function namedColumns(
  lines: readonly string[],
  row: number,
  parts: readonly string[],
): Map<string, Span> {
  for (const heading of headingsAbove(lines, row)) {
    const found = parts.flatMap((part): [string, number][] => {
      const index = heading.findIndex((word) => isName(part, word.text));
      return index < 0 ? [] : [[part, index]];
    });
    if (found.length < 2) continue;
    const cells = columns_of(heading, lines[row] ?? "");
    return new Map(
      found.flatMap(([part, index]): [string, Span][] => {
        const cell = cells[index];
        return cell ? [[part, cell]] : [];
      }),
    );
  }
  return new Map();
}
