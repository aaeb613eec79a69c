// Log lines around the evidence of a result, for the reports. Small logs are read by the shared reader, large ones in one
// bounded pass.
import type { CheckDocument } from "../contract/results.ts";
import { truncate } from "../core/limits.ts";
import { HELD_BYTES } from "./extract-file.ts";
import type { LogPool } from "./log-pool.ts";

/** Lines of a log without line ends. */
export interface Excerpt {
  file: string;
  /** 1-based number of the first line. */
  startLine: number;
  lines: string[];
}

/** Lines before and after an entry, maximum entries of one item, bytes of one line. */
export const EXCERPT_LIMITS = { around: 3, entries: 300, lineBytes: 600 };
const BLOCK_BYTES = 4 * 2 ** 20;

/** Excerpts around the entries of a result; overlapping and adjacent ones are joined. A log that can no longer be read has
 * no excerpts. */
export async function collectExcerpts(
  document: CheckDocument,
  pool: LogPool,
  limits = EXCERPT_LIMITS,
): Promise<Excerpt[]> {
  const wanted = wantedLines(document, limits);
  const excerpts: Excerpt[] = [];
  for (const [file, ranges] of wanted) {
    const small = await pool.readUpTo(file, HELD_BYTES);
    if (small.ok) {
      const cutter = new Cutter(file, ranges, limits.lineBytes);
      cutter.add(small.input.text, 1);
      excerpts.push(...cutter.excerpts);
    } else if (small.diagnostic.code === "input_too_large") {
      excerpts.push(...(await fromLarge(file, ranges, pool, limits.lineBytes)));
    }
  }
  return excerpts;
}

async function fromLarge(
  file: string,
  ranges: Range[],
  pool: LogPool,
  lineBytes: number,
): Promise<Excerpt[]> {
  const inspected = await pool.facts(file);
  if (!inspected.ok) return [];
  const cutter = new Cutter(file, ranges, lineBytes);
  for await (const block of pool.blocks(inspected.facts, BLOCK_BYTES, pool.maxTextBytes)) {
    if (!block.ok) return [];
    cutter.add(block.text, block.startLine);
    if (cutter.done) break;
  }
  return cutter.excerpts;
}

/** First and last line, 1-based. */
type Range = [from: number, to: number];

function wantedLines(document: CheckDocument, limits: typeof EXCERPT_LIMITS): Map<string, Range[]> {
  const entries = [
    ...document.missing_items,
    ...(document.extra_items ?? []),
    ...document.found_items,
    ...(document.waived ?? []),
  ];
  const lines = new Map<string, Set<number>>();
  let count = 0;
  for (const entry of entries) {
    if (!("line_number" in entry) || entry.line_number === null || entry.source_file === "") continue;
    if (count >= limits.entries) break;
    count += 1;
    const numbers = lines.get(entry.source_file) ?? new Set<number>();
    lines.set(entry.source_file, numbers.add(entry.line_number));
  }
  const wanted = new Map<string, Range[]>();
  for (const [file, numbers] of lines)
    wanted.set(
      file,
      joined(
        [...numbers].sort((a, b) => a - b),
        limits.around,
      ),
    );
  return wanted;
}

function joined(numbers: number[], around: number): Range[] {
  const ranges: Range[] = [];
  for (const line of numbers) {
    const last = ranges.at(-1);
    const from = Math.max(1, line - around);
    if (last !== undefined && from <= last[1] + 1) last[1] = line + around;
    else ranges.push([from, line + around]);
  }
  return ranges;
}

/** Cuts the wanted lines out of a text that is added in blocks of whole lines. */
class Cutter {
  readonly excerpts: Excerpt[] = [];
  private next = 0;
  private readonly file: string;
  private readonly ranges: Range[];
  private readonly lineBytes: number;

  constructor(file: string, ranges: Range[], lineBytes: number) {
    this.file = file;
    this.ranges = ranges;
    this.lineBytes = lineBytes;
  }

  get done(): boolean {
    return this.next >= this.ranges.length;
  }

  add(text: string, startLine: number): void {
    let line = startLine;
    let at = 0;
    while (at < text.length && !this.done) {
      const range = this.ranges[this.next];
      if (range === undefined) return;
      const end = text.indexOf("\n", at);
      const stop = end < 0 ? text.length : end;
      if (line >= range[0]) this.addLine(range, line, text.slice(at, stop));
      if (line >= range[1]) this.next += 1;
      line += 1;
      at = stop + 1;
    }
  }

  private addLine(range: Range, line: number, text: string): void {
    const last = this.excerpts.at(-1);
    const shown = truncate(text, this.lineBytes).text;
    if (last !== undefined && last.startLine === range[0]) last.lines.push(shown);
    else this.excerpts.push({ file: this.file, startLine: line, lines: [shown] });
  }
}
