// Lines of a growing file: journals of the store and event files of jobs. A position is the byte offset after a complete
// line, which remains valid across processes and restarts.
import { open, stat } from "node:fs/promises";

export interface TailLine {
  /** Offset after the line. */
  end: number;
  text: string;
}

/** Bytes per read; a longer line is skipped. */
const BLOCK = 1 << 20;

/** Complete lines after an offset, at most about a megabyte. `gap`: the file is shorter than the offset, so it was
 * replaced, and the lines are those from its start. */
export async function linesAfter(path: string, offset: number): Promise<{ lines: TailLine[]; gap: boolean }> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  const gap = offset > size;
  const from = gap ? 0 : offset;
  if (from >= size) return { lines: [], gap };
  const file = await open(path, "r");
  try {
    const block = Buffer.alloc(Math.min(BLOCK, size - from));
    const { bytesRead } = await file.read(block, 0, block.length, from);
    return { lines: split(block.subarray(0, bytesRead), from, bytesRead === BLOCK), gap };
  } finally {
    await file.close();
  }
}

function split(block: Buffer, from: number, full: boolean): TailLine[] {
  const lines: TailLine[] = [];
  let start = 0;
  for (let end = block.indexOf(10); end >= 0; end = block.indexOf(10, start)) {
    lines.push({ end: from + end + 1, text: block.toString("utf8", start, end) });
    start = end + 1;
  }
  // No line end in a whole block: skip it.
  if (lines.length === 0 && full) lines.push({ end: from + block.length, text: "" });
  return lines;
}
