// Finds texts of one or more lines in the logs below the search root, for `spec lint`, which reports whether each worked
// example occurs in a log. Bounded in files, bytes and time; an exceeded limit is reported.
import { join } from "node:path";
import { hasPageName } from "../contract/page-name.ts";
import { atAnyDepth, parseGlob } from "../files/glob.ts";
import { PathGuard } from "../files/guard.ts";
import { variablesOf } from "../files/variables.ts";
import {
  keywordMatcher,
  LineIndexes,
  type MayRead,
  readLines,
  type SearchRead,
  searchText,
} from "../logio/index.ts";
import { MAX_KEYWORDS } from "./arguments.ts";
import { firstMatches, leadsInside } from "./matches.ts";
import { compilePattern } from "./patterns.ts";

export interface FindTextsRequest {
  searchRoot: string;
  /** Absolute paths of files and folders to exclude. */
  hidden: readonly string[];
  /** Values of `${NAME}` in `first`. */
  variables: Readonly<Record<string, string>>;
  /** Globs of files to search first; invalid ones are ignored. */
  first: readonly string[];
  limits: { files: number; bytes: number; ms: number };
  signal: AbortSignal;
}

export interface TextPlace {
  /** Relative to the search root. */
  file: string;
  /** 1-based. */
  line: number;
}

export interface FoundTexts {
  /** In the order of the texts; null: not in any file that was searched. */
  places: (TextPlace | null)[];
  files: number;
  /** Bytes of text after decompression. */
  bytes: number;
  /** The limit that ended the search early. */
  stopped: "files" | "bytes" | "time" | null;
}

/** Maximum candidates for one text in one file, which are compared line by line. */
const MAX_CANDIDATES = 200;
const KEY_CHARS = 120;
const MAX_CONTEXT = 40;

/** Finds the first occurrence of each text (lines joined by LF; trailing whitespace is ignored). Unreadable files are
 * skipped. Throws kind `usage` when the search root is not a readable directory, and the signal's reason. */
export async function findTexts(texts: readonly string[], request: FindTextsRequest): Promise<FoundTexts> {
  const { limits, signal } = request;
  const end = performance.now() + limits.ms;
  const guard = new PathGuard(request.searchRoot, { hidden: request.hidden });
  const { paths, more } = await candidates(guard, request);
  const found: FoundTexts = { places: texts.map(() => null), files: 0, bytes: 0, stopped: null };
  for (const path of paths) {
    signal.throwIfAborted();
    const open = found.places.flatMap((place, i) => (place === null ? [i] : []));
    if (open.length === 0) return found;
    if (performance.now() > end) return { ...found, stopped: "time" };
    if (found.bytes >= limits.bytes) return { ...found, stopped: "bytes" };
    for (let start = 0; start < open.length; start += MAX_KEYWORDS) {
      const batch = open.slice(start, start + MAX_KEYWORDS);
      const { lines, scanned } = await findIn(
        join(guard.root, path),
        batch.map((i) => texts[i] ?? ""),
        { ms: end - performance.now(), bytes: limits.bytes - found.bytes, signal },
        (real) => guard.allows(real),
      );
      found.bytes += scanned;
      batch.forEach((text, i) => {
        const line = lines[i];
        if (line !== undefined) found.places[text] = { file: path, line };
      });
    }
    found.files += 1;
  }
  return { ...found, stopped: more };
}

/** The files below the root in order of path, those of the globs first. */
async function candidates(
  guard: PathGuard,
  { first, limits, signal, variables: configured }: FindTextsRequest,
): Promise<{ paths: string[]; more: FoundTexts["stopped"] }> {
  const { root } = guard;
  const variables = variablesOf(root, configured);
  const globs = [...new Set(first)].flatMap((written) => {
    const pattern = compilePattern(atAnyDepth(written), guard, variables);
    return pattern.ok ? [pattern.glob] : [];
  });
  const found = await firstMatches(guard, [...globs, parseGlob("**")], {
    maxFiles: limits.files,
    stopEarly: false,
    maxTime: limits.ms,
    signal,
    excludes: hasPageName,
  });
  const all = [...new Set(found.kept.flat().map(({ path }) => path))];
  const more = found.stopped === "time" ? "time" : all.length > limits.files ? "files" : null;
  const paths = all.slice(0, limits.files).filter((path) => leadsInside(guard, join(root, path)));
  return { paths, more };
}

/** The line of the first occurrence of each text in a file; undefined without one. */
async function findIn(
  path: string,
  texts: readonly string[],
  limits: { ms: number; bytes: number; signal: AbortSignal },
  mayRead: MayRead,
): Promise<{ lines: (number | undefined)[]; scanned: number }> {
  const wanted = texts.map((text) => text.split("\n").map((line) => line.trimEnd()));
  const keys = wanted.map(keyLine);
  const indexes = keys.flatMap((key, i) => (key.text === "" ? [] : [i]));
  const lines: (number | undefined)[] = texts.map(() => undefined);
  if (indexes.length === 0) return { lines, scanned: 0 };
  const longest = Math.max(...wanted.flat().map((line) => Buffer.byteLength(line)));
  const reading = { maxLineBytes: longest + 256, indexes: new LineIndexes(), mayRead };
  const search = await searchText(path, keywordMatcher(indexes.map((i) => keys[i]?.text ?? "")), {
    ...reading,
    maxMatches: MAX_CANDIDATES,
    contextLines: Math.min(MAX_CONTEXT, Math.max(...wanted.map(({ length }) => length)) - 1),
    maxScanBytes: Math.max(1, limits.bytes),
    maxTime: Math.max(1, limits.ms),
    signal: limits.signal,
  });
  if (!search.ok) return { lines, scanned: 0 };
  for (const { pattern, line } of search.hits) {
    const i = indexes[pattern] ?? 0;
    const own = wanted[i] ?? [];
    const from = line - (keys[i]?.offset ?? 0);
    if (lines[i] !== undefined || from < 1) continue;
    const actual = await linesAt(search, from, own.length, reading);
    if (own.every((text, n) => actual[n]?.trimEnd() === text)) lines[i] = from;
  }
  return { lines, scanned: search.scannedBytes };
}

/** Lines stored by the search, otherwise read again. */
async function linesAt(
  search: SearchRead,
  from: number,
  count: number,
  reading: { maxLineBytes: number; indexes: LineIndexes; mayRead: MayRead },
): Promise<string[]> {
  const kept = Array.from({ length: count }, (_, n) => search.lines.get(from + n));
  if (kept.every((line) => line !== undefined)) return kept;
  const read = await readLines(search.path, { ...reading, from, to: from + count - 1 });
  return read.ok ? read.lines : [];
}

/** The longest line, truncated to the length of a keyword: the search looks for it. */
function keyLine(lines: readonly string[]): { text: string; offset: number } {
  const longest = lines.reduce((a, b) => (b.length > a.length ? b : a), "");
  return { text: longest.trim().slice(0, KEY_CHARS), offset: lines.indexOf(longest) };
}
