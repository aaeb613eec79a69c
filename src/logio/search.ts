// Searching a log for several things in one pass. What is found is told by line; a matcher finds the places in
// a window, be it the kernel's keywords or regular expressions.
import type { Diagnostic } from "../contract/results.ts";
import { TimeSlicer } from "../core/event-loop.ts";
import type { LineIndexes } from "./line-index.ts";
import { decodeLines, type RawLine } from "./line-text.ts";
import { openWindow, type TextWindow } from "./window.ts";

/** Finds its things in a window. */
export interface Matcher {
  /** How many different things it looks for. */
  readonly count: number;
  /** Bytes at the end of a window that are too few to decide on while more text may come. */
  readonly overlap: number;
  /** Only these things are still wanted. */
  want(things: number[]): void;
  /** Reports matches that begin in [from, to) of the window in order, until `report` returns false. May call it
   * several times for one line. Returns where to go on: `to`, or earlier when the window does not hold enough. */
  scan(
    window: TextWindow,
    from: number,
    to: number,
    report: (offset: number, thing: number) => boolean,
  ): number;
}

export interface SearchRequest {
  maxMatches: number;
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

/** Passes over a log until every thing was found on `maxMatches` lines, or to its end. Never throws. */
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
  /** Per thing: matches so far, and the text offset of the end of the line of the last one. */
  private readonly found: number[];
  private readonly doneTo: number[];
  private readonly lastLine: number[] = [];

  constructor(window: TextWindow, matcher: Matcher, request: SearchRequest) {
    this.window = window;
    this.matcher = matcher;
    this.request = request;
    this.found = Array<number>(matcher.count).fill(0);
    this.doneTo = Array<number>(matcher.count).fill(-1);
  }

  async run(): Promise<SearchResult> {
    const { window, matcher, request } = this;
    const started = performance.now();
    let scanFrom = 0;
    let stopped: SearchRead["stopped"];
    this.want();
    const slicer = new TimeSlicer();
    while (stopped === undefined) {
      const more = window.fill();
      const to = more ? Math.max(scanFrom, window.end - matcher.overlap) : window.end;
      while (scanFrom < to && this.wanted().length > 0) {
        const next = this.scanOnce(scanFrom, to);
        if (next === scanFrom) break;
        scanFrom = next;
      }
      if (this.wanted().length === 0) stopped = "satisfied";
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

  private wanted(): number[] {
    return this.found.flatMap((count, thing) => (count < this.request.maxMatches ? [thing] : []));
  }

  private want(): void {
    this.matcher.want(this.wanted());
  }

  /** Scans until something is satisfied, so that it is no longer looked for. Returns where to go on. */
  private scanOnce(from: number, to: number): number {
    let next: number | undefined;
    const reached = this.matcher.scan(this.window, from, to, (offset, thing) => {
      if (next !== undefined && offset >= next) return false;
      if (this.window.base + offset < (this.doneTo[thing] ?? 0)) return true;
      if ((this.found[thing] ?? 0) >= this.request.maxMatches) return true;
      this.hit(offset, thing);
      // Others may match at the same place: those are still reported, then the tables are made anew.
      if (this.found[thing] === this.request.maxMatches) next = offset + 1;
      return true;
    });
    if (next === undefined) return reached;
    this.want();
    return next;
  }

  private hit(offset: number, thing: number): void {
    const { window } = this;
    const view = window.data.subarray(0, window.end);
    const end = view.indexOf(10, offset);
    this.doneTo[thing] = window.base + (end < 0 ? window.end : end);
    const line = window.lineEndsBefore(offset) + 1;
    // A line longer than the window comes by more than once.
    if (this.lastLine[thing] === line) return;
    this.lastLine[thing] = line;
    this.found[thing] = (this.found[thing] ?? 0) + 1;
    this.hits.push({ thing, line });
    this.keepContext(view, offset, line);
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
