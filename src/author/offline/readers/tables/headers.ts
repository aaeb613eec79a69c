// Heading rows: which line of a log names the columns that the page asks for, and how its cells are separated.

import { escapeRegex } from "../../escape.ts";
import { fieldName, likeness as likenessOf, matchNames, wordsOf } from "../../page/names.ts";
import type { Hint, Listed } from "../../page/page.ts";
import type { RowReader } from "../../program/ir.ts";

/** `framed`: whether rows begin and end with it, where that is known. */
export type Separator = { by: "blanks" } | { by: "bars" | "char"; char: string; framed?: boolean };

/** Vertical bars of tables: of plain text and of box drawings. */
const BARS = ["|", "│", "┃", "║"];

export interface HeaderCell {
  name: string;
  start: number;
  end: number;
}

export interface Header {
  line: string;
  index: number;
  separator: Separator;
  cells: HeaderCell[];
  /** Hint of each cell. */
  hints: (Hint | undefined)[];
  /** Mean likeness of the hints and the names of their columns. */
  likeness: number;
  /** The expression of the heading's last line, where it is not just the names of the cells. */
  pattern?: string;
  /** How many lines the heading has, where it has several. */
  lines?: number;
  /** All lines are blank in front of each cell. */
  fixed?: boolean;
  /** Each row has a text for each cell, wherever these stand; the last one may have several words. */
  counted?: boolean;
  /** The texts below each cell in the rows that were looked at. */
  texts?: string[][];
  /** The rows that these texts stand in. */
  rows?: readonly string[];
  /** Parts inside the cells of a column, which stand for hints of their own. */
  inside?: { hint: Hint; at: number; pattern: string }[];
  /** Some rows go on on the next line. */
  wrapped?: boolean;
  /** No heading stands above the rows, which this reads with the groups that are asked for. */
  headless?: (groups: readonly string[], asked: ReadonlySet<string>) => RowReader;
}

/** The likeliest heading rows, all of one text, or undefined. */
export function findHeader(
  lines: readonly string[],
  value: Hint | undefined,
  fields: readonly Hint[],
  lists: readonly Listed[] = [],
  prose = "",
): { headers: Header[]; missing: Hint[]; layouts: Header[][] } | undefined {
  const wanted = value === undefined ? [...fields] : [value, ...fields];
  const required = wanted.filter((hint) => !hint.optional);
  if (wanted.length < 2) return undefined;
  const first = required.length === 0 ? wanted : required;
  let best: Header | undefined;
  const seen = new Set<string>();
  lines.forEach((line, index) => {
    if (seen.has(line) || line.length > 2000 || !/[A-Za-z%#]/.test(line) || isRecord(line)) return;
    seen.add(line);
    for (const { separator, cells } of splits(line, lists)) {
      if (
        cells.length < 2 ||
        cells.length < Math.min(2, first.length) ||
        cells.some((cell) => /^[-+]?\d[\d.,%]*$/.test(cell.name))
      )
        continue;
      const hints = matchNames(
        cells.map((cell) => cell.name),
        wanted,
      );
      const found = hints.filter((hint) => hint !== undefined).length;
      if (found < Math.max(2, Math.ceil(wanted.length * 0.6))) continue;
      const likeness =
        hints.reduce(
          (sum, hint, at) => sum + (hint === undefined ? 0 : likenessOf(hint, cells[at]?.name ?? "")),
          0,
        ) / wanted.length;
      // Words of a sentence are no heading row.
      const covered = found / cells.length;
      const score = likeness + 0.2 * covered;
      if (
        best === undefined ||
        score > best.likeness + 0.2 * (best.hints.filter(Boolean).length / best.cells.length) + 1e-9
      ) {
        best = { line, index, separator, cells, hints, likeness };
      }
    }
  });
  const chosen = best;
  if (chosen === undefined) return undefined;
  byOrdinal(chosen, wanted, prose);
  const missing = required.filter((hint) => !chosen.hints.includes(hint));
  const key = norm(chosen);
  const headers: Header[] = [];
  lines.forEach((line, index) => {
    for (const { separator, cells } of splits(line, lists)) {
      if (JSON.stringify(separator) !== JSON.stringify(chosen.separator)) continue;
      if (cells.map((cell) => cell.name).join("|") !== key) continue;
      headers.push({ ...chosen, line, index, cells });
      break;
    }
  });
  return { headers, missing, layouts: otherLayouts(lines, chosen, wanted, lists) };
}

/** Heading rows with other columns around the wanted ones: the same table as another version prints it. */
function otherLayouts(
  lines: readonly string[],
  chosen: Header,
  wanted: readonly Hint[],
  lists: readonly Listed[],
): Header[][] {
  const found = new Map<string, Header[]>();
  lines.forEach((line, index) => {
    if (line.length > 2000 || line.trim() === "" || isRecord(line)) return;
    for (const { separator, cells } of splits(line, lists)) {
      if (JSON.stringify(separator) !== JSON.stringify(chosen.separator)) continue;
      const names = cells.map((cell) => cell.name);
      if (names.join("|") === norm(chosen)) return;
      const hints: (Hint | undefined)[] = names.map(() => undefined);
      const all = wanted.every((hint) => {
        const at = chosen.hints.indexOf(hint);
        if (at < 0) return true;
        const own = names.findIndex((name) => plainName(name) === plainName(chosen.cells[at]?.name ?? ""));
        if (own >= 0) hints[own] = hint;
        return own >= 0;
      });
      if (!all) continue;
      const key = names.join("|");
      const header = { ...chosen, line, index, cells, hints };
      found.set(key, [...(found.get(key) ?? []), header]);
      return;
    }
  });
  return [...found.values()];
}

/** A column's name without the mark behind it. */
function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[:*]+$/, "");
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];

/** "a row with a CVE number in the second column": a hint that no heading names. */
function byOrdinal(header: Header, wanted: readonly Hint[], prose: string): void {
  for (const match of prose.matchAll(
    /((?:[\w-]+ ){0,2}[\w-]+) (?:in|is|stands in|is in) the (first|second|third|fourth|fifth|sixth|last) column\b/gi,
  )) {
    const at =
      match[2]?.toLowerCase() === "last"
        ? header.cells.length - 1
        : ORDINALS.indexOf(match[2]?.toLowerCase() ?? "");
    const hint = wanted.find(
      (one) => likenessOf(one, (match[1] ?? "").replace(/^.*\b(?:an?|the|its) /i, "")) >= 0.75,
    );
    if (hint === undefined || header.hints.includes(hint) || header.cells[at] === undefined) continue;
    header.hints[at] ??= hint;
  }
}

function norm(header: Header): string {
  return header.cells.map((cell) => cell.name).join("|");
}

/** JSON objects, lines with a time stamp and lines of pairs are records; no heading row has those. */
function isRecord(line: string): boolean {
  return (
    /^\s*[{[]\s*["{]/.test(line) ||
    /\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d/.test(line) ||
    (line.match(/[\w"]\s*[=:]\s*(?:"[^"]*"|\d)/g) ?? []).length >= 2
  );
}

/** All ways to cut a line into cells. */
function splits(line: string, lists: readonly Listed[]): { separator: Separator; cells: HeaderCell[] }[] {
  const found: { separator: Separator; cells: HeaderCell[] }[] = [];
  const bars = (line.match(/[|│┃║]/g) ?? []).length;
  for (const char of BARS) {
    if (line.includes(char)) found.push({ separator: { by: "bars", char }, cells: cellsBy(line, char) });
  }
  for (const char of [",", ";", "\t"]) {
    if (line.includes(char)) found.push({ separator: { by: "char", char }, cells: cellsBy(line, char) });
  }
  for (const list of lists) {
    const cells = bars === 0 ? cellsByNames(line, list.names) : undefined;
    if (cells !== undefined) found.push({ separator: { by: "blanks" }, cells });
  }
  // "Device:      r/s   w/s": the mark behind the first heading is none between two texts.
  const plain = line.trim().replace(/^(?:[\w-]+ ?){1,3}:(?=\s{2,}\S+(?:\s{1,}\S+)+$)/, "");
  if (bars === 0 && !/[,;:]\s/.test(plain)) {
    const wide = [...line.matchAll(/\S+(?: \S+)*/g)].map(toCell);
    const words = [...line.matchAll(/\S+/g)].map(toCell);
    if (wide.length > 1) found.push({ separator: { by: "blanks" }, cells: wide });
    if (words.length !== wide.length) found.push({ separator: { by: "blanks" }, cells: words });
  }
  return found;
}

/** Cells of a line that is made of the listed names, in their order. */
function cellsByNames(line: string, names: readonly string[]): HeaderCell[] | undefined {
  const cells: HeaderCell[] = [];
  let at = 0;
  for (const name of names) {
    const start = line.toLowerCase().indexOf(name.toLowerCase(), at);
    if (start < 0 || line.slice(at, start).trim() !== "") return undefined;
    at = start + name.length;
    cells.push({ name: line.slice(start, at), start, end: at });
  }
  return line.slice(at).trim() === "" && wordsOf(line).length >= 2 ? cells : undefined;
}

function toCell(match: RegExpMatchArray): HeaderCell {
  const start = match.index ?? 0;
  return { name: match[0], start, end: start + match[0].length };
}

function cellsBy(line: string, char: string): HeaderCell[] {
  const cells: HeaderCell[] = [];
  let at = 0;
  for (const part of line.split(char)) {
    const name = part.trim().replace(/^"(.*)"$/, "$1");
    cells.push({ name, start: at, end: at + part.length });
    at += part.length + 1;
  }
  const framed = BARS.includes(char) && cells[0]?.name === "" && cells.at(-1)?.name === "";
  return framed ? cells.slice(1, -1) : cells;
}

/** Words, perhaps with a unit in brackets or alternatives behind a slash; nothing that looks like data. */
const HEADING_CELL = /^[A-Za-z%#][A-Za-z %#.'-]*(?: ?\([^()]*\))?(?: ?\/ ?[A-Za-z].*)?$/;

/** Is a line the heading row of a table with these columns? Two names of hints at least, and nothing but names. */
export function isHeadingRow(line: string, hints: readonly Hint[]): boolean {
  if (/\d/.test(line) || !/[A-Za-z]/.test(line) || isRecord(line)) return false;
  const plain = line.trim().replace(/^[|;│\s]+|[|;│\s]+$/g, "");
  return [/\s*[|│;,\t]\s*|\s{2,}/, /\s+/].some((gap) => {
    const cells = plain.split(gap).map((cell) => cell.replace(/:$/, ""));
    if (cells.length < 3 || !cells.every((cell) => HEADING_CELL.test(cell))) return false;
    const named = hints.filter((hint) => cells.some((cell) => likenessOf(hint, cell) >= 0.6));
    return named.length >= 3 || (named.length === 2 && cells.length <= 4);
  });
}

/** Names of groups for the cells: those of the hints, else the column's own. */
export function groupNames(header: Header): string[] {
  const used = new Set<string>();
  return header.cells.map((cell, index) => {
    const wish = header.hints[index]?.name ?? fieldName(cell.name);
    let name = /^[A-Za-z]\w*$/.test(wish) ? wish : `column_${index + 1}`;
    while (used.has(name)) name += "_2";
    used.add(name);
    return name;
  });
}

/** The expression of such heading rows. */
export function headerPattern(header: Header): string {
  if (header.pattern !== undefined) return header.pattern;
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
