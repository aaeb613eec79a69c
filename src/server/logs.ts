// Lines of logs and of other files for the viewer: any size, compressed or not, by ranges from a line index that all
// clients share. The caller decides whether a file may be read: by what an item, a check, a project or a run owns.
import { realpathSync } from "node:fs";
import type { Diagnostic } from "../contract/results.ts";
import { AtomsmithError } from "../core/errors.ts";
import { PathGuard } from "../files/guard.ts";
import { keywordMatcher, LineIndexes, readLines, regexMatcher, searchText } from "../logio/index.ts";
import { refusal } from "./http/problem.ts";

const LIMITS = { lineBytes: 4_000, matches: 500, searchMs: 20_000, countMs: 60_000 };

export interface LogLines {
  file: string;
  start_line: number;
  lines: string[];
  more: boolean;
  total_lines: number | null;
  size: number;
  encoding: string;
  compression: string;
}

export class Logs {
  private readonly guard: PathGuard;
  private readonly indexes = new LineIndexes();
  private readonly mayRead = (real: string): boolean => this.guard.allows(real);

  constructor(searchRoot: string, hidden: readonly string[]) {
    this.guard = new PathGuard(searchRoot, { hidden });
  }

  /** A path relative to the search root, for display. */
  shown(path: string): string {
    const below = this.guard.below(path);
    return below === undefined ? path : this.guard.shown(below);
  }

  /** Absolute path of a log that is owned. Throws a 404 otherwise, whether it exists or not. */
  owned(file: string, owned: readonly string[]): string {
    const resolved = this.guard.below(file);
    const known = owned.some((path) => this.guard.below(path) === resolved);
    const place = resolved === undefined || !known ? undefined : this.guard.resolve(resolved);
    if (place?.inside === true) return place.path;
    throw refusal(404, "file not found here", "open it from the item, job or run that read or wrote it");
  }

  async lines(path: string, from: number, count: number, signal: AbortSignal): Promise<LogLines> {
    const { lineBytes } = LIMITS;
    const { indexes, mayRead } = this;
    const read = await readLines(path, {
      from,
      to: from + count - 1,
      maxLineBytes: lineBytes,
      indexes,
      mayRead,
      signal,
    });
    if (!read.ok) return this.refuse(read.diagnostic, path);
    const { startLine, lines, more, totalLines, size, encoding, compression } = read;
    return {
      file: this.shown(path),
      start_line: startLine,
      lines,
      more,
      total_lines: totalLines ?? null,
      size,
      encoding,
      compression,
    };
  }

  /** Reads the whole log once; from then on its lines are counted and any range is fast. */
  async count(path: string, signal: AbortSignal): Promise<{ total_lines: number | null }> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.countMs)]);
    const from = Number.MAX_SAFE_INTEGER - 1;
    const read = await readLines(path, {
      from,
      to: from,
      maxLineBytes: LIMITS.lineBytes,
      indexes: this.indexes,
      mayRead: this.mayRead,
      signal: limited,
    });
    if (!read.ok) return this.refuse(read.diagnostic, path);
    return { total_lines: read.totalLines ?? null };
  }

  /** Lines that contain a text or match an expression, from the start of the log. */
  async search(path: string, text: string, regex: boolean, most: number, signal: AbortSignal) {
    const compiled = regex ? await regexMatcher([text], { caseSensitive: false }) : undefined;
    const matcher = compiled === undefined ? keywordMatcher([text]) : compiled.matcher;
    if (matcher === undefined) {
      throw refusal(400, `invalid expression: ${compiled?.bad[0]?.message ?? ""}`);
    }
    const read = await searchText(path, matcher, {
      maxMatches: Math.min(most, LIMITS.matches),
      contextLines: 0,
      maxLineBytes: LIMITS.lineBytes,
      maxTime: LIMITS.searchMs,
      indexes: this.indexes,
      mayRead: this.mayRead,
      signal,
    });
    if (!read.ok) return this.refuse(read.diagnostic, path);
    const hits = [...new Set(read.hits.map(({ line }) => line))];
    return {
      hits: hits.map((line) => ({ line, text: read.lines.get(line) ?? null })),
      complete: read.complete,
      stopped: read.stopped ?? null,
      total_lines: read.totalLines ?? null,
    };
  }

  private refuse({ code, message }: Diagnostic, path: string): never {
    if (code === "input_outside_root") throw refusal(404, "file not found here");
    throw new AtomsmithError("store", `cannot read the log: ${message}`, { where: this.shown(path) });
  }
}

/** Open folders, each with its own line indexes. */
const MOST_FOLDERS = 16;

/** Viewers by folder; the most recently used are kept. */
export class Folders {
  private readonly held = new Map<string, Logs>();

  /** The files below a folder. Throws kind `usage` when it is not a directory. */
  at(root: string): Logs {
    const found = this.held.get(root) ?? new Logs(root, []);
    this.held.delete(root);
    this.held.set(root, found);
    const [oldest] = this.held.keys();
    if (this.held.size > MOST_FOLDERS && oldest !== undefined) this.held.delete(oldest);
    return found;
  }
}

/** Folders strictly below the search root that do not contain logs. */
export function hiddenBelow(root: string, folders: readonly string[]): string[] {
  const real = realpathSync(root);
  return folders.filter((folder) => folder !== real && folder.startsWith(`${real}/`));
}
