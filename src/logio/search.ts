// Searches a log for several patterns in one pass and reports the matching lines. A matcher finds matches in a window:
// keywords with the kernel, or regular expressions.
import type { Diagnostic } from "../contract/results.ts";
import { TimeSlicer } from "../core/event-loop.ts";
import type { LineIndexes } from "./line-index.ts";
import { decodeLines, type RawLine } from "./line-text.ts";
import { openWindow, type TextWindow } from "./window.ts";

/** Finds its patterns in a window. */
export interface Matcher {
  /** Number of patterns. */
  readonly count: number;
  /** Bytes at the end of a window that cannot be decided until more text follows. */
  readonly overlap: number;
  /** Restricts the search to these patterns. */
  select(patterns: number[]): void;
  /** Reports matches that start in [from, to) of the window in order, until `report` returns false; possibly several per
   * line. Returns where to continue: `to`, or earlier when the window does not contain enough text. */
  scan(
    window: TextWindow,
    from: number,
    to: number,
    report: (offset: number, pattern: number) => boolean,
  ): number;
}

export interface SearchRequest {
  maxMatches: number;
  contextLines: number;
  maxLineBytes: number;
  maxScanBytes?: number;
  /** Milliseconds after which the search stops with `stopped: "time"`. */
  maxTime?: number;
  indexes?: LineIndexes;
  signal?: AbortSignal;
}

export interface SearchHit {
  /** Index of the pattern. */
  pattern: number;
  line: number;
}

export interface SearchRead {
  ok: true;
  path: string;
  hits: SearchHit[];
  /** Lines around the hits that were in the window, by line number. */
  lines: Map<number, string>;
  /** Bytes of text searched, and whether that was the whole text. */
  scannedBytes: number;
  complete: boolean;
  /** Why the search stopped before the end. */
  stopped: "satisfied" | "limit" | "time" | "interrupted" | undefined;
  totalLines: number | undefined;
  size: number;
  compression: string;
  problem: Diagnostic | undefined;
}

export type SearchResult = SearchRead | { ok: false; diagnostic: Diagnostic };

/** Text kept before the scan position, for the context of matches. */
const CONTEXT_BYTES = 40 * 1024;

/** Searches a log until every pattern was found on `maxMatches` lines, or to its end. Never throws. */
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
  /** Per pattern: matches so far, and the text offset of the end of the last matching line. */
  private readonly found: number[];
  private readonly foundUpTo: number[];
  private readonly lastLine: number[] = [];

  constructor(window: TextWindow, matcher: Matcher, request: SearchRequest) {
    this.window = window;
    this.matcher = matcher;
    this.request = request;
    this.found = Array<number>(matcher.count).fill(0);
    this.foundUpTo = Array<number>(matcher.count).fill(-1);
  }

  async run(): Promise<SearchResult> {
    const { window, matcher, request } = this;
    const started = performance.now();
    let scanFrom = 0;
    let stopped: SearchRead["stopped"];
    this.selectUnsatisfied();
    const slicer = new TimeSlicer();
    while (stopped === undefined) {
      const more = window.fill();
      const to = more ? Math.max(scanFrom, window.end - matcher.overlap) : window.end;
      while (scanFrom < to && this.unsatisfied().length > 0) {
        const next = this.scanOnce(scanFrom, to);
        if (next === scanFrom) break;
        scanFrom = next;
      }
      if (this.unsatisfied().length === 0) stopped = "satisfied";
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

  private unsatisfied(): number[] {
    return this.found.flatMap((count, pattern) => (count < this.request.maxMatches ? [pattern] : []));
  }

  private selectUnsatisfied(): void {
    this.matcher.select(this.unsatisfied());
  }

  /** Scans until a pattern has enough matches, which is then no longer searched for. Returns where to continue. */
  private scanOnce(from: number, to: number): number {
    let next: number | undefined;
    const reached = this.matcher.scan(this.window, from, to, (offset, pattern) => {
      if (next !== undefined && offset >= next) return false;
      if (this.window.base + offset < (this.foundUpTo[pattern] ?? 0)) return true;
      if ((this.found[pattern] ?? 0) >= this.request.maxMatches) return true;
      this.hit(offset, pattern);
      // Other patterns may match at the same position: report them before the tables are rebuilt.
      if (this.found[pattern] === this.request.maxMatches) next = offset + 1;
      return true;
    });
    if (next === undefined) return reached;
    this.selectUnsatisfied();
    return next;
  }

  private hit(offset: number, pattern: number): void {
    const { window } = this;
    const view = window.data.subarray(0, window.end);
    const end = view.indexOf(10, offset);
    this.foundUpTo[pattern] = window.base + (end < 0 ? window.end : end);
    const line = window.lineEndsBefore(offset) + 1;
    // A line longer than the window is seen more than once.
    if (this.lastLine[pattern] === line) return;
    this.lastLine[pattern] = line;
    this.found[pattern] = (this.found[pattern] ?? 0) + 1;
    this.hits.push({ pattern, line });
    this.keepContext(view, offset, line);
  }

  /** Stores the lines around a match if all of them are in the window. */
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
      raw.push({ bytes: view.subarray(at, Math.min(stop, at + 4 * maxLineBytes)), fullLength: stop - at });
      at = stop + 1;
      if (at > view.byteLength) break;
    }
    decodeLines(raw, maxLineBytes).lines.forEach((text, i) => {
      this.lines.set(first + i, text);
    });
  }
}
