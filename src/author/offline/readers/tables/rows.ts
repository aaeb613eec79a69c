// How the rows below a heading row are read: cells between separators, one expression, fixed columns, or pieces under
// their headings; the strictest of these that reads all rows.

import { mayHaveBlanks } from "../../parts/fit.ts";
import { splitCells } from "../../program/interpret.ts";
import type { RowReader } from "../../program/ir.ts";
import { GLUE, glued, standBelow, WIDE } from "./gaps.ts";
import type { Header } from "./headers.ts";
import { kindRow } from "./kind-row.ts";
import { underHeadings } from "./under-headings.ts";

/** How the rows below these headings are read. */
export function rowBelow(
  headers: readonly Header[],
  groups: readonly string[],
  wanted: ReadonlySet<string>,
  bodies: readonly (readonly string[])[],
): RowReader | undefined {
  const [header] = headers;
  if (header === undefined) return undefined;
  if (header.headless !== undefined) return header.headless(groups, wanted);
  const exact = exactRow(header, groups, wanted, bodies.flat());
  if (exact !== undefined) return exact;
  const wide = wideRow(header, groups, wanted, bodies.flat());
  if (wide !== undefined) return wide;
  if (header.pattern !== undefined && (header.fixed === false || header.wrapped === true)) {
    const kinds = kindRow(header, groups, wanted);
    if (kinds !== undefined) return kinds;
  }
  const plain = rowReader(header, groups, wanted, bodies.flat());
  // Columns that stand elsewhere in another table of the log cannot be cut at fixed places.
  const moved = new Set(headers.map((one) => one.cells.map(({ start }) => start).join())).size > 1;
  if (plain !== undefined && !(moved && plain.by === "columns")) return plain;
  if (moved) {
    // One expression may read each of the tables, though not all of them below the first heading.
    const each = headers.map((one, number) => rowPattern(one, groups, wanted, bodies[number] ?? []));
    const [first] = each;
    if (first !== undefined && each.every((one) => JSON.stringify(one) === JSON.stringify(first)))
      return first;
  }
  return underHeadings(headers, bodies, groups, wanted) ?? plain;
}

/** Rows that all have one text for each column. */
function exactRow(
  header: Header,
  groups: readonly string[],
  wanted: ReadonlySet<string>,
  rows: readonly string[],
): RowReader | undefined {
  if (header.pattern === undefined || header.separator.by !== "blanks" || rows.length === 0) return undefined;
  const cells = rows.map((row) => glued(row).trim().split(/\s+/));
  // Slashes between cells are no cells.
  const slashes = (row: readonly string[]): string => row.map((text) => (text === "/" ? "/" : "-")).join("");
  const forms = cells.map(slashes).sort((a, b) => a.length - b.length);
  const form = forms[0] ?? "";
  if (form.replaceAll("/", "").length !== groups.length) return undefined;
  // The last text of some rows has several words.
  const isLong = header.counted === true;
  const same = forms.filter((one) => one === form).length;
  if (isLong ? form.includes("/") || same < 0.6 * rows.length : same < rows.length) return undefined;
  if (!isLong && !standBelow(header.cells, rows)) return undefined;
  let number = -1;
  const parts = [...form].map((kind, index) => {
    if (kind === "/") return "\\/";
    number += 1;
    const group = groups[number] ?? "";
    const isClock = cells.every((row) => row[index]?.includes(GLUE) === true);
    const text = isClock ? "\\d[\\d:]+ [AP]M" : "\\S+";
    return wanted.has(group) ? `(?<${group}>${text})` : text;
  });
  if (isLong) parts.push((parts.pop() ?? "").replace(/\\S\+(\)?)$/, "\\S.*?$1"));
  return { by: "pattern", pattern: `^\\s*${parts.join("\\s+")}\\s*$` };
}

/** Rows whose texts stand apart by two blanks or more, one for each column. */
function wideRow(
  header: Header,
  groups: readonly string[],
  wanted: ReadonlySet<string>,
  rows: readonly string[],
): RowReader | undefined {
  if (header.pattern === undefined || header.fixed === true || header.separator.by !== "blanks")
    return undefined;
  if (rows.length === 0 || !rows.every((row) => [...row.matchAll(WIDE)].length === groups.length))
    return undefined;
  const text = "\\S+(?: \\S+)*";
  const parts = groups.map((group) => (wanted.has(group) ? `(?<${group}>${text})` : text));
  return { by: "pattern", pattern: `^\\s*${parts.join("\\s{2,}")}\\s*$` };
}

function rowReader(
  header: Header,
  groups: readonly string[],
  wanted: ReadonlySet<string>,
  rows: readonly string[],
): RowReader | undefined {
  const { separator } = header;
  const named = groups.map((group) => (wanted.has(group) ? group : null));
  if (separator.by === "bars") {
    const { char } = separator;
    const line = header.line.trim();
    const framed = separator.framed ?? (line.startsWith(char) && line.endsWith(char));
    return { by: "separator", separator: char, quoted: false, framed, groups: named };
  }
  if (separator.by === "char") {
    const quoted = [header.line, ...rows].some((line) => line.includes('"'));
    const fits = rows.filter(
      (row) => splitCells(row, separator.char, quoted).length === groups.length,
    ).length;
    if (fits === 0) return undefined;
    return { by: "separator", separator: separator.char, quoted, framed: false, groups: named };
  }
  const plain = rowPattern(header, groups, wanted, rows);
  if (plain !== undefined) return plain;
  const fixed =
    header.fixed === true ? atCells(header, groups, wanted) : fixedColumns(header, groups, wanted, rows);
  return (fixed === undefined ? undefined : looseColumn(header, groups, wanted, rows)) ?? fixed;
}

/** One expression per row, when no cell before the last wanted one is empty or has spaces. */
function rowPattern(
  header: Header,
  groups: readonly string[],
  wanted: ReadonlySet<string>,
  rows: readonly string[],
): RowReader | undefined {
  if (rows.length === 0) return undefined;
  const lastWanted = groups.reduce((last, group, index) => (wanted.has(group) ? index : last), 0);
  const last = groups.length - 1;
  const marks = rows.filter((row) => /^\s*[^\s\w/"'(<[.$~@%#&-]\s/.test(row)).length;
  const strip = (row: string): string => (marks > 0 ? row.replace(/^\s*[^\s\w/"'(<[.$~@%#&-]\s+/, "") : row);
  const counts = rows.map((row) => strip(row).trim().split(/\s+/).length);
  const parts: string[] = [];
  for (let index = 0; index <= lastWanted; index += 1) {
    const group = groups[index] ?? "";
    // The last column has the rest of the line, unless it is a number with a remark behind it.
    const numeric = rows.every((row) =>
      /^[-+]?\d[\d.,]*%?$/.test(strip(row).trim().split(/\s+/)[index] ?? ""),
    );
    const blanks = header.hints[index];
    const free = blanks !== undefined && mayHaveBlanks(blanks);
    const body = index === last && (!numeric || free) ? "\\S.*" : "\\S+";
    parts.push(wanted.has(group) ? `(?<${group}>${body})` : body);
  }
  const enough = counts.every((count) => count > lastWanted);
  const exact =
    counts.every((count) => count === groups.length) &&
    (marks > 0 || standBelow(header.cells, rows.slice(0, 60)));
  // More tokens than columns are the words of the last column only when the columns line up.
  if (
    !enough ||
    !(
      exact ||
      aligned(
        header,
        rows.map((row) => row),
        lastWanted === last ? last : lastWanted,
      )
    )
  )
    return undefined;
  const mark = marks > 0 ? "(?:[^\\s\\w]\\s+)?" : "";
  return { by: "pattern", pattern: `^\\s*${mark}${parts.join("\\s+")}` };
}

/** Do the tokens of the rows stand under their headings (left or right aligned) up to a column? */
function aligned(header: Header, rows: readonly string[], upTo: number): boolean {
  const sample = rows.slice(0, 60);
  const good = sample.filter((row) => {
    const tokens = [...row.matchAll(/\S+/g)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
    }));
    const shift = /^\s*[^\s\w]\s/.test(row) ? 1 : 0;
    for (let column = 1; column <= upTo; column += 1) {
      const cell = header.cells[column];
      const token = tokens[column + shift];
      if (cell === undefined || token === undefined) return false;
      const overlaps = token.start <= cell.end + 1 && token.end >= cell.start - 1;
      if (!overlaps) return false;
    }
    return true;
  });
  return good.length >= sample.length * 0.9;
}

/** One expression per row, where one column alone may be blank or have blanks: the others are counted from both
 * ends, so that a row with a longer text than the columns are wide is read as well. */
function looseColumn(
  header: Header,
  groups: readonly string[],
  wanted: ReadonlySet<string>,
  rows: readonly string[],
): RowReader | undefined {
  const all = fixedColumns(header, groups, new Set(groups), rows);
  if (all?.by !== "columns") return undefined;
  // Prompts and remarks below a table are no rows.
  const full = rows.filter((row) => row.trim().split(/\s+/).length >= groups.length - 1);
  if (full.length < rows.length * 0.7) return undefined;
  const cells = full.map((row) =>
    all.columns.map(({ start, end }) => row.slice(start, end ?? undefined).trim()),
  );
  const loose = groups.flatMap((_, index) =>
    cells.every((row) => /^\S+$/.test(row[index] ?? "")) ? [] : [index],
  );
  const [at] = loose;
  if (loose.length !== 1 || at === undefined || at === 0) return undefined;
  const parts = groups.map((group, index) => {
    const body = index === at ? "\\S.*?" : "\\S+";
    const part = wanted.has(group) ? `(?<${group}>${body})` : body;
    if (index === 0) return part;
    return index === at ? `(?:\\s+${part})?` : `\\s+${part}`;
  });
  const pattern = `^\\s*${parts.join("")}\\s*$`;
  const regex = new RegExp(pattern);
  const same = full.every((row, number) => {
    const found = regex.exec(row)?.groups;
    return groups.every(
      (group, index) => !wanted.has(group) || (found?.[group] ?? "") === cells[number]?.[index],
    );
  });
  return same ? { by: "pattern", pattern } : undefined;
}

/** Columns from the start of each cell to that of the next. */
function atCells(header: Header, groups: readonly string[], wanted: ReadonlySet<string>): RowReader {
  const columns = groups.flatMap((group, index) => {
    if (!wanted.has(group)) return [];
    const start = index === 0 ? 0 : (header.cells[index]?.start ?? 0);
    return [{ group, start, end: header.cells[index + 1]?.start ?? null }];
  });
  return { by: "columns", columns };
}

/** Columns between the gaps that all rows and the heading row share. */
function fixedColumns(
  header: Header,
  groups: readonly string[],
  wanted: ReadonlySet<string>,
  rows: readonly string[],
): RowReader | undefined {
  const all = [header.line, ...rows];
  const width = Math.max(...all.map((line) => line.length));
  if (rows.length === 0 || width > 1000) return undefined;
  const free = Array.from({ length: width }, (_, at) =>
    all.every((line) => /\s/.test(line.charAt(at) || " ")),
  );
  const bounds: number[] = [];
  for (let index = 1; index < header.cells.length; index += 1) {
    const left = header.cells[index - 1];
    const right = header.cells[index];
    if (left === undefined || right === undefined) return undefined;
    // The gap nearest to the heading on the right separates the two columns.
    let cut = -1;
    for (let at = right.start - 1; at >= left.end - 1; at -= 1) {
      if (free[at] === true) {
        cut = at;
        break;
      }
    }
    if (cut < 0) return undefined;
    bounds.push(cut);
  }
  const columns = groups.flatMap((group, index) => {
    if (!wanted.has(group)) return [];
    const start = index === 0 ? 0 : (bounds[index - 1] ?? 0);
    return [{ group, start, end: index === groups.length - 1 ? null : (bounds[index] ?? null) }];
  });
  return { by: "columns", columns };
}
