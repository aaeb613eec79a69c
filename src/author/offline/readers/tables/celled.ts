// Tables whose cells stand between characters: bars, also of box drawings, semicolons, tabs, commas. The heading may have
// several lines, and other bars than the rows.

import type { Column } from "./gaps.ts";
import { type Grid, RULER } from "./grids.ts";
import { filledAbove, spansAbove } from "./spanned.ts";

/** Separators: an expression for all forms of it, and whether it frames its rows. */
const SEPARATORS: { any: RegExp; framing: boolean }[] = [
  { any: /[|│┃║]/, framing: true },
  { any: /;/, framing: true },
  { any: /\t/, framing: false },
  { any: /,/, framing: false },
];

const IS_RULER = new RegExp(RULER);
const MAX_ROWS = 200;
const MAX_HEADING = 5;

/** All such tables whose heading may name one of the wanted parts. */
export function celledGrids(lines: readonly string[], isNamed: (heading: string) => boolean): Grid[] {
  const grids: Grid[] = [];
  const verdicts = new Map<string, boolean>();
  let until = -1;
  lines.forEach((line, index) => {
    if (index <= until || line.length > 4000 || !/[A-Za-z]{2}/.test(line) || IS_RULER.test(line)) return;
    for (const { any, framing } of SEPARATORS) {
      if (!any.test(line)) continue;
      // The names may stand in the upper lines of the heading.
      const above = framing ? lines.slice(Math.max(0, index - 4), index).filter((one) => any.test(one)) : [];
      const text = [...above, line].join(" ");
      const verdict = verdicts.get(text) ?? isNamed(text);
      verdicts.set(text, verdict);
      const grid = verdict ? gridAt(lines, index, any, framing) : undefined;
      if (grid === undefined) continue;
      grids.push(grid);
      until = index + grid.rows.length;
      return;
    }
  });
  return grids;
}

/** The table whose heading ends at a line. */
function gridAt(lines: readonly string[], index: number, any: RegExp, framing: boolean): Grid | undefined {
  const line = lines[index] ?? "";
  // A heading line that begins and ends with a blank cell looks framed; its rows tell.
  const frame = new RegExp(`^\\s*${any.source}.*${any.source}\\s*$`);
  const row = lines.slice(index + 1, index + MAX_HEADING).find((one) => any.test(one) && !IS_RULER.test(one));
  const isFramed = framing && frame.test(line) && (row === undefined || frame.test(row));
  const cellsOf = (text: string): string[] => cut(text, any, isFramed);
  // "#fields<tab>ts<tab>uid": the first cell says what the line is, and rows have none for it.
  const told = /^#\w+$/.test(cellsOf(line)[0]?.trim() ?? "");
  const heading = cellsOf(line).slice(told ? 1 : 0);
  if (heading.length < 2 || !heading.some((cell) => /[A-Za-z]/.test(cell)) || heading.some(isData)) return;
  const isRow = (text: string): boolean => cellsOf(text).length === heading.length;
  const rows = rowsBelow(lines, index, told, isRow);
  const ruled = IS_RULER.test(lines[index + 1] ?? "");
  // Words under words in a frame: lines of a heading, of which the last has the rows.
  const next = lines.slice(index + 1, index + MAX_HEADING).findIndex((one) => IS_RULER.test(one));
  const inHeading =
    next > 0 && lines.slice(index + 1, index + 1 + next).every((one) => !cellsOf(one).some(isData));
  if (rows.length === 0 || (framing && !ruled && inHeading)) return undefined;
  const heads = [line];
  for (let at = index - 1; at > index - MAX_HEADING && framing && ruled; at -= 1) {
    const above = lines[at] ?? "";
    if (IS_RULER.test(above) || !isRow(above) || cellsOf(above).some(isData)) break;
    heads.unshift(above);
  }
  const over = framing && isFramed ? spansOver(lines, index - heads.length, line, any) : undefined;
  const above = heads.map((head) => cellsOf(head).map((cell) => cell.trim()));
  if (above.length > 1 && above[0] !== undefined) above[0] = filledAbove(above[0], above.at(-1) ?? []);
  const columns = heading.map((_, number): Column => {
    const names = above.map((cells) => cells[number + (told ? 1 : 0)] ?? "");
    if (over !== undefined) names.unshift(over[number] ?? "");
    const texts = rows.map((row) => cellsOf(row)[number]?.trim() ?? "");
    return {
      name: names
        .filter((name) => name !== "")
        .join(" ")
        .replace(/^"(.*)"$/, "$1"),
      lines: names,
      start: 0,
      end: 0,
      texts,
    };
  });
  const char = any.exec(rows[0] ?? "")?.[0] ?? "";
  const by = framing && (isFramed || any.source !== ";") ? "bars" : "char";
  return { index, heads, columns, fixed: false, rows, separator: { by, char, framed: isFramed } };
}

/** The headings over several columns in the line above a heading, perhaps with a ruler between. */
function spansOver(
  lines: readonly string[],
  top: number,
  heading: string,
  any: RegExp,
): string[] | undefined {
  const above = lines.slice(Math.max(0, top - 1), top + 1).reverse();
  return above
    .filter((one) => !IS_RULER.test(one) && !cut(one, any, true).some(isData))
    .map((one) => spansAbove(one, heading, any))
    .find((one) => one !== undefined);
}

/** The rows below a heading, without rulers and lines that say what they are. */
function rowsBelow(
  lines: readonly string[],
  index: number,
  told: boolean,
  isRow: (text: string) => boolean,
): string[] {
  const rows: string[] = [];
  for (let at = index + 1; at < lines.length && rows.length < MAX_ROWS; at += 1) {
    const row = lines[at] ?? "";
    if (IS_RULER.test(row) || (told && row.startsWith("#"))) continue;
    if (row.trim() === "" || !isRow(row)) break;
    rows.push(row);
  }
  return rows;
}

/** The cells of a line. */
function cut(text: string, any: RegExp, framed: boolean): string[] {
  const cells = (framed ? text.trim() : text).split(any);
  return framed ? cells.slice(1, -1) : cells;
}

/** A number, a time or the like: no name of a column. */
function isData(cell: string): boolean {
  return /^\s*"?[-+]?\d/.test(cell) || /\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d/.test(cell) || cell.trim().length > 60;
}
