// The answer of a statement: rows as lines of JSON, within the limits of the connection.
import { truncate } from "../core/limits.ts";
import { count } from "../core/words.ts";

export interface DataAnswer {
  /** One row per line, as JSON. */
  lines: string[];
  /** Whether there are more rows than these. */
  more: boolean;
  /** Number of rows, nodes and relationships changed by the statement; null for a read-only one. */
  changed: number | null;
}

export interface AnswerLimits {
  maxRows: number;
  maxBytes: number;
}

/** Collects lines until a limit is reached. */
export class AnswerLines {
  readonly lines: string[] = [];
  more = false;
  private bytes = 0;
  private readonly limits: AnswerLimits;

  constructor(limits: AnswerLimits) {
    this.limits = limits;
  }

  /** Adds a line; false when a limit is reached. */
  add(line: string): boolean {
    const left = this.limits.maxBytes - this.bytes;
    if (
      this.lines.length >= this.limits.maxRows ||
      (this.lines.length > 0 && Buffer.byteLength(line) > left)
    ) {
      this.more = true;
      return false;
    }
    const shown = truncate(line, this.limits.maxBytes).text;
    this.lines.push(shown);
    this.bytes += Buffer.byteLength(shown) + 1;
    return true;
  }
}

/** The answer as a text for a model. */
export function answerText(
  { lines, more, changed }: DataAnswer,
  { maxRows, maxBytes }: AnswerLimits,
): string {
  const rows = count(lines.length, "row");
  const cut = more
    ? `; there are more: an answer has at most ${count(maxRows, "row")} and ${count(maxBytes, "byte")}`
    : "";
  const head = changed === null ? `${rows}${cut}` : `${changed} changed, ${rows}${cut}`;
  return [`${head}.`, ...lines].join("\n");
}

/** A statement without surrounding whitespace and trailing semicolons. */
export function bareStatement(text: string): string {
  return text.trim().replace(/[\s;]+$/, "");
}

/** Wraps a statement in parentheses, so that it can only be a single query. The line ends confine comments. */
export function asQuery(statement: string): string {
  return `(\n${bareStatement(statement)}\n)`;
}
