// Where a table ends: at a blank line, at a ruler behind which only totals stand, at the heading of another table.

import { escapeRegex } from "../../escape.ts";
import type { RowReader, TableRule } from "../../program/ir.ts";
import { joinWrapped } from "../../program/wraps.ts";
import { nextTable, RULER } from "./grids.ts";
import type { Header } from "./headers.ts";

const IS_RULER = new RegExp(RULER);
/** "===== 12 passed in 3 s =====": a line framed by marks is no row. */
const BANNER = "^\\s*([-=*#_~])\\1{4,}\\s.*\\s\\1{5,}\\s*$";
const IS_BANNER = new RegExp(BANNER);
const TOTAL = /^\s*(?:grand )?(?:total|sum|average|mean|overall|all|subtotal|summary)s?\b/i;

/** "The table ends with a blank line", "a blank line closes it". */
const ENDS_BLANK =
  /\b(?:blank|empty) lines? (?:ends?|closes?|terminates?|finishes|marks? the end)\b|\b(?:ends?|stops?|closes?|closed|ended|goes on|terminated|finished|up to|until)\b(?: with| at| by| in| up to| until)* (?:an?|the|the next|the first) (?:blank|empty) line\b/i;

/** What ends such a table: a ruler, where what stands behind it are totals and no rows; a blank line, where the page says so. */
export function endOf(lines: readonly string[], headers: readonly Header[], prose = ""): TableRule["ends"] {
  const [header] = headers;
  if (header?.separator.by === "char" && ENDS_BLANK.test(prose)) return "blank";
  // Rows framed by semicolons stand in reports, with other tables behind a blank line.
  const isFramed = header?.separator.by === "char" && header.line.trim().startsWith(header.separator.char);
  if ((header?.separator.by === "char" && !isFramed) || header?.headless !== undefined) return "file";
  if (headers[0]?.pattern === undefined) return "blank";
  const behind = headers.flatMap((header) => {
    const rows = body(lines, header, "ruler");
    const all = body(lines, header, "blank");
    return rows.length === 0 || all.length === rows.length ? [] : [{ rows, rest: all.slice(rows.length) }];
  });
  const closed = behind.some(({ rest }) =>
    headers.some((header) => isTotal(rest[0] ?? "") || !isRow(rest[0] ?? "", header)),
  );
  return closed ? "ruler" : "blank";
}

function isTotal(line: string): boolean {
  return TOTAL.test(line.replace(/^[\s|│┃║;]+/, ""));
}

/** Is a line cut like the rows of a table? */
function isRow(line: string, header: Header): boolean {
  if (header.separator.by !== "blanks") return line.includes(header.separator.char);
  if (header.fixed === true)
    return header.cells.every(({ start }) => start === 0 || (line.charAt(start - 1) || " ") === " ");
  return line.trim().split(/\s+/).length === header.cells.length;
}

/** The lines below a heading row up to the end of the table, without rulers. */
export function body(lines: readonly string[], header: Header, ends: TableRule["ends"]): string[] {
  if (header.headless !== undefined) return [...(header.rows ?? [])];
  const rows: string[] = [];
  for (let at = header.index + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "") break;
    if (IS_RULER.test(line)) {
      if (ends === "ruler" && rows.length > 0) break;
      continue;
    }
    if (header.separator.by === "blanks" && IS_BANNER.test(line) && !IS_RULER.test(line)) break;
    if (header.separator.by === "bars" && !line.includes(header.separator.char)) break;
    rows.push(line);
  }
  const next = header.separator.by === "blanks" ? nextTable(rows) : undefined;
  const own = next === undefined ? rows : rows.slice(0, next.at);
  return header.wrapped === true ? joinWrapped(own).rows : own;
}

/** Expressions of the lines that begin another table right below the rows, without a blank line between. */
export function untilOf(lines: readonly string[], headers: readonly Header[]): string[] {
  const found = new Set<string>();
  for (const header of headers) {
    if (header.separator.by !== "blanks" || header.headless !== undefined) continue;
    const rows: string[] = [];
    for (let at = header.index + 1; at < lines.length && (lines[at] ?? "").trim() !== ""; at += 1)
      if (!IS_RULER.test(lines[at] ?? "")) rows.push(lines[at] ?? "");
    if (rows.some((row) => IS_BANNER.test(row))) found.add(BANNER);
    for (const line of nextTable(rows)?.lines ?? [])
      found.add(`^\\s*${line.trim().split(/\s+/).map(escapeRegex).join("\\s+")}\\s*$`);
  }
  return [...found];
}

/** Is the line a row with numbers in the columns where all rows above have numbers? */
function isLike(row: RegExp, above: readonly string[], line: string): boolean {
  const own = row.exec(line);
  if (own === null) return false;
  const cells = above.map((one) => row.exec(one)?.groups ?? {});
  const isNumber = (text: string | undefined): boolean => /^[-+]?\d/.test(text ?? "");
  return Object.entries(own.groups ?? {}).every(
    ([name, text]) =>
      isNumber(text) || /^[-–?]$/.test(text ?? "") || !cells.every((one) => isNumber(one[name])),
  );
}

/** The end with the reader of the rows at hand: where rows go on behind a blank line, only a line that is no row ends. */
export function endWith(
  lines: readonly string[],
  headers: readonly Header[],
  row: RowReader,
  ends: TableRule["ends"],
): TableRule["ends"] {
  if (
    ends === "file" ||
    row.by !== "pattern" ||
    !/(?:\$|\\S\.\*\))$/.test(row.pattern) ||
    (headers[0]?.cells.length ?? 0) < 4
  )
    return ends;
  const regex = new RegExp(row.pattern);
  const goesOn = headers.some((header) => {
    let at = header.index + 1;
    while (at < lines.length && (lines[at] ?? "").trim() !== "") at += 1;
    const next = lines[at + 1] ?? "";
    const above = lines.slice(header.index + 1, at).filter((line) => regex.test(line));
    return above.length > 0 && /\d/.test(next) && !IS_BANNER.test(next) && isLike(regex, above, next);
  });
  return goesOn ? "mismatch" : ends;
}
