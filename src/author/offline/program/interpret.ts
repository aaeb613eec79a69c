// Runs the intermediate form directly, to rank candidates on the text that the tools showed. Says exactly what
// the code that `emit.ts` writes would extract.
import { holds } from "../page/conditions.ts";
import { withoutColours } from "./colours.ts";
import type {
  Above,
  BlockRule,
  Extracted,
  GroupFilter,
  LineRule,
  Program,
  Projection,
  Rule,
  Source,
  TableRule,
} from "./ir.ts";
import { partOf } from "./part-of.ts";
import { treeRecords } from "./tree/records.ts";
import { cellsUnder, headingsOf, PIECES } from "./under-headings.ts";
import { joinedRow } from "./wraps.ts";

export type Groups = Record<string, string | undefined>;

/** All records of a text, by line, then in the order of the rules. */
export function interpret(program: Program, text: string): Extracted[] {
  const printed = text.split(/\r?\n/);
  const lines = program.coloured === true ? printed.map(withoutColours) : printed;
  const found = program.rules.flatMap((rule) => interpretRule(rule, lines));
  if (program.coloured === true) for (const one of found) one.content = printed[one.line - 1] ?? one.content;
  return found.sort((a, b) => a.line - b.line);
}

export function interpretRule(rule: Rule, lines: readonly string[]): Extracted[] {
  if (rule.kind === "line") return lineRecords(rule, lines);
  if (rule.kind === "tree") return treeRecords(rule, lines);
  const own = partOf(lines, rule.scope);
  return rule.kind === "table" ? tableRecords(rule, own) : blockRecords(rule, own);
}

/** Marks in front of a text: bullets, signs, the lines of a tree. */
export const MARKS = /^[^\p{L}\p{N}/_.$"'(<[{]+/u;

function textOf(source: Source, groups: Groups, line: string): string {
  if (source.from === "line") return line.trim();
  if (source.from === "constant") return source.text;
  if (source.from === "joined") {
    return source.parts.map((part) => ("text" in part ? part.text : (groups[part.group] ?? ""))).join("");
  }
  const text = (groups[source.group] ?? "").trim();
  if (source.op === "bare") return text.replace(MARKS, "");
  return source.op === "basename" ? text.replace(/^.*[\\/]/s, "") : text;
}

export function record(projection: Projection, groups: Groups, line: string, number: number): Extracted {
  const fields: Record<string, string> = {};
  for (const { name, source } of projection.fields) {
    const text = textOf(source, groups, line);
    if (text !== "") fields[name] = text;
  }
  return { value: textOf(projection.value, groups, line), line: number, content: line, fields };
}

export function kept(filters: readonly GroupFilter[], groups: Groups): boolean {
  return filters.every((filter) => fulfils(filter, groups));
}

function fulfils(filter: GroupFilter, groups: Groups): boolean {
  const { than } = filter;
  const equals = than === undefined ? filter.equals : [(groups[than] ?? "").trim()];
  const own = [filter.group, ...(filter.also ?? [])].some((group) =>
    holds({ negate: false, ...filter, equals }, groups[group] ?? ""),
  );
  return own || (filter.or ?? []).some((one) => fulfils(one, groups));
}

/** Follows the lines above the records. Returns their groups, or undefined when the line is one of them. */
function followAbove(above: readonly Above[] = []): (line: string) => { groups: Groups; own: boolean } {
  const heads = above.map(({ pattern, clears }) => ({ regex: new RegExp(pattern), clears: clears ?? [] }));
  const groups: Groups = {};
  return (line) => {
    let own = false;
    for (const { regex, clears } of heads) {
      const match = regex.exec(line);
      if (match === null) continue;
      for (const group of clears) groups[group] = undefined;
      Object.assign(groups, match.groups);
      own = true;
    }
    return { groups, own };
  };
}

function lineRecords(rule: LineRule, lines: readonly string[]): Extracted[] {
  const patterns = rule.alternatives.map((one) => ({ ...one, regex: new RegExp(one.pattern) }));
  const open = rule.scope === undefined ? undefined : new RegExp(rule.scope.open);
  const close = rule.scope === undefined ? undefined : new RegExp(rule.scope.close);
  const items: Extracted[] = [];
  const above = followAbove(rule.above);
  let inside = open === undefined || rule.scope?.begins === true;
  lines.forEach((line, index) => {
    const head = above(line);
    if (open?.test(line) === true) {
      inside = true;
      return;
    }
    if (close?.test(line) === true) inside = false;
    if (head.own || !inside || rule.unless.some((text) => line.includes(text))) return;
    for (const { regex, projection } of patterns) {
      const match = regex.exec(line);
      if (match === null) continue;
      const groups = { ...head.groups, ...match.groups };
      const { value } = projection;
      if (value.from === "group" && groups[value.group] === undefined && rule.above !== undefined) return;
      if (kept(rule.filters, groups)) items.push(record(projection, groups, line, index + 1));
      return;
    }
  });
  return items;
}

/** Splits a line at a separator; double quotes protect it when `quoted`. */
export function splitCells(line: string, separator: string, quoted: boolean): string[] {
  if (!quoted) return line.split(separator);
  const cells: string[] = [];
  let cell = "";
  let inQuotes = false;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === '"' && inQuotes && line.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (char === '"') {
      inQuotes = !inQuotes;
    } else if (char === separator && !inQuotes) {
      cells.push(cell);
      cell = "";
    } else {
      cell += char;
    }
  }
  cells.push(cell);
  return cells;
}

function rowGroups(
  rule: TableRule,
  pattern: RegExp | undefined,
  line: string,
  heads: readonly [number, number][],
): Groups | undefined {
  const row = rule.row;
  if (row.by === "headings") {
    const cells = cellsUnder(line, heads, new RegExp(PIECES[row.pieces], "g"));
    return Object.fromEntries(
      row.groups.flatMap((group, index) => (group === null ? [] : [[group, cells[index]]])),
    );
  }
  if (row.by === "pattern") return pattern?.exec(line)?.groups;
  const groups: Groups = {};
  if (row.by === "columns") {
    for (const { group, start, end } of row.columns) groups[group] = line.slice(start, end ?? undefined);
    return groups;
  }
  if (!line.includes(row.separator)) return undefined;
  const text = row.framed ? line.trim().slice(row.separator.length) : line;
  const cells = splitCells(text, row.separator, row.quoted);
  if (row.framed) cells.pop();
  if (cells.length !== row.groups.length) return undefined;
  row.groups.forEach((group, index) => {
    if (group !== null) groups[group] = cells[index];
  });
  return groups;
}

/** Blank cells have the text of the row above. */
function carryInto(groups: Groups, carried: Groups, names: readonly string[]): void {
  for (const name of names) {
    if ((groups[name] ?? "").trim() === "") groups[name] = carried[name] ?? "";
    carried[name] = groups[name];
  }
}

/** The row together with the line below it, where it goes on there. */
function joinedWith(
  rule: TableRule,
  pattern: RegExp | undefined,
  line: string,
  next: string | undefined,
): string | undefined {
  return rule.wraps === true && pattern !== undefined ? joinedRow(line, next, pattern) : undefined;
}

/** Parts inside the cells of a column. */
function addParts(groups: Groups, rule: TableRule): void {
  for (const { group, from, pattern } of rule.parts ?? [])
    groups[group] = new RegExp(pattern).exec((groups[from] ?? "").trim())?.groups?.["part"];
}

/** Where a reading of tables stands. */
interface InTable {
  /** The section is wanted, and the line is below a heading row. */
  wanted: boolean;
  inside: boolean;
  tables: number;
  /** Rows of this table so far. */
  rows: number;
  carried: Groups;
  heads: [number, number][];
}

/** A line that is no row: a section title, a heading row, a ruler, a blank line. Moves the state on. */
function isFrame(rule: TableRule, regexes: TableRegexes, line: string, at: InTable): boolean {
  const title = regexes.heading?.exec(line)?.groups?.["title"];
  if (title !== undefined) {
    at.wanted = rule.sections?.wanted.includes(title.trim()) ?? false;
    at.inside = at.wanted && rule.headless === true;
    return true;
  }
  if (regexes.header.test(line)) {
    if (at.wanted) at.tables += 1;
    at.inside = at.wanted && (rule.only !== "first" || at.tables === 1);
    at.rows = 0;
    at.carried = {};
    if (rule.row.by === "headings") at.heads = headingsOf(line, rule.row.names);
    return true;
  }
  if (regexes.until.some((one) => one.test(line))) {
    at.inside = false;
    return true;
  }
  const isRuler = regexes.ruler.test(line);
  const closes =
    line.trim() === ""
      ? rule.ends !== "file" && rule.ends !== "mismatch"
      : isRuler && rule.ends === "ruler" && at.rows > 0;
  if (closes) at.inside = false;
  return isRuler || line.trim() === "";
}

interface TableRegexes {
  header: RegExp;
  ruler: RegExp;
  pattern: RegExp | undefined;
  heading: RegExp | undefined;
  until: RegExp[];
}

function tableRecords(rule: TableRule, lines: readonly string[]): Extracted[] {
  const regexes: TableRegexes = {
    header: new RegExp(rule.header),
    ruler: new RegExp(rule.ruler),
    pattern: rule.row.by === "pattern" ? new RegExp(rule.row.pattern) : undefined,
    heading: rule.sections === undefined ? undefined : new RegExp(rule.sections.heading),
    until: (rule.until ?? []).map((one) => new RegExp(one)),
  };
  let items: Extracted[] = [];
  const above = followAbove(rule.above);
  const at: InTable = {
    wanted: rule.sections === undefined,
    inside: rule.headless === true && rule.sections === undefined,
    tables: 0,
    rows: 0,
    carried: {},
    heads: [],
  };
  let rest = -1;
  lines.forEach((line, index) => {
    const head = above(line);
    if (index === rest) return;
    const before = at.tables;
    if (isFrame(rule, regexes, line, at)) {
      if (rule.only === "last" && at.tables > before) items = [];
      return;
    }
    if (head.own || !at.inside) return;
    at.rows += 1;
    const joined = joinedWith(rule, regexes.pattern, line, lines[index + 1]);
    if (joined !== undefined) rest = index + 1;
    const groups = rowGroups(rule, regexes.pattern, joined ?? line, at.heads);
    if (groups === undefined) {
      if (rule.ends === "mismatch") at.inside = false;
      return;
    }
    if (rule.unless.some((text) => line.includes(text))) return;
    addParts(groups, rule);
    carryInto(groups, at.carried, rule.carry ?? []);
    Object.assign(groups, { ...head.groups, ...groups });
    if (rule.required.some((group) => (groups[group] ?? "").trim() === "")) return;
    if (kept(rule.filters, groups)) items.push(record(rule.projection, groups, line, index + 1));
  });
  return items;
}

interface OpenBlock {
  groups: Groups;
  line: number;
  content: string;
  wanted: boolean;
}

/** Adds what further lines of a record have and it does not have yet; `last` is the line before that is not blank. */
function fillInner(
  groups: Groups,
  inner: readonly { regex: RegExp; after: RegExp | undefined }[],
  line: string,
  last: string,
): void {
  for (const { regex, after } of inner) {
    if (after?.test(last) === false) continue;
    for (const [group, text] of Object.entries(regex.exec(line)?.groups ?? {})) groups[group] ??= text;
  }
}

/** Does a line that starts no record end the one that `first` started? */
export function endsRecord(rule: Pick<BlockRule, "ends">, first: string, line: string): boolean {
  if (rule.ends === "blank") return line.trim() === "";
  return rule.ends === "dedent" && line.trim() !== "" && line.search(/\S/) <= first.search(/\S/);
}

function blockRecords(rule: BlockRule, lines: readonly string[]): Extracted[] {
  const start = new RegExp(rule.start);
  const keyLine = new RegExp(rule.keyLine);
  const labels = new Map(rule.keys.map(({ label, group }) => [label, group]));
  const inner = (rule.inner ?? []).map(({ pattern, after }) => ({
    regex: new RegExp(pattern),
    after: after === undefined ? undefined : new RegExp(after),
  }));
  const above = followAbove(rule.above);
  const items: Extracted[] = [];
  let block: OpenBlock | undefined;
  let before = "";
  const close = (): void => {
    const done = block;
    block = undefined;
    if (done?.wanted !== true) return;
    if (rule.required.some((group) => (done.groups[group] ?? "").trim() === "")) return;
    if (kept(rule.filters, done.groups)) {
      items.push(record(rule.projection, done.groups, done.content, done.line));
    }
  };
  lines.forEach((line, index) => {
    const head = above(line);
    const opened = head.own ? null : start.exec(line);
    if (head.own) {
      close();
    } else if (opened !== null) {
      close();
      const wanted = rule.title === undefined || lines[index + 1]?.trim() === rule.title;
      block = { groups: { ...head.groups, ...opened.groups }, line: index + 1, content: line, wanted };
    } else if (block !== undefined && endsRecord(rule, block.content, line)) {
      close();
    }
    const last = before;
    if (line.trim() !== "") before = line;
    if (block === undefined) return;
    fillInner(block.groups, inner, line, last);
    if (labels.size === 0) return;
    const match = keyLine.exec(line);
    const group = labels.get(match?.groups?.["key"]?.trim() ?? "");
    if (group === undefined || block.groups[group] !== undefined) return;
    block.groups[group] = match?.groups?.["text"] ?? "";
    if (rule.lineOf === "value" && group === rule.valueGroup) {
      block.line = index + 1;
      block.content = line;
    }
  });
  close();
  return items;
}

/** The object on a line, or undefined. */
export function parseObject(line: string): unknown {
  if (!line.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}
