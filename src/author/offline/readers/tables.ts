// Tables with a heading row: how the rows are read, where a table ends, which of several tables are wanted.

import { escapeRegex } from "../logs/tokens.ts";
import { filterOf } from "../page/conditions.ts";
import { similarity } from "../page/names.ts";
import type { FieldRule, Group, Hint, Page } from "../page/page.ts";
import { mayHaveBlanks } from "../parts/spans.ts";
import { interpretRule, splitCells } from "../program/interpret.ts";
import type { GroupFilter, Projection, RowReader, TableRule } from "../program/ir.ts";
import { carriedHints } from "./carry.ts";
import { counterFilters } from "./counters.ts";
import { findHeader, groupNames, type Header } from "./headers.ts";
import { restOf, restRow } from "./rest-column.ts";
import { wantedSections } from "./sections.ts";
import { underHeadings } from "./under-headings.ts";

export interface TableCandidate {
  rule: TableRule;
  /** The same table in other layouts. */
  also: TableRule[];
  confidence: number;
  reasons: string[];
  doubts: string[];
}

/** Lines of dashes and the like, box drawings included. */
const RULER =
  "^\\s*[-=+|:*_~ \\u2500-\\u257f]*[-=+_~\\u2500\\u2501\\u2504\\u2550]{2}[-=+|:*_~ \\u2500-\\u257f]*$";

export function tableGroup(group: Group, page: Page, lines: readonly string[]): TableCandidate | undefined {
  const value = group.value?.wholeLine === true ? undefined : group.value;
  const found = findHeader(lines, value, group.fields, page.lists, page.prose);
  if (found === undefined) return undefined;
  const main = tableOf(group, page, lines, found.headers, found.missing);
  if (main === undefined) return undefined;
  for (const headers of found.layouts) {
    const other = tableOf(group, page, lines, headers, found.missing);
    if (other === undefined || sectionsDiffer(main.rule, other.rule)) continue;
    main.also.push(other.rule);
    main.reasons.push(`Another layout of the table: ${other.reasons.join("; ")}`);
    for (const doubt of other.doubts.filter((one) => !main.doubts.includes(one))) {
      main.doubts.push(doubt);
      main.confidence -= 0.2;
    }
  }
  return main;
}

/** A layout that stands in no section that the page wants is another table. */
function sectionsDiffer(main: TableRule, other: TableRule): boolean {
  return main.sections !== undefined && other.sections === undefined;
}

function tableOf(
  group: Group,
  page: Page,
  lines: readonly string[],
  headers: readonly Header[],
  missing: readonly Hint[],
): TableCandidate | undefined {
  const value = group.value?.wholeLine === true ? undefined : group.value;
  const header = headers[0];
  if (header === undefined) return undefined;
  const groups = groupNames(header);
  const wanted = new Set(
    header.hints.flatMap((hint, index) => (hint === undefined ? [] : [groups[index] ?? ""])),
  );
  const filters = filtersFor(page.rules, header, groups);
  for (const filter of filters) wanted.add(filter.group);
  const bodies = headers.map((one) => body(lines, one));
  const rest = restOf(group, header);
  const row =
    (rest === undefined ? undefined : restRow(header, groups, wanted, bodies.flat(), rest.name)) ??
    rowBelow(headers, groups, wanted, bodies);
  if (row === undefined) return undefined;
  const valueIndex = value === undefined ? -1 : header.hints.indexOf(value);
  const projection = projectionOf(group, page, header, groups, bodies.flat());
  if (rest !== undefined && row.by === "pattern" && row.pattern.includes(`(?<${rest.name}>`))
    projection.fields.push({ name: rest.name, source: { from: "group", group: rest.name } });
  const doubts: string[] = [];
  let confidence = 0.6 + 0.4 * header.likeness;
  if (group.value === undefined) {
    confidence -= 0.4;
    doubts.push("the page does not say what the value is");
  } else if (value !== undefined && valueIndex < 0) {
    confidence -= 0.6;
    doubts.push(`no column is the value ${value.name}`);
  }
  for (const hint of missing.filter((one) => one !== value && one !== rest)) {
    confidence -= 0.4;
    doubts.push(`no column is the field ${hint.name}`);
  }
  const sections = wantedSections(page, lines, headers);
  if (sections?.doubt !== undefined) {
    confidence -= 0.3;
    doubts.push(sections.doubt);
  }
  const isFile = header.separator.by === "char";
  const rule: TableRule = {
    kind: "table",
    header: headerPattern(header),
    headerExample: header.line,
    row,
    ruler: RULER,
    ends: isFile ? "file" : bodies.flat().every((line) => line.trim() !== "") ? "blank" : "blank",
    ...(sections?.scope === undefined ? {} : { sections: sections.scope }),
    filters,
    unless: [],
    required: valueIndex < 0 ? [] : [groups[valueIndex] ?? ""],
    projection,
    example: bodies.flat()[0] ?? "",
  };
  keepMarked(rule, page);
  const carry = carriedHints(page, [...(value === undefined ? [] : [value]), ...group.fields]).flatMap(
    (hint) => {
      const at = header.hints.indexOf(hint);
      return at < 0 ? [] : [groups[at] ?? ""];
    },
  );
  if (carry.length > 0) rule.carry = carry;
  const without = interpretRule({ ...rule, filters: [] }, lines);
  const records = interpretRule(rule, lines);
  if (without.length === 0) return undefined;
  if (filters.length > 0 && records.length === 0) {
    confidence -= 0.25;
    doubts.push(
      `no row of the logs that were read has ${filters.map((one) => `${one.group} ${one.negate === true ? "other than" : "equal to"} ${one.equals.join(" or ")}`).join(" and ")}`,
    );
  }
  const skipped = bodies.flat().length - without.length;
  if (skipped > bodies.flat().length * 0.2 && sections?.scope === undefined) {
    confidence -= 0.2;
    doubts.push(`${skipped} lines below the heading row are not read as rows`);
  }
  dropTotals(rule, page, lines);
  rule.filters.push(...counterFilters(rule, group, page, lines));
  const reasons = [
    `A heading row names the columns: ${header.cells.map((cell) => cell.name).join(", ")}; ${records.length} rows`,
  ];
  return { rule, also: [], confidence, reasons, doubts };
}

/** How the rows below these headings are read. */
function rowBelow(
  headers: readonly Header[],
  groups: readonly string[],
  wanted: ReadonlySet<string>,
  bodies: readonly (readonly string[])[],
): RowReader | undefined {
  const [header] = headers;
  if (header === undefined) return undefined;
  const plain = rowReader(header, groups, wanted, bodies.flat());
  // Columns that stand elsewhere in another table of the log cannot be cut at fixed places.
  const moved = new Set(headers.map((one) => one.cells.map(({ start }) => start).join())).size > 1;
  if (plain !== undefined && !(moved && plain.by === "columns")) return plain;
  return underHeadings(headers, bodies, groups, wanted) ?? plain;
}

/** What a row gives: the cell of the value, and those of the fields that have a column. */
function projectionOf(
  group: Group,
  page: Page,
  header: Header,
  groups: readonly string[],
  rows: readonly string[],
): Projection {
  const value = group.value?.wholeLine === true ? undefined : group.value;
  const at = value === undefined ? -1 : header.hints.indexOf(value);
  const op =
    value?.basename === true
      ? { op: "basename" as const }
      : value !== undefined && isMarked(value, at, page, rows)
        ? { op: "bare" as const }
        : {};
  return {
    value: at < 0 ? { from: "line" } : { from: "group", group: groups[at] ?? "", ...op },
    fields: group.fields.flatMap((hint) => {
      const index = header.hints.indexOf(hint);
      return index < 0
        ? []
        : [{ name: hint.name, source: { from: "group" as const, group: groups[index] ?? "" } }];
    }),
  };
}

/** Does the value stand behind a mark that is no part of it, at the front of its row? */
function isMarked(value: Hint, index: number, page: Page, rows: readonly string[]): boolean {
  if (index !== 0) return false;
  const said =
    /\bwithout (?:the |that |this |its |any )?(?:[\w-]+ )?(?:characters?|mark|sign|bullet|lines?|indent\w*)\b/i;
  const tree = rows.some((row) => /^\s*[\u2500-\u257f]/.test(row));
  return (
    tree ||
    page.marks?.stripped === true ||
    (said.test(value.description) && rows.some((row) => /^\s*[^\w\s"'(<[/.$-]/.test(row)))
  );
}

/** Only rows with one of the marks that the page wants in front. */
function keepMarked(rule: TableRule, page: Page): void {
  const marks = page.marks?.wanted;
  if (marks === undefined) return;
  if (rule.row.by === "pattern" && rule.row.pattern.startsWith("^\\s*")) {
    rule.row.pattern = `^(?<mark>.)${rule.row.pattern.slice(1)}`;
  } else if (rule.row.by === "columns") {
    rule.row.columns.unshift({ group: "mark", start: 0, end: 1 });
  } else return;
  rule.filters.push({ group: "mark", equals: marks });
}

/** Closing rows ("Total") that the page calls no item. */
function dropTotals(rule: TableRule, page: Page, lines: readonly string[]): void {
  const value = rule.projection.value;
  if (value.from !== "group") return;
  const unwanted = new Set<string>();
  const negative =
    page.prose
      .match(
        /[^.\n]*\b(?:not (?:an?|wanted|counted|items?)|is no|are no|ignor\w+|exclud\w+|skip\w*)\b[^.\n]*/gi,
      )
      ?.join(" ")
      .toLowerCase() ?? "";
  for (const record of interpretRule(rule, lines)) {
    const word = record.value.toLowerCase().replace(/[:*]+$/, "");
    if (
      /^(?:grand )?(?:total|sum|average|mean|overall|all|subtotal|summary)s?$/.test(word) &&
      negative.includes(word.split(" ").at(-1) ?? word)
    ) {
      unwanted.add(record.value);
    }
  }
  if (unwanted.size > 0) rule.filters.push({ group: value.group, equals: [...unwanted], negate: true });
}

/** The lines below a heading row up to a blank line, without rulers. */
function body(lines: readonly string[], header: Header): string[] {
  const rows: string[] = [];
  const ruler = new RegExp(RULER);
  for (let at = header.index + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "" && (rows.length > 0 || header.separator.by === "char")) break;
    if (line.trim() === "") break;
    if (ruler.test(line)) continue;
    if (header.separator.by === "bars" && !line.includes(header.separator.char)) break;
    rows.push(line);
  }
  return rows;
}

function headerPattern(header: Header): string {
  const names = header.cells.map((cell) => escapeRegex(cell.name).replace(/\s+/g, "\\s+"));
  if (header.separator.by === "bars") {
    const bar = escapeRegex(header.separator.char);
    return `^\\s*${bar}?\\s*${names.join(`\\s*${bar}\\s*`)}\\s*${bar}?\\s*$`;
  }
  if (header.separator.by === "char") {
    const char = header.separator.char === "\t" ? "\\t" : header.separator.char;
    return `^\\s*"?${names.join(`"?\\s*${char}\\s*"?`)}"?\\s*$`;
  }
  return `^\\s*${names.join("\\s+")}\\s*$`;
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
    const framed = line.startsWith(char) && line.endsWith(char);
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
  const fixed = fixedColumns(header, groups, wanted, rows);
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
  const exact = counts.every((count) => count === groups.length);
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

/** The page's conditions on a column. */
export function filtersFor(
  rules: readonly FieldRule[],
  header: Header,
  groups: readonly string[],
): GroupFilter[] {
  const filters: GroupFilter[] = [];
  for (const rule of rules) {
    let best = -1;
    let like = 0.5;
    header.cells.forEach((cell, index) => {
      const likeness = Math.max(
        similarity(rule.name, cell.name),
        similarity(rule.name, hintName(header.hints[index])),
      );
      if (likeness > like) {
        like = likeness;
        best = index;
      }
    });
    const group = groups[best];
    if (group === undefined) continue;
    if (filters.some((one) => one.group === group && (one.negate ?? false) === rule.negate)) continue;
    filters.push(filterOf(rule, group));
  }
  return filters;
}

function hintName(hint: Hint | undefined): string {
  return hint?.name ?? "";
}
