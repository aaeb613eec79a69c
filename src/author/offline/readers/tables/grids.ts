// Tables by their own structure: a heading of one to four lines above rows, with columns where all of these lines are
// blank between two texts. Nothing of the page is used here; which column is which is decided in `columns.ts`.

import { joinWrapped } from "../../program/wraps.ts";
import { byRuler, CLOCK, type Column, columnsOf, spansOf, withoutClock } from "./gaps.ts";
import { type SpannedWords, spannedWords } from "./spanned.ts";

/** A heading with the rows below it. */
export interface Grid {
  /** Index of the heading's last line. */
  index: number;
  heads: readonly string[];
  columns: Column[];
  /** Columns by place: all lines are blank in front of each. Else every row has one text for each column. */
  fixed: boolean;
  /** What stands between the cells; blanks when nothing is said. `framed`: rows begin and end with it. */
  separator?: { by: "bars" | "char"; char: string; framed: boolean };
  rows: string[];
  /** The rows of all tables under this heading, which the columns have their texts from. */
  seen?: readonly string[];
  /** Columns by the number of texts alone. */
  counted?: boolean;
  /** Some rows go on on the next line. */
  wrapped?: boolean;
}

/** Lines of dashes and the like, box drawings included. */
export const RULER =
  "^\\s*[-=+|:*_~ \\u2500-\\u257f]*[-=+_~\\u2500\\u2501\\u2504\\u2550]{2}[-=+|:*_~ \\u2500-\\u257f]*$";

const IS_RULER = new RegExp(RULER);
/** A ruler that has a run for each column. */
const RUNS = /^\s*[-=~\u2500\u2550]+(?:\s+[-=~\u2500\u2550]+)+\s*$/;
/** Rows that columns are found by, and lines of a heading. */
const MAX_ROWS = 120;
const MAX_HEADING = 4;
/** Bars, semicolons and tabs between cells are read elsewhere. */
const BARRED = /[|│┃║;\t]/;

/** May a line be a heading, or a line of one? Words, hardly a number, no sentence. */
function isWordy(line: string): boolean {
  const words = line.trim().split(/\s+/);
  const numbers = words.filter((word) => /^[-+(]?[\d.]/.test(word)).length;
  const named = words.filter((word) => /^[([<]?[A-Za-z#%]/.test(word)).length;
  return (
    named > 0 &&
    numbers <= words.length * 0.2 &&
    line.length < 1000 &&
    !/[{}]|\d{4}-\d\d-\d\d|[.;,]$|[a-z], [a-z]/.test(line.trim()) &&
    !/^\s*\S+ = /.test(line)
  );
}

/** A line whose words stand apart like headings do: wide gaps, or it is indented. */
function isSpread(line: string): boolean {
  return /\S {2,}\S/.test(line.trimEnd()) || /^\s{4,}\S/.test(line);
}

/** All tables of columns set apart by blanks whose heading may name one of the wanted parts. Tables under the same
 * heading share their columns: what stands blank in one of them only is no gap. */
export function gridsOf(lines: readonly string[], isNamed: (heading: string) => boolean): Grid[] {
  const found = new Map<
    string,
    { index: number; heads: string[]; rows: string[]; ruler: string; whole: string[] }[]
  >();
  const verdicts = new Map<string, boolean>();
  let until = -1;
  lines.forEach((line, index) => {
    if (index <= until || !endsHeading(lines, index)) return;
    const below = rowsBelow(lines, index);
    const { last } = below;
    const all = below.rows.map(withoutTree);
    const barred = all.filter((row) => BARRED.test(row)).length;
    // A table of another kind may follow right behind; a mark in a few texts is no bar.
    const first =
      barred > all.length * 0.3 || BARRED.test(all.at(-1) ?? "")
        ? all.findIndex((row) => BARRED.test(row))
        : -1;
    const { rows, whole } = joinWrapped(first < 0 ? all : all.slice(0, first));
    if (rows.length === 0) return;
    // Words under words, and then a ruler or the end: lines of a heading, or text.
    if (rows.every(isWordy) && (rows.length <= 2 || !isSpread(line))) return;
    const heads = headingAt(lines, index);
    const text = heads.map(withoutClock).join(" ");
    const verdict = verdicts.get(text) ?? isNamed(text);
    verdicts.set(text, verdict);
    if (!verdict) return;
    // A line of words above the heading is none.
    if (!isSpread(line) && columnsOf(heads, rows.slice(0, 40)) === undefined) return;
    const key = heads.map((head) => withoutClock(head).trimEnd()).join("\n");
    const ruler = [lines[index + 1] ?? "", lines[index - heads.length] ?? ""].find((one) => RUNS.test(one));
    found.set(key, [...(found.get(key) ?? []), { index, heads, rows, ruler: ruler ?? "", whole }]);
    until = last;
  });
  return [...found.values()].flatMap((same) => {
    const heads = same[0]?.heads ?? [];
    const wrapped = same.some((one) => one.whole.length < one.rows.length);
    // A row of two lines may stand elsewhere than the others.
    const whole = same.flatMap((one) => one.whole);
    const rows = whole.length > 1 ? whole : same.flatMap((one) => one.rows);
    const seen = rows.slice(0, 4 * MAX_ROWS);
    const ruler = same[0]?.ruler ?? "";
    // Text may stand right behind the rows: they end where nothing stands apart any more.
    const cut = same.map((one) => ({ ...one, rows: withoutText(one.rows) }));
    const less = same
      .flatMap((one) => withoutText(whole.length > 1 ? one.whole : one.rows))
      .slice(0, 4 * MAX_ROWS);
    const spanned = heads.length > 1 ? spannedWords(heads.at(-2) ?? "", heads.at(-1) ?? "") : undefined;
    const ways: [typeof same, readonly string[], ReturnType<typeof columnsOf>][] = [
      [same, seen, spanned === undefined ? undefined : renamed(columnsOf(heads.slice(-1), seen), spanned)],
      [same, seen, byRuler(heads, seen, ruler)],
      [cut, less, less.length > 0 ? byRuler(heads, less, ruler) : undefined],
      [same, seen, columnsOf(heads, seen)],
      [cut, less, less.length > 0 && less.length < rows.length ? columnsOf(heads, less) : undefined],
    ];
    const way = ways.find(([, , found]) => found !== undefined);
    if (way?.[2] === undefined) return [];
    const [own, read, found] = way;
    return own.map((one) => ({
      index: one.index,
      heads,
      ...(found ?? { columns: [], fixed: false }),
      rows: one.rows,
      seen: read,
      wrapped,
    }));
  });
}

/** Columns below a heading that spans several of them. */
function renamed(
  found: ReturnType<typeof columnsOf>,
  { lead, names }: SpannedWords,
): ReturnType<typeof columnsOf> {
  if (found === undefined || found.columns.filter(({ name }) => name !== "").length !== names.length)
    return undefined;
  let at = -1;
  const columns = found.columns.map((column, number) => {
    if (column.name === "") return { ...column, name: at < 0 ? (lead[number] ?? "") : "" };
    at += 1;
    return { ...column, name: names[at] ?? column.name };
  });
  return { ...found, columns };
}

/** May a line be the only or the last line of a heading? */
function endsHeading(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? "";
  if (line.trim() === "" || line.length > 1000) return false;
  // "||/ Name  Version": marks in front of a heading are no bars.
  if (BARRED.test(line.replace(/^\s*[^\w\s]+(?=\s)/, ""))) return false;
  const plain = withoutClock(line);
  if (plain.trim().split(/\s+/).length < 2 && !isSpread(lines[index - 1] ?? "")) return false;
  if (IS_RULER.test(line) || !isWordy(plain)) return false;
  const next = lines[index + 1] ?? "";
  // A number in front, and the next one on the next line: both are rows.
  if (isCounted(line, next)) return false;
  if (!isSpread(next) || !isWordy(next) || /\d/.test(next)) return true;
  // A title above a heading row, or the upper line of a heading: the lower one stands right above the rows.
  return isSpread(line) && !(standsOver(line, next) && !isWordy(lines[index + 2] ?? "x"));
}

/** Does the next line go on counting? */
function isCounted(line: string, next: string): boolean {
  const [own, other] = [line, next].map((text) => /^\s*(\d+)\s/.exec(text)?.[1]);
  return own !== undefined && Number(other) === Number(own) + 1;
}

/** The rows up to the first line that has no wide gap, where those in front of it have one. */
function withoutText(rows: readonly string[]): string[] {
  const at = rows.findIndex((row) => !/\S {2,}\S/.test(row.trimEnd()));
  return at < 2 ? [...rows] : rows.slice(0, at);
}

/** The lines of a tree in front of a row are no bars between cells. */
function withoutTree(row: string): string {
  return row.replace(/^[\s│├└╰─╴`+|-]*[─╴]/, (tree) => " ".repeat(tree.length));
}

/** The lines of a heading that ends at a line: those above it whose words stand over columns as well. */
function headingAt(lines: readonly string[], index: number): string[] {
  const heads = [lines[index] ?? ""];
  for (let at = index - 1; at >= Math.max(0, index - MAX_HEADING + 1); at -= 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || IS_RULER.test(line) || /[|│┃║;\t]/.test(line)) break;
    const few = line.trim().split(/\s+/).length < 2;
    if (!isWordy(line) || CLOCK.test(line) || !(isSpread(line) || few)) break;
    // A title that stands alone, or a line of "Key: value", is no heading.
    if (/:(?:\s|$)/.test(line) || (few && !/^\s{4,}/.test(line)) || !standsOver(line, heads[0] ?? "")) break;
    heads.unshift(line);
  }
  return heads;
}

/** Does every word of the upper line touch at most few words of the lower one, and do most touch one? */
function standsOver(upper: string, lower: string): boolean {
  const above = spansOf(upper);
  const below = spansOf(lower);
  const touching = above.filter((one) => below.some((two) => one.start < two.end && two.start < one.end));
  return touching.length >= above.length * 0.3;
}

/** The rows below a heading, up to a blank line or a ruler behind them, and the index of the last. */
function rowsBelow(lines: readonly string[], index: number): { rows: string[]; last: number } {
  const rows: string[] = [];
  let at = index + 1;
  for (; at < lines.length && rows.length < MAX_ROWS; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || (IS_RULER.test(line) && rows.length > 0)) break;
    if (!IS_RULER.test(line)) rows.push(line);
  }
  const next = nextTable(rows);
  if (next === undefined) return { rows, last: at - 1 };
  return { rows: rows.slice(0, next.at), last: index + next.at };
}

/** Does another table begin among the rows below a heading, with a heading of its own and perhaps a title? New words where
 * all rows above have numbers, and numbers below. */
export function nextTable(rows: readonly string[]): { at: number; lines: string[] } | undefined {
  const used = new Map<string, number>();
  for (const row of rows)
    for (const word of row.trim().split(/\s+/)) used.set(word, (used.get(word) ?? 0) + 1);
  const isHeading = (line: string): boolean => {
    const words = line.trim().split(/\s+/);
    return (
      words.length >= 2 &&
      isSpread(line) &&
      isWordy(line) &&
      words.every((word) => /^[A-Za-z#%(][^\d]*$/.test(word) && (used.get(word) ?? 0) <= 2)
    );
  };
  for (let at = 1; at < rows.length - 1; at += 1) {
    // A title and a heading, or a heading alone.
    const titled = isWordy(rows[at] ?? "") && isHeading(rows[at + 1] ?? "");
    if (!titled && !isHeading(rows[at] ?? "")) continue;
    const first = at + (titled ? 2 : 1);
    if (first >= rows.length || isWordy(rows[first] ?? "")) continue;
    if (rows.slice(0, at).some(isWordy)) return undefined;
    return { at, lines: rows.slice(at, first) };
  }
  return undefined;
}
