// Searches a log for several patterns in one pass and reports matching lines. A matcher finds the offsets in a window:
// keywords by the search kernel, or regular expressions.
import type { Diagnostic } from "../contract/results.ts";
import { TimeSlicer } from "../core/event-loop.ts";
import { decodeLines, lineText, type RawLine } from "./line-text.ts";
import { openWindow, type TextWindow, type WindowOptions } from "./window.ts";

/** Finds its patterns in a window. */
export interface Matcher {
  /** Number of patterns. */
  readonly count: number;
  /** Bytes at the end of a window that are too few to decide on while more text may come. */
  readonly overlap: number;
  /** Reports matches that begin in [from, to) of the window in order, until `report` returns false. May call it
   * several times for one line. Returns where to continue: `to`, or earlier when the window does not hold enough. */
  scan(window: TextWindow, from: number, to: number, report: Report): number;
  /** The text has ended: reports matches in a line whose end had not been read. */
  finish?(window: TextWindow, report: Report): void;
  /** Lines so long that only their beginning was tried. */
  readonly longLines?: number;
}

/** Receives a match of a pattern (its index) at an offset of the window. `line`: the text of a line that is not
 * completely in the window. Returns false to stop the scan. */
export type Report = (offset: number, pattern: number, line?: string) => boolean;

export interface SearchRequest extends WindowOptions {
  /** Maximum number of matching lines returned for each pattern. */
  maxMatches: number;
  /** Scan to the end of the text for exact counts, even after the last line that may be returned. */
  countAll?: boolean;
  /** Lines to ignore. Of a line longer than the window only a part is passed. */
  exclude?: (line: string) => boolean;
  contextLines: number;
  maxLineBytes: number;
  maxScanBytes?: number;
  /** Milliseconds after which the search stops with `stopped: "time"`. */
  maxTime?: number;
  signal?: AbortSignal;
}

export interface SearchHit {
  pattern: number;
  line: number;
}

export interface SearchRead {
  ok: true;
  path: string;
  hits: SearchHit[];
  /** Matching lines of each pattern in the scanned text. */
  counts: number[];
  /** Lines so long that only a part of them was tried. */
  longLines: number;
  /** Text around the hits as far as it was in the window, by line number. */
  lines: Map<number, string>;
  /** Bytes of text scanned, and whether that was all. */
  scannedBytes: number;
  complete: boolean;
  /** Why it stopped before the end. */
  stopped: "satisfied" | "limit" | "time" | "interrupted" | undefined;
  totalLines: number | undefined;
  size: number;
  compression: string;
  problem: Diagnostic | undefined;
}

export type SearchResult = SearchRead | { ok: false; diagnostic: Diagnostic };

/** Text kept before the current scan position, for the context of a match. */
const CONTEXT_BYTES = 40 * 1024;

/** Scans a log until every pattern has `maxMatches` matching lines, or to its end; with `countAll` to its end.
 * Never throws. */
export async function searchText(
  path: string,
  matcher: Matcher,
  request: SearchRequest,
): Promise<SearchResult> {
  const opened = openWindow(path, 1, request);
  if (!opened.ok) return opened;
  const pass = new SearchPass(opened.window, matcher, request);
  try {
    return await pass.run();
  } finally {
    opened.window.close();
  }
}

class SearchPass {
  private readonly window: TextWindow;
  private readonly matcher: Matcher;
  private readonly request: SearchRequest;
  private readonly hits: SearchHit[] = [];
  private readonly lines = new Map<number, string>();
  private readonly counts: number[];
  /** Per pattern: text offset of the end of the line with its last match; -1 before the first. */
  private readonly doneTo: number[];
  /** Patterns whose line has no end in the window yet, and the text offset up to which it was searched for one. */
  private readonly unfinished = new Set<number>();
  private searchedTo = 0;
  /** Number of patterns with fewer matching lines than may be returned. */
  private open: number;
  private decided = { line: -1, excluded: false };
  private longLines = 0;

  constructor(window: TextWindow, matcher: Matcher, request: SearchRequest) {
    this.window = window;
    this.matcher = matcher;
    this.request = request;
    this.counts = Array<number>(matcher.count).fill(0);
    this.doneTo = Array<number>(matcher.count).fill(-1);
    this.open = matcher.count;
  }

  async run(): Promise<SearchResult> {
    const { window, matcher, request } = this;
    const started = performance.now();
    let scanFrom = 0;
    let stopped: SearchRead["stopped"];
    const slicer = new TimeSlicer();
    while (stopped === undefined) {
      const more = window.fill();
      this.endLines();
      const to = more ? Math.max(scanFrom, window.end - matcher.overlap) : window.end;
      if (scanFrom < to) scanFrom = matcher.scan(window, scanFrom, to, this.report);
      if (!more) matcher.finish?.(window, this.report);
      if (this.satisfiedAt !== undefined) {
        stopped = "satisfied";
        scanFrom = this.satisfiedAt;
      }
      if (!more) break;
      const keepFrom = Math.max(0, scanFrom - CONTEXT_BYTES);
      window.drop(keepFrom);
      scanFrom -= keepFrom;
      if (stopped === undefined && (await slicer.yieldIfDue())) {
        if (request.signal?.aborted) stopped = "interrupted";
        else if (performance.now() - started > (request.maxTime ?? Number.POSITIVE_INFINITY))
          stopped = "time";
        else if (window.base > (request.maxScanBytes ?? Number.MAX_SAFE_INTEGER)) stopped = "limit";
      }
    }
    return this.result(scanFrom, stopped);
  }

  private result(scanFrom: number, stopped: SearchRead["stopped"]): SearchResult {
    const { window } = this;
    if (this.hits.length === 0 && window.problem !== undefined)
      return { ok: false, diagnostic: window.problem };
    const problem = window.problem ?? window.file.change();
    const complete = window.atEnd && problem === undefined && scanFrom >= window.end;
    return {
      ok: true,
      path: window.file.path,
      hits: this.hits,
      counts: this.counts,
      longLines: this.longLines + (this.matcher.longLines ?? 0),
      lines: this.lines,
      scannedBytes: window.base + (complete ? window.end : scanFrom),
      complete,
      stopped: complete ? undefined : stopped,
      totalLines: window.totalLines,
      size: window.file.identity.size,
      compression: window.text.source.compression,
      problem,
    };
  }

  /** Offset after the last match needed. */
  private satisfiedAt: number | undefined;

  private readonly report: Report = (offset, pattern, line) => {
    if (this.satisfiedAt !== undefined) return false;
    if (this.window.base + offset < (this.doneTo[pattern] ?? 0)) return true;
    const end = this.window.data.subarray(0, this.window.end).indexOf(10, offset);
    this.doneTo[pattern] = end < 0 ? Number.POSITIVE_INFINITY : this.window.base + end;
    if (end < 0) {
      this.unfinished.add(pattern);
      this.searchedTo = this.window.base + this.window.end;
    }
    if (this.isExcluded(offset, line)) return true;
    const count = (this.counts[pattern] ?? 0) + 1;
    this.counts[pattern] = count;
    if (count > this.request.maxMatches) return true;
    this.addHit(offset, pattern);
    if (count < this.request.maxMatches) return true;
    this.open -= 1;
    if (this.open > 0 || this.request.countAll === true) return true;
    this.satisfiedAt = offset + 1;
    return false;
  };

  /** Looks for the end of lines that extended beyond the window. */
  private endLines(): void {
    if (this.unfinished.size === 0) return;
    const { window } = this;
    const end = window.data.subarray(0, window.end).indexOf(10, Math.max(0, this.searchedTo - window.base));
    this.searchedTo = window.base + window.end;
    if (end < 0) return;
    for (const pattern of this.unfinished) this.doneTo[pattern] = window.base + end;
    this.unfinished.clear();
  }

  private isExcluded(offset: number, line: string | undefined): boolean {
    const { exclude } = this.request;
    if (exclude === undefined) return false;
    const { window } = this;
    const start = offset === 0 ? 0 : window.data.lastIndexOf(10, offset - 1) + 1;
    const key = window.base + start;
    if (line === undefined && this.decided.line === key) return this.decided.excluded;
    const found = window.data.subarray(0, window.end).indexOf(10, offset);
    const whole = (start > 0 || window.base === 0) && (found >= 0 || window.atEnd);
    if (line === undefined && !whole) this.longLines += 1;
    const excluded = exclude(line ?? lineText(window, start, found < 0 ? window.end : found));
    this.decided = { line: line === undefined ? key : -1, excluded };
    return excluded;
  }

  private addHit(offset: number, pattern: number): void {
    const { window } = this;
    const line = window.lineEndsBefore(offset) + 1;
    this.hits.push({ pattern, line });
    this.storeContext(window.data.subarray(0, window.end), offset, line);
  }

  /** Keeps the lines around a match if all of them are in the window. */
  private storeContext(view: Buffer, offset: number, line: number): void {
    const { contextLines, maxLineBytes } = this.request;
    let start = offset === 0 ? 0 : view.lastIndexOf(10, offset - 1) + 1;
    let first = line;
    if (start === 0 && this.window.base > 0) return;
    for (let i = 0; i < contextLines && start > 0; i += 1) {
      const before = start < 2 ? 0 : view.lastIndexOf(10, start - 2) + 1;
      if (before === 0 && this.window.base > 0) return;
      start = before;
      first -= 1;
    }
    const raw: RawLine[] = [];
    for (let at = start, number = first; number <= line + contextLines; number += 1) {
      const end = view.indexOf(10, at);
      if (end < 0 && !this.window.atEnd) return;
      const stop = end < 0 ? view.byteLength : end;
      if (end < 0 && at >= stop) break;
      raw.push({ bytes: view.subarray(at, Math.min(stop, at + 4 * maxLineBytes)), whole: stop - at });
      at = stop + 1;
      if (at > view.byteLength) break;
    }
    decodeLines(raw, maxLineBytes).lines.forEach((text, i) => {
      this.lines.set(first + i, text);
    });
  }
}
