// Tables with a heading row: how the rows are read, where a table ends, which of several tables are wanted.

import type { Group, Hint, Page } from "../../page/page.ts";
import { interpretRule } from "../../program/interpret.ts";
import type { GroupFilter, LineRule, Projection, RowReader, TableRule } from "../../program/ir.ts";
import { counterFilters } from "../counters.ts";
import { wantedSections } from "../sections.ts";
import { carriedHints } from "./carry.ts";
import { findGrid } from "./find-grid.ts";
import { RULER } from "./grids.ts";
import { findHeader, groupNames, type Header, headerPattern } from "./headers.ts";
import { findHeadless } from "./headless.ts";
import { restOf, restRow } from "./rest-column.ts";
import { conditionsOn, dropTotals, keepMarked, onlyTable } from "./row-filters.ts";
import { addParts, filledRows, isInside, withKinds, withNumbers } from "./row-parts.ts";
import { rowBelow } from "./rows.ts";
import { stripMarks } from "./stripped.ts";
import { body, endOf, endWith, untilOf } from "./table-end.ts";

export interface TableCandidate {
  rule: TableRule;
  /** The same table in other layouts. */
  also: TableRule[];
  confidence: number;
  reasons: string[];
  doubts: string[];
}

/** The readings of a table: by one heading row, by the structure of the table, and by rows like the one that the page shows.
 * `line` is what the reader of lines made of it. */
export function tableGroups(
  group: Group,
  page: Page,
  lines: readonly string[],
  line?: LineRule,
): TableCandidate[] {
  const value = group.value?.wholeLine === true ? undefined : group.value;
  const row = findHeader(lines, value, group.fields, page.lists, page.prose);
  const grid = findGrid(lines, group, page);
  const read = (one: FoundHeaders | undefined): TableCandidate[] => {
    const table = one === undefined ? undefined : readTable(group, page, lines, one);
    return table === undefined ? [] : [table];
  };
  const found = [row === undefined ? row : { ...row, doubts: repeatedNames(row.headers) }, grid].flatMap(
    read,
  );
  // What a reading of lines says of the cells counts only where no heading says it.
  const isHeaded = found.some((one) => one.confidence >= 0.8);
  found.push(...read(findHeadless(lines, group, page, isHeaded ? undefined : line)));
  for (const one of found) {
    doubtLayouts(one, grid?.layouts ?? []);
    keepShown(one, group);
  }
  return found;
}

/** Which part is which of several columns of one name? */
function repeatedNames([header]: readonly Header[]): string[] {
  const names = header?.cells.map(({ name }) => name) ?? [];
  const own = names.filter((_, at) => header?.hints[at] !== undefined);
  const twice = own.find((name) => names.filter((one) => one === name).length > 1);
  return twice === undefined ? [] : [`several columns are called ${twice}`];
}

/** "Average:  eth0  1.00": of several layouts those that the page shows, by the word in front of heading and row. */
function keepShown(one: TableCandidate, group: Group): void {
  const [word, other] = new Set(
    group.examples.flatMap(({ lines }) => lines.flatMap((line) => /^\s*(\w+:)\s/.exec(line)?.[1] ?? [])),
  );
  const rules = [one.rule, ...one.also];
  if (word === undefined || other !== undefined || rules.length < 2) return;
  const shown = rules.filter((rule) => rule.headerExample.trim().startsWith(word));
  const [first, ...rest] = shown;
  if (first === undefined || shown.length === rules.length) return;
  one.rule = first;
  one.also = rest;
}

/** The same table under another heading, which the rules do not read. */
function doubtLayouts(one: TableCandidate, layouts: readonly Header[][]): void {
  const rules = [one.rule, ...one.also];
  if (rules.some((rule) => rule.sections !== undefined)) return;
  const left = layouts.find(
    ([header]) => header !== undefined && !rules.some((rule) => new RegExp(rule.header).test(header.line)),
  );
  if (left === undefined) return;
  one.confidence -= 0.45;
  one.doubts.push(`a table with other columns is not read: ${left[0]?.line.trim() ?? ""}`);
}

/** The likeliest reading of a table. */
export function tableGroup(group: Group, page: Page, lines: readonly string[]): TableCandidate | undefined {
  return tableGroups(group, page, lines).sort((a, b) => b.confidence - a.confidence)[0];
}

/** Heading rows of one text, the parts that have no column, and heading rows of other layouts. */
export interface FoundHeaders {
  headers: Header[];
  missing: Hint[];
  layouts: Header[][];
  doubts?: string[];
  /** The titles above the tables hold parts of the records; they choose no tables. */
  titled?: boolean;
}

/** The table below the heading rows that were found. */
export function readTable(
  group: Group,
  page: Page,
  lines: readonly string[],
  found: FoundHeaders,
): TableCandidate | undefined {
  const main = tableOf(group, page, lines, found.headers, found);
  if (main === undefined) return undefined;
  for (const doubt of found.doubts ?? []) {
    main.doubts.push(doubt);
    main.confidence -= 0.3;
  }
  for (const headers of found.layouts) {
    const other = tableOf(group, page, lines, headers, found);
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
  { missing, titled }: FoundHeaders,
): TableCandidate | undefined {
  const value = group.value?.wholeLine === true ? undefined : group.value;
  const header = headers[0];
  if (header === undefined) return undefined;
  const groups = groupNames(header);
  const wanted = new Set(
    header.hints.flatMap((hint, index) => (hint === undefined ? [] : [groups[index] ?? ""])),
  );
  for (const { at } of header.inside ?? []) wanted.add(groups[at] ?? "");
  const ends = endOf(lines, headers, page.prose);
  // Rows without heading are the same for all of their places.
  const bodies = (header.headless === undefined ? headers : [header]).map((one) => body(lines, one, ends));
  const every = rowBelow(headers, groups, new Set(groups), bodies);
  const full = withAllTexts(header, headers, groups, every, ends, lines);
  const { filters, unread } = conditionsOn(page, full, groups);
  filters.push(...withoutComments(header, groups, bodies.flat()));
  for (const filter of filters) wanted.add(filter.group);
  const rest = restOf(group, header);
  let row =
    (rest === undefined ? undefined : restRow(header, groups, wanted, bodies.flat(), rest.name)) ??
    rowBelow(headers, groups, wanted, bodies);
  if (row === undefined) return undefined;
  row = withKinds(row, page, full, groups, wanted, (all) => rowBelow(headers, groups, all, bodies));
  const valueIndex = value === undefined ? -1 : header.hints.indexOf(value);
  const projection = projectionOf(group, page, header, groups, bodies.flat());
  if (rest !== undefined && row.by === "pattern" && row.pattern.includes(`(?<${rest.name}>`))
    projection.fields.push({ name: rest.name, source: { from: "group", group: rest.name } });
  const { doubts, lost } = columnDoubts(
    group,
    header,
    missing.filter((one) => one !== rest),
    unread,
  );
  let confidence = 0.6 + 0.4 * header.likeness - lost;
  const sections = sectionsOf(page, lines, headers, titled);
  if (sections?.doubt !== undefined) {
    confidence -= 0.45;
    doubts.push(sections.doubt);
  }
  const rule: TableRule = {
    kind: "table",
    header: headerPattern(header),
    headerExample: header.line,
    ...(header.headless === undefined ? {} : { headless: true }),
    row,
    ruler: RULER,
    ends: endWith(lines, headers, row, ends),
    ...(sections?.scope === undefined ? {} : { sections: sections.scope }),
    filters,
    unless: [],
    required: valueIndex < 0 ? [] : [groups[valueIndex] ?? ""],
    projection,
    example: bodies.flat()[0] ?? "",
  };
  if (isWrapped(row, headers)) rule.wraps = true;
  rule.row = withNumbers(rule, header, groups, lines);
  stripMarks(rule, header, groups, page.prose);
  addParts(rule, header, groups, group, lines);
  const until = untilOf(lines, headers);
  if (until.length > 0) rule.until = until;
  const only = headers.length > 1 && header.headless === undefined ? onlyTable(page) : undefined;
  if (only !== undefined) rule.only = only;
  keepMarked(rule, page);
  const carry = carriedIn(page, group, header, groups);
  if (carry.length > 0) rule.carry = carry;
  const { only: _only, ...everywhere } = rule;
  const without = interpretRule({ ...everywhere, filters: [] }, lines);
  const records = interpretRule(rule, lines);
  if (without.length === 0) return undefined;
  if (filters.length > 0 && records.length === 0) {
    confidence -= 0.45;
    doubts.push(
      `no row of the logs that were read has ${filters.map((one) => `${one.group} ${one.negate === true ? "other than" : "equal to"} ${one.equals.join(" or ")}`).join(" and ")}`,
    );
  }
  // Rows without a value go on with the row above; they are read all the same.
  const all = interpretRule({ ...everywhere, filters: [], required: [] }, lines);
  if (sections?.scope === undefined) {
    const [by, doubt] = skippedRows(header, bodies.flat(), all.length);
    confidence -= by;
    doubts.push(...doubt);
  }
  dropTotals(rule, page, lines);
  rule.filters.push(...counterFilters(rule, group, page, lines), ...filledRows(rule, group, lines));
  const reasons = [reasonOf(header, records.length)];
  return { rule, also: [], confidence, reasons, doubts };
}

/** The heading with all cells of the log in its columns, where the rows are read by `row`. */
function withAllTexts(
  header: Header,
  headers: readonly Header[],
  groups: readonly string[],
  row: RowReader | undefined,
  ends: TableRule["ends"],
  lines: readonly string[],
): Header {
  if (row === undefined) return header;
  const rule: TableRule = {
    kind: "table",
    header: headerPattern(header),
    headerExample: "",
    ...(header.headless === undefined ? {} : { headless: true }),
    row,
    ruler: RULER,
    ends: endWith(lines, headers, row, ends),
    filters: [],
    unless: [],
    required: [],
    projection: {
      value: { from: "line" },
      fields: groups.map((group) => ({ name: group, source: { from: "group", group } })),
    },
    example: "",
  };
  const rows = interpretRule(rule, lines);
  const texts = (header.texts ?? groups.map((): string[] => [])).map((own, at) => [
    ...own,
    ...new Set(rows.map((one) => one.fields[groups[at] ?? ""] ?? "").filter((text) => !own.includes(text))),
  ]);
  return { ...header, texts };
}

/** The tables that the page names by their titles, unless the titles are parts of the records. */
function sectionsOf(
  page: Page,
  lines: readonly string[],
  headers: readonly Header[],
  titled: boolean | undefined,
): ReturnType<typeof wantedSections> {
  return titled === true || isAmongRows(headers, lines) ? undefined : wantedSections(page, lines, headers);
}

/** Rows without heading: does a line of as many words stand right above some of them? It is no title. */
function isAmongRows(headers: readonly Header[], lines: readonly string[]): boolean {
  return headers.some(
    (one) =>
      one.headless !== undefined &&
      (lines[one.index] ?? "").trim().split(/\s+/).length >= one.cells.length - 1,
  );
}

/** Do some rows go on on the next line? */
function isWrapped(row: RowReader, headers: readonly Header[]): boolean {
  return row.by === "pattern" && headers.some((one) => one.wrapped === true);
}

function reasonOf(header: Header, count: number): string {
  const says =
    header.headless === undefined
      ? "A heading row names the columns"
      : "The page names the columns of rows without heading";
  return `${says}: ${header.cells.map((cell) => cell.name).join(", ")}; ${count} rows`;
}

/** Groups whose blank cells have the text of the row above. */
function carriedIn(page: Page, group: Group, header: Header, groups: readonly string[]): string[] {
  const value = group.value?.wholeLine === true ? undefined : group.value;
  return carriedHints(page, [...(value === undefined ? [] : [value]), ...group.fields]).flatMap((hint) => {
    const at = header.hints.indexOf(hint);
    return at < 0 ? [] : [groups[at] ?? ""];
  });
}

/** Rows between separators that a hash sign in front makes comments. */
function withoutComments(header: Header, groups: readonly string[], rows: readonly string[]): GroupFilter[] {
  const [group] = groups;
  const marked = rows.filter((row) => /^\s*#\s/.test(row)).length;
  if (header.separator.by !== "char" || group === undefined || marked === 0 || marked > rows.length * 0.3)
    return [];
  return [{ group, equals: ["#"], match: "prefix", negate: true }];
}

/** Lines below the heading that are not read, and how much they count. */
function skippedRows(header: Header, below: readonly string[], read: number): [number, string[]] {
  const skipped = below.length - read;
  if (skipped <= below.length * 0.2) return [0, []];
  // Lines with tabs, but not as many: rows that end early.
  const { separator } = header;
  const tabbed = separator.by !== "blanks" && separator.char === "\t";
  const celled = tabbed ? below.filter((line) => line.includes("\t")).length : 0;
  return [
    celled > read + below.length * 0.3 ? 0.45 : 0.2,
    [`${skipped} lines below the heading row are not read as rows`],
  ];
}

/** What the columns leave open: a part without a column, a condition that no column answers. */
function columnDoubts(
  group: Group,
  header: Header,
  missing: readonly Hint[],
  unread: readonly string[],
): { doubts: string[]; lost: number } {
  const value = group.value?.wholeLine === true ? undefined : group.value;
  const doubts: string[] = [];
  let lost = 0;
  if (group.value === undefined) {
    lost += 0.4;
    doubts.push("the page does not say what the value is");
  } else if (value !== undefined && !header.hints.includes(value) && !isInside(header, value)) {
    lost += 0.6;
    doubts.push(`no column is the value ${value.name}`);
  }
  for (const hint of missing.filter((one) => one !== value)) {
    lost += 0.4;
    doubts.push(`no column is the field ${hint.name}`);
  }
  for (const part of unread) {
    lost += 0.3;
    doubts.push(`nothing in the table was found for "${part}"`);
  }
  return { doubts, lost };
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
    /\bwithout (?:the |that |this |its |any )?(?:[\w-]+ )?(?:characters?|mark|sign|bullet|lines?|indent\w*|blanks?|dash(?:es)?|hyphens?|stars?|asterisks?|bars?|dots?)\b/i;
  const tree = rows.some((row) => /^\s*[\u2500-\u257f]/.test(row));
  return (
    tree ||
    page.marks?.stripped === true ||
    (said.test(value.description) && rows.some((row) => /^\s*[^\w\s"'(<[/.$-]/.test(row)))
  );
}
