// What a statement comes to: rows as lines of JSON, within the limits of the connection, and what was left out.

import { truncate } from "../core/limits.ts";
import { count } from "../core/words.ts";

export interface DataAnswer {
  /** One row each, as JSON. */
  lines: string[];
  /** Are there rows beyond these? */
  more: boolean;
  /** Rows, nodes and relationships that the statement changed; null for one that only reads. */
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

  /** False when no further line can be taken. */
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

/** A statement without blanks and semicolons around it. */
export function bareStatement(text: string): string {
  return text.trim().replace(/[\s;]+$/, "");
}

/** How a statement is wrapped, so that it can only be one query. The line ends keep comments inside. */
export function asQuery(statement: string): string {
  return `(\n${bareStatement(statement)}\n)`;
}
