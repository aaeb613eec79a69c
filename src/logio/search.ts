// Searching a log for several things in one pass. What is found is told by line; a matcher finds the places in
// a window, be it the kernel's keywords or regular expressions.
import type { Diagnostic } from "../contract/results.ts";
import { TimeSlicer } from "../core/event-loop.ts";
import type { LineIndexes } from "./line-index.ts";
import { decodeLines, lineText, type RawLine } from "./line-text.ts";
import { openWindow, type TextWindow } from "./window.ts";

/** Finds its things in a window. */
export interface Matcher {
  /** How many different things it looks for. */
  readonly count: number;
  /** Bytes at the end of a window that are too few to decide on while more text may come. */
  readonly overlap: number;
  /** Reports matches that begin in [from, to) of the window in order, until `report` returns false. May call it
   * several times for one line. Returns where to go on: `to`, or earlier when the window does not hold enough. */
  scan(window: TextWindow, from: number, to: number, report: Report): number;
  /** The text has ended: reports what was still waiting for the end of its line. */
  finish?(window: TextWindow, report: Report): void;
  /** Lines so long that only their beginning was tried. */
  readonly longLines?: number;
}

/** Takes a match of a thing at an offset of the window; `line`: the line where it does not stand in the window
 * whole. Returns false when no more are wanted. */
export type Report = (offset: number, thing: number, line?: string) => boolean;

export interface SearchRequest {
  /** Matching lines of each thing that are returned. */
  maxMatches: number;
  /** Go on to the end of the text for true counts, also when all that may be returned was found. */
  countAll?: boolean;
  /** Lines that do not count, whatever stands in them. Of a line that is longer than the window a part is asked. */
  exclude?: (line: string) => boolean;
  contextLines: number;
  maxLineBytes: number;
  maxScanBytes?: number;
  /** Milliseconds after which it stops and says so. */
  maxTime?: number;
  indexes?: LineIndexes;
  signal?: AbortSignal;
}

export interface SearchHit {
  thing: number;
  line: number;
}

export interface SearchRead {
  ok: true;
  path: string;
  hits: SearchHit[];
  /** Matching lines of each thing in the text that was passed over. */
  counts: number[];
  /** Lines so long that only a part of them was tried. */
  longLines: number;
  /** Text around the hits as far as it stood in the window, by line number. */
  lines: Map<number, string>;
  /** Bytes of text passed over, and whether that was all. */
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

/** Text kept before the place where the scan goes on, so that the context of a match is at hand. */
const CONTEXT_BYTES = 40 * 1024;

/** Passes over a log until every thing was found on `maxMatches` lines, or to its end; with `countAll` to its end.
 * Never throws. */
export async function searchText(
  path: string,
  matcher: Matcher,
  request: SearchRequest,
): Promise<SearchResult> {
  const { indexes } = request;
  const opened = openWindow(path, 1, indexes && ((file) => indexes.of(file)));
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
  /** Per thing the text offset at which the line of its last match ends; -1 before the first. */
  private readonly doneTo: number[];
  /** Things whose line has not ended in the window, and the text offset up to which that was looked at. */
  private readonly unfinished = new Set<number>();
  private lookedTo = 0;
  /** Things of which fewer lines were found than may be returned. */
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

  /** Offset behind the match that was the last to be wanted. */
  private satisfiedAt: number | undefined;

  private readonly report: Report = (offset, thing, line) => {
    if (this.satisfiedAt !== undefined) return false;
    if (this.window.base + offset < (this.doneTo[thing] ?? 0)) return true;
    const end = this.window.data.subarray(0, this.window.end).indexOf(10, offset);
    this.doneTo[thing] = end < 0 ? Number.POSITIVE_INFINITY : this.window.base + end;
    if (end < 0) {
      this.unfinished.add(thing);
      this.lookedTo = this.window.base + this.window.end;
    }
    if (this.isExcluded(offset, line)) return true;
    const count = (this.counts[thing] ?? 0) + 1;
    this.counts[thing] = count;
    if (count > this.request.maxMatches) return true;
    this.hit(offset, thing);
    if (count < this.request.maxMatches) return true;
    this.open -= 1;
    if (this.open > 0 || this.request.countAll === true) return true;
    this.satisfiedAt = offset + 1;
    return false;
  };

  /** Looks for the end of lines that were longer than what stood in the window. */
  private endLines(): void {
    if (this.unfinished.size === 0) return;
    const { window } = this;
    const end = window.data.subarray(0, window.end).indexOf(10, Math.max(0, this.lookedTo - window.base));
    this.lookedTo = window.base + window.end;
    if (end < 0) return;
    for (const thing of this.unfinished) this.doneTo[thing] = window.base + end;
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

  private hit(offset: number, thing: number): void {
    const { window } = this;
    const line = window.lineEndsBefore(offset) + 1;
    this.hits.push({ thing, line });
    this.keepContext(window.data.subarray(0, window.end), offset, line);
  }

  /** Remembers the lines around a match when all of them stand in the window. */
  private keepContext(view: Buffer, offset: number, line: number): void {
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
