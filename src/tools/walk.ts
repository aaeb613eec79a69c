// Walks the tree below the search root once. Keeps the first files of each pattern in order of path, so memory does
// not depend on how many there are; counts all of them.
import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import { Turns } from "../logio/index.ts";
import type { PathGuard } from "./paths.ts";
import type { Pattern } from "./patterns.ts";

export interface WalkLimits {
  /** Files that the answer may hold. */
  maxFiles: number;
  /** Stop once that many were found. */
  stopEarly: boolean;
  /** Milliseconds after which the walk stops and says so. */
  maxTime: number;
  signal?: AbortSignal;
}

export interface Match {
  /** Relative to the root, with forward slashes. */
  path: string;
  /** Number of the first pattern that matches. */
  pattern: number;
}

/** Folders of version control are nobody's logs. */
const SKIPPED = new Set([".git", ".hg", ".svn"]);
type Kind = "file" | "folder" | "link" | "special";

export class TreeWalk {
  /** Per pattern its first files. */
  readonly kept: Match[][];
  readonly perPattern: number[];
  total = 0;
  readonly skipped = { links: 0, special: 0, unreadable: 0 };
  stopped: "early" | "time" | "interrupted" | undefined;
  private readonly guard: PathGuard;
  private readonly patterns: Pattern[];
  private readonly limits: WalkLimits;
  private readonly folders = [""];

  constructor(guard: PathGuard, patterns: Pattern[], limits: WalkLimits) {
    this.guard = guard;
    this.patterns = patterns;
    this.limits = limits;
    this.kept = patterns.map(() => []);
    this.perPattern = patterns.map(() => 0);
  }

  async run(): Promise<this> {
    const { limits } = this;
    const started = performance.now();
    const turns = new Turns();
    while (this.folders.length > 0 && this.stopped === undefined) {
      const folder = this.folders.pop() ?? "";
      for (const entry of this.entries(folder)) this.visit(folder, entry);
      if (limits.stopEarly && this.total >= limits.maxFiles) this.stopped = "early";
      if (!(await turns.take())) continue;
      if (limits.signal?.aborted) this.stopped = "interrupted";
      else if (performance.now() - started > limits.maxTime) this.stopped = "time";
    }
    for (const matches of this.kept) matches.sort(byPath);
    return this;
  }

  /** What kinds of files there are at all, for a discovery that found nothing. Looks at 200 folders at most. */
  extensions(): Map<string, number> {
    const counts = new Map<string, number>();
    const folders = [""];
    for (let looked = 0; looked < 200 && folders.length > 0; looked += 1) {
      const folder = folders.shift() ?? "";
      for (const entry of this.entries(folder)) {
        const { name } = entry;
        const kind = kindOf(this.guard, folder, entry);
        if (kind === "folder" && this.mayEnter(folder, name)) folders.push(`${folder}${name}/`);
        if (kind !== "file" || this.hides(folder, name)) continue;
        const extension = extname(name.endsWith(".gz") ? name.slice(0, -3) : name) || "(no extension)";
        counts.set(extension, (counts.get(extension) ?? 0) + 1);
      }
    }
    return counts;
  }

  private visit(folder: string, entry: Dirent): void {
    const { name } = entry;
    const kind = kindOf(this.guard, folder, entry);
    if (kind === "folder") {
      if (name.includes("\ufffd")) this.skipped.unreadable += 1;
      else if (this.mayEnter(folder, name)) this.folders.push(`${folder}${name}/`);
      return;
    }
    const pattern = this.patterns.findIndex((one) => one.matches(folder, name));
    if (pattern < 0) return;
    // A name that is not valid UTF-8 cannot be given back as text.
    if (name.includes("\ufffd")) this.skipped.unreadable += 1;
    else if (kind === "special") this.skipped.special += 1;
    else if (kind === "link" && !this.leadsToFile(folder + name)) this.skipped.links += 1;
    else if (!this.hides(folder, name)) this.keep({ path: folder + name, pattern });
  }

  private keep(match: Match): void {
    this.total += 1;
    this.perPattern[match.pattern] = (this.perPattern[match.pattern] ?? 0) + 1;
    const kept = this.kept[match.pattern] ?? [];
    kept.push(match);
    if (kept.length < 4 * this.limits.maxFiles + 64) return;
    kept.sort(byPath);
    kept.length = this.limits.maxFiles;
  }

  private entries(folder: string): Dirent[] {
    try {
      return readdirSync(join(this.guard.root, folder), { withFileTypes: true });
    } catch {
      this.skipped.unreadable += 1;
      return [];
    }
  }

  private mayEnter(folder: string, name: string): boolean {
    return !SKIPPED.has(name) && !this.hides(folder, name);
  }

  private hides(folder: string, name: string): boolean {
    return this.guard.hidesAnything && this.guard.isHidden(join(this.guard.root, folder, name));
  }

  private leadsToFile(path: string): boolean {
    try {
      const real = realpathSync(join(this.guard.root, path));
      return this.guard.allows(real) && statSync(real).isFile();
    } catch {
      return false;
    }
  }
}

export function byPath(a: Match, b: Match): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function kindOf(guard: PathGuard, folder: string, entry: Dirent): Kind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice() || entry.isBlockDevice())
    return "special";
  // Some file systems do not say what an entry is.
  const stats = lstatSync(join(guard.root, folder, entry.name), { throwIfNoEntry: false });
  if (stats?.isFile()) return "file";
  if (stats?.isDirectory()) return "folder";
  return stats?.isSymbolicLink() ? "link" : "special";
}
