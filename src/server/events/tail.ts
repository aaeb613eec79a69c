// Lines of a file that grows: journals of the store and event files of jobs. A place in it is a byte offset behind a
// whole line, which stays right whatever process reads it, and whenever.
import { open, stat } from "node:fs/promises";

export interface TailLine {
  /** Offset behind the line. */
  end: number;
  text: string;
}

/** Bytes read at once; a longer line is passed over. */
const BLOCK = 1 << 20;

/** Whole lines that stand behind an offset, at most about a megabyte of them. `gap`: the file is shorter than the
 * offset, so it was begun anew, and the lines are those from its start. */
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
  // No line end in a whole block: nothing that a client could use, and the reader must come past it.
  if (lines.length === 0 && full) lines.push({ end: from + block.length, text: "" });
  return lines;
}
