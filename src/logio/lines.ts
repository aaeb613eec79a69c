// Reads lines of a log by number, starting at the nearest point of the index.
import type { Diagnostic } from "../contract/results.ts";
import { TimeSlicer } from "../core/event-loop.ts";
import type { Compression } from "./format.ts";
import { decodeLines, type RawLine } from "./line-text.ts";
import type { FileIdentity } from "./open.ts";
import { KEEP_BYTES, openWindow, type TextWindow, type WindowOptions } from "./window.ts";

export interface LineRequest extends WindowOptions {
  /** 1-based, both inclusive. */
  from: number;
  to: number;
  /** Maximum UTF-8 bytes of one line; longer lines are truncated with a mark. */
  maxLineBytes: number;
  /** Maximum bytes of text skipped and read; then reading stops and sets `stopped`. */
  maxScanBytes?: number;
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
  /** Line ends of the returned lines; null: none of them has one. */
  lineEnds: "lf" | "crlf" | "mixed" | null;
  compression: Compression;
  /** Bytes on disk. */
  size: number;
  /** Whether text follows the last returned line. */
  more: boolean;
  /** Lines of the whole text, if a reader has counted them. */
  totalLines: number | undefined;
  /** Stopped by `maxScanBytes`. */
  stopped: boolean;
  identity: FileIdentity;
  /** A problem of the text after the returned lines. */
  problem: Diagnostic | undefined;
}

export type LinesResult = LinesRead | { ok: false; diagnostic: Diagnostic };

/** The first pieces are small: they are enough for the head of a file. */
const FIRST_PIECE = 32 * 1024;

/** Reads lines [from, to]. Never throws. Fewer lines than requested: the text ended (`more` is false), or `stopped` is set.
 * A problem before the first line is `ok: false`. */
export async function readLines(path: string, request: LineRequest): Promise<LinesResult> {
  const opened = openWindow(path, request.from, request);
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
  const more = async (): Promise<boolean> => {
    if (scanned() >= limit || request.signal?.aborted) return false;
    await slicer.yieldIfDue();
    const filled = window.fill(piece);
    piece = Math.min(piece * 8, 256 * 1024);
    return filled;
  };
  if (!(await skipTo(window, request.from - 1, more))) {
    if (window.problem !== undefined) return { ok: false, diagnostic: window.problem };
    return result(window, [], request, !window.atEnd);
  }
  const lines: RawLine[] = [];
  const wanted = request.to - request.from + 1;
  while (lines.length < wanted) {
    collectWholeLines(window, wanted, request.maxLineBytes, lines);
    if (lines.length === wanted) break;
    const line = await nextLine(window, request.maxLineBytes, more);
    if (line === undefined) break;
    lines.push(line);
  }
  // A file with a NUL byte is binary, so the lines before it are not returned.
  const binary = window.problem?.code === "input_binary";
  if ((lines.length === 0 || binary) && window.problem !== undefined)
    return { ok: false, diagnostic: window.problem };
  const complete = lines.length === wanted;
  // Read on to find out whether text follows.
  if (complete && window.end === 0 && !window.atEnd) await more();
  return result(window, lines, request, !complete && !window.atEnd);
}

/** Moves the window to the start of the line after `lineEnds` line ends; false when the text has fewer. */
async function skipTo(window: TextWindow, lineEnds: number, more: () => Promise<boolean>): Promise<boolean> {
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
    if (!(await more())) return false;
  }
}

/** Collects the lines that are completely in the window, up to the wanted number; the window is moved once for all. */
function collectWholeLines(window: TextWindow, wanted: number, maxBytes: number, lines: RawLine[]): void {
  const text = window.data.subarray(0, window.end);
  let from = 0;
  while (lines.length < wanted) {
    const found = text.indexOf(10, from);
    if (found < 0) break;
    const ended = endAt(window, found);
    lines.push({ bytes: copyOf(window, from, found, maxBytes), whole: found - from, ended });
    from = found + 1;
  }
  window.drop(from);
}

/** Reads the line at the start of the window; undefined at the end of the text. */
async function nextLine(
  window: TextWindow,
  maxBytes: number,
  more: () => Promise<boolean>,
): Promise<RawLine | undefined> {
  let head: Uint8Array | undefined;
  let whole = 0;
  for (let from = 0; ; ) {
    const found = window.data.subarray(0, window.end).indexOf(10, from);
    if (found >= 0) {
      whole += found;
      const bytes = head ?? copyOf(window, 0, found, maxBytes);
      const ended = endAt(window, found);
      window.drop(found + 1);
      return { bytes, whole, ended };
    }
    if (window.end >= KEEP_BYTES || (head !== undefined && window.end > 0)) {
      // A very long line: keep its beginning, skip the rest.
      head ??= copyOf(window, 0, window.end, maxBytes);
      whole += window.end;
      window.drop(window.end);
    }
    from = window.end;
    if (await more()) continue;
    if (window.end === 0 && head === undefined) return undefined;
    whole += window.end;
    const bytes = head ?? copyOf(window, 0, window.end, maxBytes);
    window.drop(window.end);
    return { bytes, whole };
  }
}

/** A copy of [from, to) of the window, limited to what a truncated line needs. */
function copyOf(window: TextWindow, from: number, to: number, maxBytes: number): Uint8Array {
  return new Uint8Array(window.data.subarray(from, Math.min(to, from + 4 * maxBytes)));
}

function lineEndsOf(lines: RawLine[]): LinesRead["lineEnds"] {
  const ended = lines.filter(({ ended }) => ended !== undefined);
  const crlf = ended.filter((line) => line.ended === "crlf").length;
  if (ended.length === 0) return null;
  return crlf === 0 ? "lf" : crlf === ended.length ? "crlf" : "mixed";
}

function endAt(window: TextWindow, lineEnd: number): "lf" | "crlf" {
  return lineEnd > 0 && window.data[lineEnd - 1] === 13 ? "crlf" : "lf";
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
    lineEnds: lineEndsOf(raw),
    compression: text.source.compression,
    size: file.identity.size,
    more: window.end > 0 || !window.atEnd,
    totalLines: window.totalLines,
    stopped,
    identity: file.identity,
    problem: window.problem ?? file.change(),
  };
}
