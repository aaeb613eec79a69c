// Splits a large log into ranges for several machines. The splits are borders of the parts of a single reading (parts.ts),
// found without reading the text between them, so that the ranges have exactly the same parts.
import { sniffBom, sniffCompression } from "./format.ts";
import { type FileIdentity, type OpenedLog, openLog } from "./open.ts";
import type { ByteRange } from "./source.ts";

/** Bytes read at once to find the last line end before a border. */
const LOOK_BYTES = 16 * 1024;
const HEAD_BYTES = 16;

export interface LogRange extends ByteRange {
  /** Number of its first part in the whole log, from 0. */
  first: number;
  /** Start of the part before it. */
  lead: number;
}

export interface RangePlan {
  identity: FileIdentity;
  ranges: LogRange[];
}

/** Ranges of at least `rangeBytes`. Undefined for files that must be read as a whole (compressed, UTF-16, a line longer
 * than a part) and for files that cannot be opened. */
export function planRanges(path: string, partBytes: number, rangeBytes: number): RangePlan | undefined {
  const opened = openLog(path);
  if (!opened.ok) return undefined;
  const { file } = opened;
  try {
    const start = textStart(file);
    const ranges = start === undefined ? undefined : split(file, start, partBytes, rangeBytes);
    return ranges && { identity: file.identity, ranges };
  } catch {
    return undefined; // the reader reports the error
  } finally {
    file.close();
  }
}

/** Offset of the text after a byte order mark; undefined if the file is compressed or UTF-16. */
function textStart(file: OpenedLog): number | undefined {
  const head = Buffer.alloc(HEAD_BYTES);
  const bytes = head.subarray(0, file.readAt(head, 0));
  const bom = sniffBom(bytes);
  if (sniffCompression(bytes) !== "plain" || bom?.encoding.startsWith("utf-16")) return undefined;
  return bom?.length ?? 0;
}

function split(
  file: OpenedLog,
  start: number,
  partBytes: number,
  rangeBytes: number,
): LogRange[] | undefined {
  const { size } = file.identity;
  const ranges: LogRange[] = [];
  // The first range begins with the byte order mark.
  let range = { from: 0, first: 0, lead: 0 };
  for (let at = start, part = 0; ; part += 1) {
    const next = at + partBytes >= size ? size : lineStartBefore(file, at, at + partBytes);
    if (next === undefined) return undefined;
    if (next === size) return [...ranges, { ...range, to: size }];
    if (next - range.from >= rangeBytes) {
      ranges.push({ ...range, to: next });
      range = { from: next, first: part + 1, lead: at };
    }
    at = next;
  }
}

/** The offset after the last line end in [from, to). */
function lineStartBefore(file: OpenedLog, from: number, to: number): number | undefined {
  const buffer = Buffer.alloc(LOOK_BYTES);
  for (let end = to; end > from; end -= LOOK_BYTES) {
    const begin = Math.max(from, end - LOOK_BYTES);
    const bytes = buffer.subarray(0, end - begin);
    if (file.readAt(bytes, begin) < bytes.byteLength) return undefined;
    const found = bytes.lastIndexOf(10);
    if (found >= 0) return begin + found + 1;
  }
  return undefined;
}
