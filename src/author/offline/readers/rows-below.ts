// Blocks whose last line is a row below its headings ("a line with the file, then its findings, one per line"): the row by
// itself is an example line like any other, and what stands above it holds for all rows up to the next heading.

import type { Example, Group, Hint, Page } from "../page/page.ts";
import type { Head } from "./heads.ts";
import type { Put } from "./records/distribute.ts";
import { type Reading, readBlock } from "./records/index.ts";

export interface RowsBelow {
  /** The group whose only block is the row. */
  group: Group;
  heads: Head[];
  /** Lines of the block that are no rows. */
  others: string[];
  /** The block shows a blank line between a heading and the row. */
  apart: boolean;
}

/** How many of the parts the row has at least. */
const LEAST = 2;

/** How well a part that the page does not show fits a heading at least. */
const SURE = 6;

/** The row and the parts above it, or undefined where the block is none of this kind. */
export function rowsBelow(group: Group, page: Page, lines: readonly string[]): RowsBelow | undefined {
  const reading = readBlock(group, page, lines);
  if (reading === undefined) return undefined;
  const { shown, distribution, anchor } = reading;
  const row = anchor;
  if (row !== shown.lines.length - 1) return undefined;
  const above = distribution.puts.filter((put) => put.line < row && isSure(put, reading));
  if (above.length === 0 || distribution.puts.some((put) => put.line > row)) return undefined;
  const hints = [...(group.value === undefined ? [] : [group.value]), ...group.fields];
  if (hints.length - above.length < LEAST || above.some((put) => put.hint === group.value)) return undefined;
  const heads = above.flatMap((put) => headOf(put.hint, put.line, reading) ?? []);
  if (heads.length < above.length) return undefined;
  const text = rowShown(shown.lines[row] ?? "", group, hints);
  const single: Example = { lines: [text], label: "", mark: "code" };
  const others = group.examples.filter((one) => one.lines.length === 1);
  let apart = false;
  for (let at = Math.max(...above.map((put) => put.line)) + 1; at <= row; at += 1)
    if (shown.gaps.has(at)) apart = true;
  const rest = shown.lines.filter((_, at) => at < row);
  return { group: { ...group, examples: [single, ...others] }, heads, others: rest, apart };
}

/** Of several rows in the block the one with most of the texts that the page shows. */
function rowShown(row: string, group: Group, hints: readonly Hint[]): string {
  const texts = hints.flatMap((hint) => hint.literals);
  const count = (line: string): number => texts.filter((text) => line.includes(text)).length;
  const block = group.examples.find((one) => one.mark === "block" && one.lines.includes(row))?.lines ?? [];
  const rows = block.slice(block.indexOf(row)).filter((line) => line.trim() !== "");
  return rows.reduce((best, line) => (count(line) > count(best) ? line : best), row);
}

/** What the page shows on a line above, or what fits there far better than elsewhere; the rest may be parts of the row. */
function isSure({ hint, line, span, score }: Put, { shown, distribution }: Reading): boolean {
  const whole = shown.lines[line] ?? "";
  const text = whole.slice(span.start, span.end);
  if (hint.literals.includes(text)) return true;
  const clear = (distribution.margin.get(hint)?.by ?? 9) >= 1 && (distribution.within.get(hint) ?? 9) >= 0.6;
  return clear && (score >= SURE || text === whole.trim());
}

/** The part of a line above, as it was found in the log. */
function headOf(hint: Head["hint"], at: number, { found }: Reading): Head | undefined {
  const line = found.get(at);
  const source = line?.sources.get(hint);
  if (line === undefined || source?.from !== "group" || source.op !== undefined || line.scope !== undefined)
    return undefined;
  // Parts that are read elsewhere are none of this line.
  const pattern = line.pattern.replace(/\(\?<(\w+)>/g, (open, name) =>
    name === source.group ? open : "(?:",
  );
  return { hint, group: source.group, above: { pattern, example: line.example } };
}
