// Discovery: walks the tree below the search root and keeps the best matches of the patterns. True totals, and
// memory that does not depend on how many files there are.
import {
  closeSync,
  constants,
  type Dirent,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { extname, join } from "node:path";
import type { JsonObject } from "../core/json.ts";
import { sniffCompression, Turns } from "../logio/index.ts";
import { type Answer, fitting, jsonBytes, type Refusal, refuse } from "./answer.ts";
import type { PathGuard } from "./paths.ts";

export interface ListRequest {
  patterns: string[];
  maxFiles: number;
  stopEarly: boolean;
  /** Values of `${NAME}` in patterns: absolute folders. */
  variables: Record<string, string>;
  /** Milliseconds after which the walk stops and says so. */
  maxTime: number;
  signal?: AbortSignal;
}

/** Folders of version control are nobody's logs. */
const SKIPPED = new Set([".git", ".hg", ".svn"]);

interface Pattern {
  written: string;
  matches(path: string, name: string): boolean;
}

interface Match {
  path: string;
  pattern: number;
  link: boolean;
}

interface Walk {
  /** Per pattern, its first files in order of path. */
  kept: Match[][];
  total: number;
  perPattern: number[];
  skipped: { links: number; special: number; unreadable: number };
  extensions: Map<string, number>;
  stopped: "early" | "time" | "interrupted" | undefined;
}

export async function listFiles(
  guard: PathGuard,
  request: ListRequest,
  budget: number,
): Promise<Answer | Refusal> {
  const patterns: Pattern[] = [];
  for (const written of request.patterns) {
    const pattern = compile(written, guard, request.variables);
    if ("ok" in pattern) return pattern;
    patterns.push(pattern);
  }
  const walk = await walkTree(guard, patterns, request);
  const chosen = fairShare(walk.kept, request.maxFiles);
  const files = chosen.flatMap((match) => describe(guard, match));
  return answer(guard, request, walk, files, budget);
}

function answer(
  guard: PathGuard,
  request: ListRequest,
  walk: Walk,
  files: { shown: string; real: string; data: JsonObject }[],
  budget: number,
): Answer {
  const notes = notesOf(walk, request);
  const perPattern: JsonObject = {};
  request.patterns.forEach((pattern, i) => {
    perPattern[pattern] = walk.perPattern[i] ?? 0;
  });
  const build = (count: number): JsonObject => ({
    files: files.slice(0, count).map((file) => file.data),
    total_found: walk.total,
    truncated: count < walk.total || walk.stopped !== undefined,
    ...(request.patterns.length > 1 ? { found_per_pattern: perPattern } : {}),
    ...(notes.length === 0 && count === files.length
      ? {}
      : { notes: count < files.length ? [...notes, "The quota allows no more files."] : notes }),
  });
  const fixed = jsonBytes(build(0)) + 64;
  const count = fitting(
    files.map((file) => file.data),
    fixed,
    budget,
  );
  return {
    ok: true,
    data: build(count),
    observed: [],
    discovered: files.slice(0, count).map((file) => [file.shown, file.real]),
    summary: `${request.patterns.join(" ")}: ${count} of ${walk.total} files below ${guard.root}`,
  };
}

function notesOf(walk: Walk, request: ListRequest): string[] {
  const notes: string[] = [];
  if (walk.stopped === "early") notes.push("Stopped early as asked: there may be more files.");
  if (walk.stopped === "time")
    notes.push(`Stopped after ${request.maxTime / 1000} s: there may be more files.`);
  if (walk.stopped === "interrupted") notes.push("Interrupted: there may be more files.");
  const { links, special, unreadable } = walk.skipped;
  if (links > 0) notes.push(`${links} matching links lead nowhere or out of the search root.`);
  if (special > 0) notes.push(`${special} matching pipes, sockets or devices were left out.`);
  if (unreadable > 0) notes.push(`${unreadable} folders or names could not be read.`);
  if (walk.total === 0) {
    const kinds = [...walk.extensions].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 8);
    notes.push(
      kinds.length === 0
        ? "There are no files below the search root."
        : `Nothing matches. There are: ${kinds.map(([kind, count]) => `${count} × ${kind}`).join(", ")}.`,
    );
  }
  return notes;
}

/** Every pattern gets its fair part of the places, earlier patterns what is left; then by pattern and path. */
function fairShare(kept: Match[][], places: number): Match[] {
  const chosen = new Set<Match>();
  const share = Math.max(1, Math.floor(places / Math.max(1, kept.length)));
  for (const limit of [share, places]) {
    for (const matches of kept) {
      for (const match of matches.slice(0, limit)) if (chosen.size < places) chosen.add(match);
    }
  }
  return [...chosen].sort((a, b) => a.pattern - b.pattern || byPath(a, b));
}

function byPath(a: Match, b: Match): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

async function walkTree(guard: PathGuard, patterns: Pattern[], request: ListRequest): Promise<Walk> {
  const walk: Walk = {
    kept: patterns.map(() => []),
    total: 0,
    perPattern: patterns.map(() => 0),
    skipped: { links: 0, special: 0, unreadable: 0 },
    extensions: new Map(),
    stopped: undefined,
  };
  const started = performance.now();
  const folders = [""];
  const turns = new Turns();
  while (folders.length > 0 && walk.stopped === undefined) {
    const folder = folders.pop() ?? "";
    for (const entry of entriesOf(guard, folder, walk))
      visit(guard, patterns, request, walk, folders, folder, entry);
    if (request.stopEarly && walk.total >= request.maxFiles) walk.stopped = "early";
    if (!(await turns.take())) continue;
    if (request.signal?.aborted) walk.stopped = "interrupted";
    else if (performance.now() - started > request.maxTime) walk.stopped = "time";
  }
  for (const matches of walk.kept) matches.sort(byPath);
  return walk;
}

function visit(
  guard: PathGuard,
  patterns: Pattern[],
  request: ListRequest,
  walk: Walk,
  folders: string[],
  folder: string,
  entry: Dirent,
): void {
  const { name } = entry;
  const path = folder + name;
  // A name that is not valid UTF-8 cannot be given back as text.
  if (name.includes("\ufffd")) {
    walk.skipped.unreadable += 1;
    return;
  }
  if (entry.isDirectory()) {
    if (!SKIPPED.has(name) && !guard.isHidden(join(guard.root, path))) folders.push(`${path}/`);
    return;
  }
  const regular = entry.isFile();
  if (regular) countExtension(walk, name);
  const pattern = patterns.findIndex((one) => one.matches(path, name));
  if (pattern < 0) return;
  if (!regular && !entry.isSymbolicLink()) {
    walk.skipped.special += 1;
    return;
  }
  if (!regular && !leadsToFile(guard, path)) {
    walk.skipped.links += 1;
    return;
  }
  if (guard.isHidden(join(guard.root, path))) return;
  walk.total += 1;
  walk.perPattern[pattern] = (walk.perPattern[pattern] ?? 0) + 1;
  const kept = walk.kept[pattern];
  if (kept === undefined) return;
  kept.push({ path, pattern, link: !regular });
  // Only the first of each pattern are needed, so memory stays small whatever the tree.
  if (kept.length < 4 * request.maxFiles + 64) return;
  kept.sort(byPath);
  kept.length = request.maxFiles;
}

function entriesOf(guard: PathGuard, folder: string, walk: Walk): Dirent[] {
  try {
    return readdirSync(join(guard.root, folder), { withFileTypes: true });
  } catch {
    walk.skipped.unreadable += 1;
    return [];
  }
}

function countExtension(walk: Walk, name: string): void {
  const kind = extname(name.endsWith(".gz") ? name.slice(0, -3) : name) || "(no extension)";
  const known = walk.extensions.get(kind);
  if (known !== undefined || walk.extensions.size < 1000) walk.extensions.set(kind, (known ?? 0) + 1);
}

function leadsToFile(guard: PathGuard, path: string): boolean {
  try {
    const real = realpathSync(join(guard.root, path));
    return guard.allows(real) && statSync(real).isFile();
  } catch {
    return false;
  }
}

const TYPES: Record<string, string> = {
  ".log": "log",
  ".rpt": "report",
  ".v": "netlist",
  ".vg": "netlist",
  ".sv": "netlist",
  ".spef": "spef",
  ".sdc": "constraints",
  ".yaml": "config",
  ".yml": "config",
  ".json": "config",
};

/** What the author is told of a file; nothing when it vanished meanwhile. */
function describe(guard: PathGuard, match: Match): { shown: string; real: string; data: JsonObject }[] {
  try {
    const real = realpathSync(join(guard.root, match.path));
    if (!guard.allows(real)) return [];
    const compression = compressionOf(real);
    const name = match.path.replace(/\.(gz|zst|bz2|xz)$/i, "");
    const data: JsonObject = {
      path: match.path,
      size: statSync(real).size,
      type: TYPES[extname(name).toLowerCase()] ?? "unknown",
    };
    if (compression !== "plain") data["compression"] = compression;
    return [{ shown: match.path, real, data }];
  } catch {
    return [];
  }
}

function compressionOf(path: string): string {
  try {
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const head = new Uint8Array(10);
      return sniffCompression(head.subarray(0, readSync(fd, head, 0, 10, 0)));
    } finally {
      closeSync(fd);
    }
  } catch {
    return "plain";
  }
}

/** A pattern without a slash matches names at any depth; with one, paths below the root. */
function compile(written: string, guard: PathGuard, variables: Record<string, string>): Pattern | Refusal {
  let text = written
    .trim()
    .replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, name: string) => variables[name] ?? whole);
  const unknown = /\$\{[^}]*\}/.exec(text)?.[0];
  if (unknown !== undefined) {
    const known = Object.keys(variables).map((name) => `\${${name}}`);
    return refuse(
      "bad_pattern",
      `${unknown} in "${written}" is not known.`,
      `Known: ${known.join(", ") || "none"}.`,
    );
  }
  text = text.replace(/^(\.\/)+/, "");
  if (text.startsWith(`${guard.root}/`)) text = text.slice(guard.root.length + 1);
  if (text.startsWith("/") || text.split("/").includes("..")) {
    return refuse(
      "outside_root",
      `"${written}" leads out of the search root.`,
      "Use patterns relative to it, such as **/*.log.",
    );
  }
  if ((text.match(/\{/g)?.length ?? 0) > 8 || (text.match(/\*/g)?.length ?? 0) > 32) {
    return refuse(
      "bad_pattern",
      `"${written.slice(0, 80)}" is too complicated.`,
      "Use several simple patterns.",
    );
  }
  const glob = new Bun.Glob(text);
  const byName = !text.includes("/");
  return { written, matches: (path, name) => glob.match(byName ? name : path) };
}
