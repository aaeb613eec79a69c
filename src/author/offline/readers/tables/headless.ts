// Tables without a heading row: the page shows a row and names its columns in their order, and the log has rows like it, set
// apart by blanks. The rows are told by the kinds of their columns and by where these stand.

import { markNamed } from "../../page/marks.ts";
import type { Group, Hint, Page } from "../../page/page.ts";
import type { LineRule, RowReader } from "../../program/ir.ts";
import { matchColumns } from "./columns.ts";
import type { Column } from "./gaps.ts";
import type { Header } from "./headers.ts";
import { isHeadingRow } from "./headers.ts";
import type { FoundHeaders } from "./tables.ts";

interface Cell {
  start: number;
  end: number;
  text: string;
}

interface Row {
  index: number;
  cells: Cell[];
  /** Texts of the columns, the last one to the end of the line. */
  texts: string[];
}

/** How the lines are cut: at any blanks, or at two and more. */
const WAYS = [/\S+/g, /\S+(?: \S+)*/g] as const;
const LEAST_COLUMNS = 3;
const LEAST_ROWS = 2;
const MAX_LINES = 5000;
const EMPTY = /^(?:[-–*?.]+|n\/a|none|null|\(none\)|<none>)$/i;
const NUMBER = /^[-+]?\d[\d.,]*[A-Za-z%?]{0,3}$/;

/** The rows of such a table as if a heading stood above them, or undefined. */
export function findHeadless(
  lines: readonly string[],
  group: Group,
  page: Page,
  line?: LineRule,
): FoundHeaders | undefined {
  const value = group.value?.wholeLine === true ? undefined : group.value;
  if (value === undefined || lines.length > MAX_LINES) return undefined;
  const wanted = [value, ...group.fields];
  const shown = group.examples.flatMap((one) => (one.lines.length === 1 ? [one.lines[0] ?? ""] : []));
  const listed = listsOf(page, shown);
  const namings =
    listed.length > 0 ? listed : shown.flatMap((example) => byReading(example, wanted, line) ?? []);
  for (const { names, example, open } of namings) {
    for (const way of WAYS) {
      const more = open && [...example.matchAll(way)].length > names.length;
      const found = tableBy(lines, example, more ? [...names, ""] : names, way, wanted, group, page);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

interface Naming {
  names: string[];
  example: string;
  /** The last columns are not named. */
  open: boolean;
}

function isMark(name: string): boolean {
  return markNamed(`a ${name}`) !== undefined;
}

/** The page's lists of columns with the row that each is about. */
function listsOf(page: Page, shown: readonly string[]): Naming[] {
  const [first] = shown;
  const ordered = page.lists.flatMap(({ order }): Naming[] => {
    const example = order?.line ?? first;
    if (order === undefined || example === undefined || order.items.length < LEAST_COLUMNS) return [];
    if (order.items.some(({ many, mark, name }) => many === "surely" || mark !== undefined || isMark(name)))
      return [];
    return [{ names: order.items.map((item) => item.name), example, open: order.open }];
  });
  const plain = page.lists.flatMap(({ order, names, context }): Naming[] =>
    order !== undefined ||
    first === undefined ||
    names.length < LEAST_COLUMNS ||
    /^\W*(?:the )?(?:fields?|value)\b/i.test(context)
      ? []
      : [{ names, example: first, open: false }],
  );
  return [...ordered, ...plain];
}

const ORDINAL =
  /\b(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) (?:column|cell)\b|\b(?:column|cell) (\d\d?)\b/i;
const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");

/** A row whose cells stand apart, each part one of them: by what the page shows for it, or as the reading of lines took it. */
function byReading(example: string, wanted: readonly Hint[], line: LineRule | undefined): Naming | undefined {
  const cells = [...example.trim().matchAll(WAYS[1])].map((match) => ({ at: match.index, text: match[0] }));
  if (cells.length < 4 || cells.slice(0, -1).some(({ text }) => text.includes(" "))) return undefined;
  const read = (line?.alternatives ?? [])
    .map(({ pattern, projection }) => ({ projection, match: new RegExp(pattern, "d").exec(example.trim()) }))
    .find(({ match }) => match !== null);
  const places = wanted.map((hint, row): number => {
    const ordinal = ORDINAL.exec(hint.description);
    if (ordinal !== null)
      return ordinal[2] === undefined
        ? ORDINALS.indexOf((ordinal[1] ?? "").toLowerCase())
        : Number(ordinal[2]) - 1;
    const shown = cells.flatMap(({ text }, at) => (hint.literals.includes(text) ? [at] : []));
    if (shown.length === 1) return shown[0] ?? -1;
    const source =
      row === 0
        ? read?.projection.value
        : read?.projection.fields.find(({ name }) => name === hint.name)?.source;
    if (source?.from !== "group" || source.op !== undefined) return -1;
    const start = read?.match?.indices?.groups?.[source.group]?.[0];
    const text = read?.match?.groups?.[source.group];
    return cells.findIndex((cell) => cell.at === start && cell.text.split(" ")[0] === text?.split(" ")[0]);
  });
  const isOpen = wanted.some((hint, row) => (places[row] ?? -1) < 0 && !hint.optional);
  if (isOpen || new Set(places.filter((at) => at >= 0)).size < places.filter((at) => at >= 0).length)
    return undefined;
  const names = cells.map((_, at) => wanted[places.indexOf(at)]?.name.replace(/_/g, " ") ?? "");
  return { names, example, open: false };
}

function tableBy(
  lines: readonly string[],
  example: string,
  names: readonly string[],
  way: RegExp,
  wanted: readonly Hint[],
  group: Group,
  page: Page,
): FoundHeaders | undefined {
  const model = cut(example, names.length, way);
  // Cells between marks are cut at these.
  if (model === undefined || (example.match(/[|;\t│┃║]/g) ?? []).length >= 2) return undefined;
  const rows = rowsLike(lines, model, names.length, way, wanted);
  if (hasHeading(lines, names) || isScattered(lines, rows) || !areCells(rows)) return undefined;
  const wide = rows.filter(({ index }) => /\S {2,}\S/.test(lines[index] ?? "")).length;
  if (rows.length < LEAST_ROWS || wide < 0.5 * rows.length) return undefined;
  const columns = names.map((name, at): Column => {
    const cell = rows[0]?.cells[at] ?? { start: 0, end: 0 };
    return { name, start: cell.start, end: cell.end, texts: rows.map(({ texts }) => texts[at] ?? "") };
  });
  const { hints, scores, doubts, inside } = matchColumns(columns, wanted, page, group);
  const missing = wanted.filter(
    (hint) => !hint.optional && !hints.includes(hint) && !inside.some((one) => one.hint === hint),
  );
  if (missing.length > 0) return undefined;
  const likeness = Math.min(
    1,
    scores.reduce((sum, one) => sum + Math.min(1, one), inside.length) / wanted.length,
  );
  const texts = rows.map(({ index }) => lines[index] ?? "");
  const taken = new Set(rows.map(({ index }) => index));
  const others = lines.filter((line, index) => line.trim() !== "" && !taken.has(index));
  const row = (groups: readonly string[], asked: ReadonlySet<string>): RowReader =>
    rowOf(rows, texts, others, groups, asked, way);
  const starts = rows.filter(({ index }) => !taken.has(index - 1));
  const headers = starts.map(
    ({ index }): Header => ({
      line: "",
      index: index - 1,
      lines: 0,
      separator: { by: "blanks" },
      cells: columns.map(({ name, start, end }) => ({ name, start, end })),
      hints,
      likeness,
      texts: columns.map((one) => one.texts),
      rows: texts,
      inside,
      pattern: "(?!)",
      headless: row,
    }),
  );
  return { headers, missing: [], layouts: [], doubts };
}

/** Does a line of the log consist of the names? Then the table has a heading. */
function hasHeading(lines: readonly string[], names: readonly string[]): boolean {
  const named = names.filter((name) => name !== "").map((name) => name.toLowerCase().split(/[\s_]+/));
  return lines.some((line) => {
    const words = new Set(line.toLowerCase().split(/[\s|;,]+/));
    if (line.length > 1000 || words.size < LEAST_COLUMNS) return false;
    const found = named.filter((own) => own.some((word) => word.length > 1 && words.has(word))).length;
    return found >= 3 && found >= 0.6 * named.length;
  });
}

/** Do the texts stand alone in their columns, without marks that set them apart from one another? */
function areCells(rows: readonly Row[]): boolean {
  const isTorn = (text: string): boolean =>
    /[:;,]$/.test(text) ||
    [..."([{"].some((open, at) => text.includes(open) !== text.includes([...")]}"][at] ?? "")) ||
    (text.match(/["']/g) ?? []).length % 2 === 1;
  return rows.filter(({ texts }) => texts.slice(0, -1).some(isTorn)).length <= 0.05 * rows.length;
}

/** Are the rows only some of the lines that stand together with them? */
function isScattered(lines: readonly string[], rows: readonly Row[]): boolean {
  const taken = new Set(rows.map(({ index }) => index));
  let all = 0;
  let run: number[] = [];
  const close = (): void => {
    if (run.some((index) => taken.has(index))) all += run.length;
    run = [];
  };
  lines.forEach((line, index) => {
    if (line.trim() === "") close();
    else run.push(index);
  });
  close();
  return rows.length < 0.5 * all;
}

/** The cells of a line: as many as there are names, the last with all that follows. */
function cut(line: string, count: number, way: RegExp): Row | undefined {
  const cells = [...line.matchAll(way)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
  if (cells.length < count) return undefined;
  const last = line.slice(cells[count - 1]?.start ?? 0).trim();
  const texts = [...cells.slice(0, count - 1).map((one) => one.text), last];
  return { index: -1, cells: cells.slice(0, count), texts };
}

/** The lines of the log that are rows like the example: of its kinds, and in line with a row beside them. */
function rowsLike(
  lines: readonly string[],
  model: Row,
  count: number,
  way: RegExp,
  wanted: readonly Hint[],
): Row[] {
  // Where the example has no more than its cells, neither have the rows, but for a few.
  const candidates = lines.flatMap((line, index) => {
    const row = line.trim() === "" || line.length > 1000 ? undefined : cut(line, count, way);
    if (row === undefined || !isLike(row, model) || isHeadingRow(line, wanted)) return [];
    return [{ ...row, index }];
  });
  const numbers = model.texts.filter((text) => NUMBER.test(text)).length;
  return candidates.filter((row, at) => {
    if (numbers >= 3) return true;
    const near = candidates.slice(Math.max(0, at - 3), at + 4).filter((one) => one !== row);
    return near.some((one) => inLine(row, one));
  });
}

/** Are the cells of the kinds that the example has? */
function isLike(row: Row, model: Row): boolean {
  return model.texts.every((shown, at) => {
    const text = row.texts[at] ?? "";
    if (EMPTY.test(shown) || EMPTY.test(text)) return true;
    if (NUMBER.test(shown) && /^\d/.test(shown)) return /\d/.test(text) || at === 0;
    if (/^\//.test(shown)) return /[/\d]/.test(text) || !/\s/.test(text);
    if (/^[A-Za-z]+$/.test(shown)) return !/^[-+]?\d[\d.,]*$/.test(text);
    return true;
  });
}

/** Do most columns of two rows begin or end at one place, or stand as far apart? */
function inLine(one: Row, other: Row): boolean {
  let same = 0;
  for (let at = 1; at < one.cells.length; at += 1) {
    const [a, b] = [one.cells[at], other.cells[at]];
    const [c, d] = [one.cells[at - 1], other.cells[at - 1]];
    if (a === undefined || b === undefined || c === undefined || d === undefined) continue;
    if (a.start === b.start || a.end === b.end || a.start - c.start === b.start - d.start) same += 1;
  }
  return same >= 0.7 * (one.cells.length - 1);
}

/** The loosest expression that reads the rows and no other line of the log. */
function rowOf(
  rows: readonly Row[],
  texts: readonly string[],
  others: readonly string[],
  groups: readonly string[],
  asked: ReadonlySet<string>,
  way: RegExp,
): RowReader {
  const whole = way === WAYS[0] ? "\\S+" : "\\S+(?: \\S+)*";
  const between = way === WAYS[0] ? "\\s+" : "\\s{2,}";
  const columns = groups.map((_, at) => rows.map((row) => row.texts[at] ?? ""));
  const make = (tight: number): string => {
    const parts = columns.map((own, at) => {
      const isLast = at === columns.length - 1;
      const long = own.some((text) => /\s/.test(text)) && isLast;
      const body = long ? "\\S.*?" : (classOf(own, tight) ?? (isLast && tight < 2 ? "\\S.*?" : whole));
      const gap = tight >= 3 && at > 0 && rows.every((row) => gapBefore(row, at) > 1) ? "\\s{2,}" : between;
      const part = asked.has(groups[at] ?? "") ? `(?<${groups[at] ?? ""}>${body})` : `(?:${body})`;
      return `${at === 0 ? "" : gap}${part.replace(/^\(\?:(\\S\+)\)$/, "$1")}`;
    });
    return `^\\s*${parts.join("")}\\s*$`;
  };
  const fits = (pattern: string): boolean => {
    const regex = new RegExp(pattern);
    return texts.every((line) => regex.test(line)) && !others.some((line) => regex.test(line));
  };
  const tried = [0, 1, 2, 3, 4].map(make);
  const loosest = tried.find(fits) ?? tried[1] ?? "";
  return { by: "pattern", pattern: loosest };
}

function gapBefore(row: Row, at: number): number {
  return (row.cells[at]?.start ?? 0) - (row.cells[at - 1]?.end ?? 0);
}

/** What the texts of a column have in common: numbers, or a few letters. */
function classOf(texts: readonly string[], tight: number): string | undefined {
  const filled = texts.filter((text) => !EMPTY.test(text));
  if (filled.length === 0) return undefined;
  const numbers = filled.every((text) => NUMBER.test(text));
  if (tight >= 1 && numbers) {
    const unit = filled.some((text) => /\D$/.test(text)) ? "[A-Za-z%?]{0,3}" : "";
    return filled.length === texts.length && tight >= 4
      ? `[-+]?\\d[\\d.,]*${unit}`
      : `(?:[-+]?\\d[\\d.,]*${unit}|[^\\w\\s]+|[A-Za-z()<>]{1,6}\\/?[A-Za-z()<>]{0,3})`;
  }
  const longest = Math.max(...texts.map((text) => text.length));
  if (tight >= 2 && longest <= 4 && texts.every((text) => /^\S+$/.test(text))) return `\\S{1,${longest + 1}}`;
  return undefined;
}
