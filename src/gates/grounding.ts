// Grounding of records in their text: `matched_content` must be exactly the text at `line_number`; without a line number it
// must occur in the file. Part of gate4_evidence, applied to every run of Atom A.

import type { ParsedItem } from "../contract/atoms.ts";
import type { FindingCode } from "../contract/finding-codes.ts";
import { count } from "../core/words.ts";
import { show } from "./show.ts";

export interface GroundingProblem {
  code: FindingCode;
  message: string;
  example: string;
}

/** The lines of a text by 1-based number. The text is not split, and scanned only as far as necessary. */
export class LineIndex {
  readonly text: string;
  private readonly starts: number[] = [0];
  /** The scan has reached the end of the text. */
  private complete = false;

  constructor(text: string) {
    this.text = text;
  }

  /** Number of lines; behind a final newline is an empty last line. */
  get count(): number {
    this.scan(Number.POSITIVE_INFINITY);
    return this.starts.length;
  }

  /** Character position at which a line starts. */
  startOf(number: number): number {
    this.scan(number);
    return this.starts[number - 1] ?? this.text.length;
  }

  /** Text of lines `from` to `to`, both included, without the last newline. */
  slice(from: number, to: number): string {
    this.scan(Math.max(from, to + 1));
    const start = this.starts[Math.max(0, from - 1)] ?? this.text.length;
    const next = this.starts[to];
    return this.text.slice(start, next === undefined ? undefined : next - 1);
  }

  line(number: number): string | undefined {
    this.scan(number);
    return number >= 1 && number <= this.starts.length ? this.slice(number, number) : undefined;
  }

  /** Scans until the starts of the first `lines` lines are known, and that of the line at `position`. */
  private scan(lines: number, position = -1): void {
    const { starts, text } = this;
    let last = starts[starts.length - 1] ?? 0;
    while (!this.complete && (starts.length < lines || last <= position)) {
      const at = text.indexOf("\n", last);
      if (at < 0) this.complete = true;
      else {
        last = at + 1;
        starts.push(last);
      }
    }
  }

  /** 1-based line of a character position. */
  lineAt(position: number): number {
    this.scan(0, position);
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}

/** The first record that is not grounded in the text. A final CR is part of the line end. */
export function groundingProblem(text: string, records: readonly ParsedItem[]): GroundingProblem | undefined {
  if (records.length === 0) return undefined;
  const lines = new LineIndex(text);
  for (const record of records) {
    const problem =
      record.line_number === null
        ? checkWithoutLine(record, text)
        : checkLine(record, record.line_number, lines);
    if (problem) return problem;
  }
  return undefined;
}

function checkLine(record: ParsedItem, number: number, lines: LineIndex): GroundingProblem | undefined {
  const content = record.matched_content;
  const line = lines.line(number);
  if (line === undefined) {
    const message = `\`line_number\` ${number} does not exist; the text has ${count(lines.count, "line")}.`;
    return { code: "line_out_of_range", message, example: exampleOf(record) };
  }
  if (content === stripCr(line)) return undefined;
  if (content === line) return undefined;
  // A record of several lines may contain all of them, from its line on.
  const height = content.split("\n").length;
  if (height > 1 && stripCr(lines.slice(number, number + height - 1).replaceAll("\r\n", "\n")) === content)
    return undefined;
  return explainMismatch(record, number, line, lines);
}

function explainMismatch(
  record: ParsedItem,
  number: number,
  line: string,
  lines: LineIndex,
): GroundingProblem {
  const content = record.matched_content;
  const example = `line ${number} is ${show(line, 120)}, matched_content is ${show(content, 120)}`;
  const rule = "`matched_content` must be the whole text of the line at `line_number` (1-based), unchanged";
  for (const offset of [1, -1]) {
    const other = lines.line(number + offset);
    if (other !== undefined && stripCr(other) === content && content !== "") {
      const base = offset === 1 ? " Count from 1, not from 0." : "";
      return {
        code: "line_number_off",
        message: `${rule}; here it is line ${number + offset}, but \`line_number\` is ${number}.${base}`,
        example,
      };
    }
  }
  if (content.trim() === line.trim() || squash(content) === squash(line)) {
    return { code: "content_changed", message: `${rule}; it was trimmed or normalized.`, example };
  }
  if (content !== "" && line.includes(content)) {
    return { code: "content_partial", message: `${rule}; it is only a part of the line.`, example };
  }
  return { code: "not_grounded", message: `${rule}; it is elsewhere or missing.`, example };
}

/** Without a line number, the content must occur in the file, as whole lines or parts of them. */
function checkWithoutLine(record: ParsedItem, text: string): GroundingProblem | undefined {
  const content = record.matched_content;
  if (content === "") return undefined;
  if (text.includes(content)) return undefined;
  const plain = text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
  if (plain.includes(content) || content.split("\n").every((line) => plain.includes(line))) return undefined;
  // Several lines joined with a mark.
  const parts = content.split(/\s+(?:[|;/…]|\.{3})\s+|;\s+/);
  if (parts.length > 1 && parts.every((part) => part.trim().length > 3 && plain.includes(part.trim())))
    return undefined;
  return {
    code: "not_grounded",
    message:
      "The `matched_content` of a record without `line_number` must occur in its file; this text does not.",
    example: exampleOf(record),
  };
}

function exampleOf(record: ParsedItem): string {
  return show(
    { value: record.value, line_number: record.line_number, matched_content: record.matched_content },
    260,
  );
}

function stripCr(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function squash(text: string): string {
  return text.replace(/\s+/g, " ").trim().toLowerCase();
}

/** The text of a line; with null, of the first record with a line. */
export function lineOfRecord(
  sample: { text: string; records: readonly ParsedItem[] },
  line: number | null,
): string {
  const number = line ?? sample.records.find((r) => r.line_number !== null)?.line_number ?? 1;
  return new LineIndex(sample.text).line(number) ?? "";
}
