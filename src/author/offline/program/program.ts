// A program: data that describes what is read from a log. The generated atom consists of this data and the functions of
// runtime/.
import {
  type Beside,
  keep_records,
  type Limits,
  type LineReader,
  type ReadRecord,
  type RowReader,
  read_lines,
  read_rows,
  read_tree,
  type TreeReader,
} from "../runtime/index.ts";

/** One rule of a program: reads lines, rows of a table, or nodes of a document. */
export type RuleReader = (LineReader | RowReader | TreeReader) & Limits & Beside;

export type Program = readonly RuleReader[];

export interface LocatedRecord extends ReadRecord {
  file: number;
}

/** Name of the function of runtime/ that runs a rule. */
export function readerName(rule: RuleReader): "read_lines" | "read_rows" | "read_tree" {
  if ("tree" in rule) return "read_tree";
  return "grid" in rule ? "read_rows" : "read_lines";
}

/** Has a rule conditions that leave out some of the records it reads? */
export function isLimited({ under, skip_headings, skip_closing, keep }: RuleReader): boolean {
  return under !== undefined || skip_headings === true || skip_closing === true || keep !== undefined;
}

/** The records of a log in the order of their lines; if several rules read a line, the first one counts. */
export function runProgram(program: Program, lines: readonly string[]): ReadRecord[] {
  const byLine = new Map<number, ReadRecord>();
  for (const rule of program) {
    for (const record of keep_records(rule, readRule(rule, lines), lines)) {
      if (!byLine.has(record.line)) byLine.set(record.line, record);
    }
  }
  return [...byLine.values()].sort((a, b) => a.line - b.line);
}

function readRule(rule: RuleReader, lines: readonly string[]): ReadRecord[] {
  if ("tree" in rule) return read_tree(rule, lines);
  return "grid" in rule ? read_rows(rule, lines) : read_lines(rule, lines);
}

/** The records of all logs. */
export function runOver(program: Program, logs: readonly { lines: readonly string[] }[]): LocatedRecord[] {
  return logs.flatMap(({ lines }, file) => runProgram(program, lines).map((record) => ({ file, ...record })));
}
