// Reads lines of a log by number, from the nearest indexed position.
import type { Diagnostic } from "../contract/results.ts";
import { TimeSlicer } from "../core/event-loop.ts";
import type { Compression } from "./format.ts";
import type { LineIndexes } from "./line-index.ts";
import { decodeLines, type RawLine } from "./line-text.ts";
import type { FileIdentity } from "./open.ts";
import { KEEP_BYTES, openWindow, type TextWindow } from "./window.ts";

export interface LineRequest {
  /** 1-based, both inclusive. */
  from: number;
  to: number;
  /** UTF-8 bytes after which a line is truncated with a marker. */
  maxLineBytes: number;
  /** Bytes of text that may be skipped and read; beyond it the result is `stopped`. */
  maxScanBytes?: number;
  indexes?: LineIndexes;
  signal?: AbortSignal;
}

export interface LinesRead {
  ok: true;
  /** Absolute, links resolved. */
  path: string;
  lines: string[];
  startLine: number;
  /** Number of truncated lines. */
  cut: number;
  encoding: "utf-8" | "latin-1" | "utf-16le" | "utf-16be";
  compression: Compression;
  /** Bytes on disk. */
  size: number;
  /** Is there text after the last line? */
  more: boolean;
  /** Number of lines of the whole text, if known. */
  totalLines: number | undefined;
  /** Stopped by `maxScanBytes`. */
  stopped: boolean;
  identity: FileIdentity;
  /** A problem after these lines. */
  problem: Diagnostic | undefined;
}

export type LinesResult = LinesRead | { ok: false; diagnostic: Diagnostic };

/** The first pieces are small, since reading a header needs no more. */
const FIRST_PIECE = 32 * 1024;

/** Reads lines [from, to]. Never throws. Returns fewer lines when the text ends (`more` is false) or `stopped` is set. A
 * problem before the first line is `ok: false`. */
export async function readLines(path: string, request: LineRequest): Promise<LinesResult> {
  const { indexes } = request;
  const opened = openWindow(path, request.from, indexes && ((file) => indexes.of(file)));
  if (!opened.ok) return opened;
  const window = opened.window;
  try {
    return await collect(window, request);
  } finally {
    window.close();
  }
}

async function collect(window: TextWindow, request: LineRequest): Promise<LinesResult> {
  const limit = request.maxScanBytes ?? Number.MAX_SAFE_INTEGER;
  const scanFrom = window.base;
  const scanned = () => window.base + window.end - scanFrom;
  let piece = FIRST_PIECE;
  const slicer = new TimeSlicer();
  const fillMore = async (): Promise<boolean> => {
    if (scanned() >= limit || request.signal?.aborted) return false;
    await slicer.yieldIfDue();
    const filled = window.fill(piece);
    piece = Math.min(piece * 8, 256 * 1024);
    return filled;
  };
  if (!(await skipTo(window, request.from - 1, fillMore))) {
    if (window.problem !== undefined) return { ok: false, diagnostic: window.problem };
    return result(window, [], request, !window.atEnd);
  }
  const lines: RawLine[] = [];
  const lineCount = request.to - request.from + 1;
  while (lines.length < lineCount) {
    readBufferedLines(window, lineCount, request.maxLineBytes, lines);
    if (lines.length === lineCount) break;
    const line = await nextLine(window, request.maxLineBytes, fillMore);
    if (line === undefined) break;
    lines.push(line);
  }
  // The lines before a NUL byte are not text either.
  const binary = window.problem?.code === "input_binary";
  if ((lines.length === 0 || binary) && window.problem !== undefined)
    return { ok: false, diagnostic: window.problem };
  const complete = lines.length === lineCount;
  // Read on to find out whether anything follows.
  if (complete && window.end === 0 && !window.atEnd) await fillMore();
  return result(window, lines, request, !complete && !window.atEnd);
}

/** Moves the window to the start of the line after `lineEnds` line ends; false when the text has fewer. */
async function skipTo(
  window: TextWindow,
  lineEnds: number,
  fillMore: () => Promise<boolean>,
): Promise<boolean> {
  for (;;) {
    const missing = lineEnds - window.lineEnds;
    if (missing === 0) return true;
    if (window.lineEndsBefore(window.end) >= lineEnds) {
      let at = -1;
      for (let i = 0; i < missing; i += 1) at = window.data.indexOf(10, at + 1);
      window.drop(at + 1);
      return true;
    }
    window.drop(window.end);
    if (!(await fillMore())) return false;
  }
}

/** Reads the lines that are completely in the window, up to the number wanted; moves the window once for all of them. */
function readBufferedLines(window: TextWindow, lineCount: number, maxBytes: number, lines: RawLine[]): void {
  const text = window.data.subarray(0, window.end);
  let from = 0;
  while (lines.length < lineCount) {
    const found = text.indexOf(10, from);
    if (found < 0) break;
    lines.push({ bytes: copyOf(window, from, found, maxBytes), fullLength: found - from });
    from = found + 1;
  }
  window.drop(from);
}

/** Reads the line at the start of the window; undefined at the end of the text. */
async function nextLine(
  window: TextWindow,
  maxBytes: number,
  fillMore: () => Promise<boolean>,
): Promise<RawLine | undefined> {
  let head: Uint8Array | undefined;
  let fullLength = 0;
  for (let from = 0; ; ) {
    const found = window.data.subarray(0, window.end).indexOf(10, from);
    if (found >= 0) {
      fullLength += found;
      const bytes = head ?? copyOf(window, 0, found, maxBytes);
      window.drop(found + 1);
      return { bytes, fullLength };
    }
    if (window.end >= KEEP_BYTES || (head !== undefined && window.end > 0)) {
      // A very long line: keep its beginning, skip the rest.
      head ??= copyOf(window, 0, window.end, maxBytes);
      fullLength += window.end;
      window.drop(window.end);
    }
    from = window.end;
    if (await fillMore()) continue;
    if (window.end === 0 && head === undefined) return undefined;
    fullLength += window.end;
    const bytes = head ?? copyOf(window, 0, window.end, maxBytes);
    window.drop(window.end);
    return { bytes, fullLength };
  }
}

/** Copies the part of the window that a line may need, since the window moves on. */
function copyOf(window: TextWindow, from: number, to: number, maxBytes: number): Uint8Array {
  return new Uint8Array(window.data.subarray(from, Math.min(to, from + 4 * maxBytes)));
}

function result(window: TextWindow, raw: RawLine[], request: LineRequest, stopped: boolean): LinesRead {
  const { lines, cut, encoding } = decodeLines(raw, request.maxLineBytes);
  const { file, text } = window;
  return {
    ok: true,
    path: file.path,
    lines,
    startLine: request.from,
    cut,
    encoding: text.utf16 ?? encoding,
    compression: text.source.compression,
    size: file.identity.size,
    more: window.end > 0 || !window.atEnd,
    totalLines: window.totalLines,
    stopped,
    identity: file.identity,
    problem: window.problem ?? file.change(),
  };
}
