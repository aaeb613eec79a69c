// What the author looks at: finds the files with the tools, reads small ones whole and of big ones the head,
// what stands around the words that matter, and samples. Every byte goes through the tools and their quotas.

import { isJsonObject } from "../../../core/json.ts";
import type { FileTools, ToolResult } from "../../../tools/types.ts";
import type { FileClause } from "../page/page.ts";
import { inNamedFolders, patternsFor } from "./choose-files.ts";
import { isOneTable } from "./one-table.ts";

/** A run of lines of one file as the tools showed it. */
export interface Segment {
  /** 1-based number of the first line. */
  startLine: number;
  lines: string[];
}

export interface ObservedFile {
  path: string;
  /** As the observed texts name it: absolute, links resolved. Known once something was read. */
  real?: string;
  /** The pattern that found it. */
  glob: string;
  /** On disk, bytes; compressed files are smaller there than they are. */
  size: number;
  segments: Segment[];
  /** All lines of the file were seen. */
  complete: boolean;
}

export interface Observation {
  files: ObservedFile[];
  /** Globs that found nothing. */
  missing: string[];
  /** Remarks for the report: what was looked for differently than the page says. */
  notes: string[];
}

/** Files whose content is looked at; further ones are of the same patterns. */
const MAX_FILES_READ = 6;
/** Part of the quota that is left for a second look (reflect, hints). */
const RESERVE = 0.12;
/** Compressed logs are assumed to grow by this factor at most. */
const GZIP_FACTOR = 40;

interface Found {
  path: string;
  size: number;
}

async function list(tools: FileTools, pattern: string, anyFew = false): Promise<Found[]> {
  const few = anyFew ? { max_files: tools.limits.maxFilesPerDiscovery, stop_early: true } : {};
  const result = await tools.call("list_available_files", { patterns: [pattern], ...few });
  const files = result.data["files"];
  if (!result.ok || !Array.isArray(files)) return [];
  return files.flatMap((file) => {
    if (!isJsonObject(file) || typeof file["path"] !== "string") return [];
    return [{ path: file["path"], size: typeof file["size"] === "number" ? file["size"] : 0 }];
  });
}

function looser(glob: string): string[] {
  const base = glob.slice(glob.lastIndexOf("/") + 1);
  const stem = base.replace(/\.gz$/, "");
  const options = [
    base,
    `${stem}.gz`,
    stem,
    `${stem.replace(/\.[\w]+$/, "")}*`,
    `*${stem.replace(/\.[\w]+$/, "")}*`,
  ];
  return [...new Set(options)].filter((one) => one !== glob && one.replace(/[*.]/g, "").length >= 3);
}

/** What section 4.1 says of the files. */
export interface FileWishes {
  /** Patterns of what is read. */
  globs: readonly string[];
  /** Patterns of what is not. */
  excluded: readonly string[];
  clauses: readonly FileClause[];
}

/** Finds and reads what the page wants read. */
export async function observe(
  tools: FileTools,
  { globs, excluded, clauses }: FileWishes,
  keywords: readonly string[],
): Promise<Observation> {
  let files: ObservedFile[] = [];
  const dropped: ObservedFile[] = [];
  const missing: string[] = [];
  const notes: string[] = [];
  const add = (found: readonly Found[], glob: string): number => {
    let added = 0;
    for (const { path, size } of found) {
      const isExcluded = excluded.some((one) => globMatches(one, path));
      if (!isExcluded) added += 1;
      if (files.some((file) => file.path === path)) continue;
      (isExcluded ? dropped : files).push({ path, glob, size, segments: [], complete: false });
    }
    return added;
  };
  for (const glob of globs) {
    const asked = glob.includes("/") && !glob.startsWith("**/") ? [glob, `**/${glob}`] : [glob];
    let count = 0;
    for (const pattern of asked) {
      count = add(
        await list(tools, pattern),
        glob.includes("/") && pattern === glob ? glob : `**/${glob.replace(/^\*\*\//, "")}`,
      );
      if (count > 0) break;
    }
    if (count > 0) continue;
    for (const option of looser(glob)) {
      if (add(await list(tools, option), `**/${option}`) === 0) continue;
      notes.push(`No file is called ${glob}; ${option} was found instead.`);
      count = 1;
      break;
    }
    if (count === 0) missing.push(glob);
  }
  if (globs.length === 0) {
    add(await list(tools, "**/*", true), "**/*");
    notes.push("Section 4.1 names no file that can be searched for.");
  }
  const meant = inNamedFolders(files, clauses);
  dropped.push(...files.filter((file) => !meant.includes(file)));
  files = meant;
  narrow(files, dropped);
  await readFiles(tools, files, keywords);
  return { files, missing, notes };
}

/** Gives the files patterns that find none of those the page does not want. */
function narrow(files: readonly ObservedFile[], dropped: readonly ObservedFile[]): void {
  for (const glob of new Set(files.map((file) => file.glob))) {
    const own = files.filter((file) => file.glob === glob);
    const others = dropped
      .filter((file) => !own.some(({ path }) => path === file.path))
      .map(({ path }) => path);
    const globs = patternsFor(
      glob,
      own.map(({ path }) => path),
      others.filter((path) => globMatches(glob, path)),
      globMatches,
    );
    for (const file of own) file.glob = globs.find((one) => globMatches(one, file.path)) ?? file.path;
  }
}

async function readFiles(
  tools: FileTools,
  files: ObservedFile[],
  keywords: readonly string[],
): Promise<void> {
  const budget = tools.bytesLeft() * (1 - RESERVE);
  const floor = tools.bytesLeft() - budget;
  const chosen = pickFiles(files);
  for (const [index, file] of chosen.entries()) {
    const share = (tools.bytesLeft() - floor) / (chosen.length - index);
    if (share < 400) break;
    await readOne(tools, file, share, keywords);
  }
  collect(tools, files);
}

/** Small files first, and every pattern represented. */
function pickFiles(files: readonly ObservedFile[]): ObservedFile[] {
  const byGlob = new Map<string, ObservedFile[]>();
  for (const file of files) byGlob.set(file.glob, [...(byGlob.get(file.glob) ?? []), file]);
  const chosen: ObservedFile[] = [];
  for (let round = 0; chosen.length < Math.min(MAX_FILES_READ, files.length); round += 1) {
    for (const group of byGlob.values()) {
      const file = group[round];
      if (file !== undefined && chosen.length < MAX_FILES_READ) chosen.push(file);
    }
  }
  return chosen.sort((a, b) => estimate(a) - estimate(b));
}

function estimate(file: ObservedFile): number {
  return file.size * (isCompressed(file) ? GZIP_FACTOR : 1);
}

function isCompressed(file: ObservedFile): boolean {
  return /\.(?:gz|zst|bz2|xz)$/.test(file.path);
}

/** Calls a reading tool on a file and learns by what name its text is kept. */
async function read(
  tools: FileTools,
  file: ObservedFile,
  tool: string,
  args: Record<string, unknown>,
): Promise<ToolResult> {
  const before = tools.snapshot().observed.length;
  const result = await tools.call(tool, { file_path: file.path, ...args });
  const added = tools.snapshot().observed[before];
  if (added !== undefined) file.real = added.path;
  return result;
}

async function readOne(
  tools: FileTools,
  file: ObservedFile,
  share: number,
  keywords: readonly string[],
): Promise<void> {
  const before = tools.bytesLeft();
  const spent = (): number => before - tools.bytesLeft();
  const step = tools.limits.maxLinesPerCall;
  if (estimate(file) * 1.25 < share) {
    for (let start = 1; spent() < share; start += step) {
      const result = await read(tools, file, "read_file_range", {
        start_line: start,
        end_line: start + step - 1,
      });
      const got = result.ok ? seenLines(tools, file.real, start, step) : 0;
      if (got < step) {
        file.complete = result.ok || start > 1;
        return;
      }
    }
    return;
  }
  await read(tools, file, "read_file_header", {
    max_lines: Math.min(60, tools.limits.headerLines),
  });
  await searchAll(tools, file, share * 0.55 - spent(), keywords);
  if (isCompressed(file)) await readOn(tools, file, share - spent());
  else await sample(tools, file, share - spent());
}

/** Keywords of one call; the tool reads the file once for all of them. */
const SEARCHED = 8;

/** One search for all keywords, with as much around the hits as there is room for. */
async function searchAll(
  tools: FileTools,
  file: ObservedFile,
  room: number,
  keywords: readonly string[],
): Promise<void> {
  const asked = keywords.slice(0, SEARCHED);
  if (asked.length === 0 || room <= 0) return;
  const lines = Math.floor(
    room / averageLine(tools, file) / (asked.length * tools.limits.maxMatchesPerKeyword),
  );
  if (lines < 1) return;
  await read(tools, file, "search_in_file", {
    keywords: asked,
    context_lines: Math.max(0, Math.min(12, Math.floor((lines - 1) / 2))),
  });
}

/** Bytes of a line of what was seen so far, with what the tools add to each. */
function averageLine(tools: FileTools, file: ObservedFile): number {
  const lines = tools
    .snapshot()
    .observed.filter((text) => text.path === file.real)
    .flatMap((text) => text.lines);
  const sum = lines.reduce((total, line) => total + line.length + 12, 0);
  return Math.max(30, sum / Math.max(1, lines.length));
}

/** Reads on from the head until the end or until the room is used: how long a compressed file is, is unknown. */
async function readOn(tools: FileTools, file: ObservedFile, room: number): Promise<void> {
  const before = tools.bytesLeft();
  const step = Math.min(100, tools.limits.maxLinesPerCall);
  for (let start = 1; before - tools.bytesLeft() < room * 0.8; start += step) {
    const end = start + step - 1;
    const result = await read(tools, file, "read_file_range", {
      start_line: start,
      end_line: end,
    });
    if (!result.ok || seenLines(tools, file.real, start, step) < step) {
      file.complete = start > 1 || result.ok;
      return;
    }
  }
}

/** Windows spread over the file, so that lines between the hits are known too. */
async function sample(tools: FileTools, file: ObservedFile, room: number): Promise<void> {
  const seen = tools.snapshot().observed.filter((text) => text.path === file.real);
  const lines = seen.flatMap((text) => text.lines);
  const average = Math.max(
    20,
    lines.reduce((sum, line) => sum + line.length + 1, 0) / Math.max(1, lines.length),
  );
  const total = Math.max(estimate(file) / average, ...seen.map((text) => text.startLine + text.lines.length));
  const windows = 4;
  const size = Math.min(tools.limits.maxLinesPerCall, Math.floor((room * 0.8) / windows / (average + 12)));
  if (size < 8) return;
  for (let index = 0; index < windows; index += 1) {
    const start = Math.max(61, Math.floor((total * index) / windows) + 1);
    if (tools.bytesLeft() < size * average) return;
    await read(tools, file, "read_file_range", {
      start_line: start,
      end_line: start + size - 1,
    });
  }
}

function seenLines(tools: FileTools, path: string | undefined, start: number, count: number): number {
  let best = 0;
  for (const text of tools.snapshot().observed) {
    if (text.path !== path || text.startLine > start) continue;
    best = Math.max(best, Math.min(count, text.startLine + text.lines.length - start));
  }
  return best;
}

/** Looks at one more file, found by the name that a log line mentions. Returns whether there is such a file. */
export async function observeMore(
  tools: FileTools,
  observation: Observation,
  name: string,
  keywords: readonly string[],
): Promise<boolean> {
  const found = (await list(tools, name)).filter((one) =>
    observation.files.every((file) => file.path !== one.path),
  );
  if (found.length === 0) return false;
  const files = found.map(({ path, size }) => ({
    path,
    glob: `**/${name}`,
    size,
    segments: [],
    complete: false,
  }));
  const room = tools.bytesLeft() * 0.7;
  for (const file of files.slice(0, 2))
    await readOne(tools, file, room / Math.min(2, files.length), keywords);
  collect(tools, files);
  observation.files.push(...files);
  return true;
}

/** Joins what the tools showed of each file into runs without gaps. */
export function collect(tools: FileTools, files: ObservedFile[]): void {
  const byPath = new Map<string, Map<number, string>>();
  for (const { path, startLine, lines } of tools.snapshot().observed) {
    const known = byPath.get(path) ?? new Map<number, string>();
    for (const [index, line] of lines.entries()) known.set(startLine + index, line.replace(/\r$/, ""));
    byPath.set(path, known);
  }
  for (const file of files) {
    const known = [...(byPath.get(file.real ?? file.path) ?? [])].sort((a, b) => a[0] - b[0]);
    file.segments = [];
    for (const [number, line] of known) {
      const last = file.segments.at(-1);
      if (last !== undefined && last.startLine + last.lines.length === number) last.lines.push(line);
      else file.segments.push({ startLine: number, lines: [line] });
    }
  }
}

/** Does a path end in what the glob names? `**`, `*` and `?` only. */
export function globMatches(glob: string, path: string): boolean {
  const source = glob
    .replace(/^\*\*\//, "")
    .split("/")
    .map((part) =>
      part === "**"
        ? ".*"
        : part
            .replace(/[\\^$.+()[\]{}|]/g, "\\$&")
            .replace(/\*/g, "[^/]*")
            .replace(/\?/g, "[^/]"),
    )
    .join("/");
  return new RegExp(`(?:^|/)${source}$`).test(path);
}

/** All lines that were seen, with an empty line where lines in between were not. */
export function allLines(files: readonly ObservedFile[]): string[] {
  return files.flatMap((file) =>
    isOneTable(file)
      ? [...file.segments.flatMap((segment) => segment.lines), ""]
      : file.segments.flatMap((segment) => [...segment.lines, ""]),
  );
}
