// A sliding window over the text of a log, in the memory of a kernel: the kernel searches and counts in it, independent of
// the file's size, compression and longest line.
import type { Diagnostic } from "../contract/results.ts";
import { AtomsmithError } from "../core/errors.ts";
import { Kernel } from "./kernel.ts";
import { DATA_BYTES } from "./kernel-memory.ts";
import type { LineIndex, LineIndexes, LinePoint } from "./line-index.ts";
import { type MayRead, type OpenedLog, openLog } from "./open.ts";
import { resumeSource, sourceOf } from "./source.ts";
import { binaryProblem, TextBytes } from "./textbytes.ts";

/** Bytes added at once. */
export const PIECE_BYTES = 256 * 1024;
/** Maximum bytes kept from earlier pieces. */
export const KEEP_BYTES = DATA_BYTES - PIECE_BYTES;

export class TextWindow {
  readonly file: OpenedLog;
  readonly text: TextBytes;
  readonly kernel = Kernel.acquire();
  /** Bytes in the window: `data` from 0 to here. */
  end = 0;
  /** Offset of the window's first byte in the text. */
  base: number;
  /** Line ends in the text before the window, and before its end. */
  lineEnds: number;
  private lineEndsAtEnd: number;
  /** The text has ended. */
  atEnd = false;
  problem: Diagnostic | undefined;
  /** The last byte read. */
  lastByte = 10;
  private readonly index: LineIndex | undefined;
  private closed = false;

  constructor(file: OpenedLog, text: TextBytes, start: LinePoint | undefined, index: LineIndex | undefined) {
    this.file = file;
    this.text = text;
    this.base = start?.textOffset ?? 0;
    this.lineEnds = start?.lineEnds ?? 0;
    this.lineEndsAtEnd = this.lineEnds;
    this.index = index;
    index?.attach(this);
  }

  get data(): Buffer {
    return this.kernel.data;
  }

  /** Appends the next piece (at most `limit` bytes); false at the end. There must be room: call `drop` first. */
  fill(limit = PIECE_BYTES): boolean {
    if (this.atEnd) return false;
    const from = this.end;
    // Without room, reading nothing would look like the end of the text.
    if (from >= DATA_BYTES) throw new AtomsmithError("internal", "the window over a log is full");
    const count = this.text.read(this.data.subarray(from, Math.min(DATA_BYTES, from + limit)));
    if (count === 0) {
      this.atEnd = true;
      this.problem = this.text.problem;
      if (this.problem === undefined) this.index?.finish(this);
      return false;
    }
    this.end += count;
    const { lineEnds, nul } = this.kernel.survey(from, this.end);
    this.lineEndsAtEnd += lineEnds;
    if (nul >= 0) {
      this.lineEndsAtEnd -= this.kernel.count(nul, this.end);
      this.problem = binaryProblem(this.file.path, this.base + nul, this.lineEndsAtEnd + 1);
      this.end = nul;
      this.atEnd = true;
      return false;
    }
    this.lastByte = this.data[this.end - 1] ?? 10;
    this.index?.note(this, from);
    return true;
  }

  /** Drops the bytes before `offset`. */
  drop(offset: number): void {
    if (offset === 0) return;
    this.lineEnds = this.lineEndsBefore(offset);
    this.data.copyWithin(0, offset, this.end);
    this.base += offset;
    this.end -= offset;
  }

  /** Line ends in the text before the byte at `offset`; counted from the nearer end of the window. */
  lineEndsBefore(offset: number): number {
    if (offset < this.end - offset) return this.lineEnds + this.kernel.count(0, offset);
    return this.lineEndsAtEnd - this.kernel.count(offset, this.end);
  }

  /** Lines of the whole text, if a pass has counted them. */
  get totalLines(): number | undefined {
    return this.index?.totalLines;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.kernel.release();
    this.text.close();
    this.file.close();
  }
}

export type WindowResult = { ok: true; window: TextWindow } | { ok: false; diagnostic: Diagnostic };

export interface WindowOptions {
  /** Line indexes of files in their current version; without them, no index is built. */
  indexes?: LineIndexes;
  mayRead?: MayRead;
}

/** Opens a log at the last known point before `line` (1: the beginning). */
export function openWindow(path: string, line: number, { indexes, mayRead }: WindowOptions): WindowResult {
  const opened = openLog(path, mayRead);
  if (!opened.ok) return opened;
  const file = opened.file;
  const index = indexes?.indexOf(file);
  const point = index?.nearest(line);
  if (point !== undefined) {
    const text = new TextBytes(resumeSource(file, point.resume), true);
    return { ok: true, window: new TextWindow(file, text, point, index) };
  }
  const source = sourceOf(file);
  if (!source.ok) return source;
  return { ok: true, window: new TextWindow(file, new TextBytes(source.source), undefined, index) };
}
