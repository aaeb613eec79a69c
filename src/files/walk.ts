// The one directory walk. The caller decides which entries to enter; the walk handles unreadable and vanishing
// directories, file systems that do not report entry types, invalid names, and limits.
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { TimeSlicer } from "../core/event-loop.ts";

export interface TreeEntry {
  /** Absolute path of its directory, and its name. */
  folder: string;
  name: string;
  /** Type of the entry itself; links are not followed. */
  kind: "file" | "folder" | "link" | "special";
  /** False for a name that is not valid UTF-8 and so cannot be opened. */
  named: boolean;
}

/** The callbacks of a walk; `S` is the caller's state for a directory. */
export interface WalkRules<S> {
  /** Visits an entry. Returns the state for the directory to enter it, or undefined not to. Links may be entered too, but
   * only by a caller that bounds the depth. */
  visit(entry: TreeEntry, state: S): S | undefined;
  /** The only relevant names in a directory, which is then not listed. */
  only?(state: S): readonly string[] | undefined;
  /** Called for a directory that cannot be listed, with the error code. Vanished directories are ignored. */
  unreadable(folder: string, code: string): void;
  /** Called after each directory; true ends the walk. */
  enough?(): boolean;
  /** Visit entries sorted by name. */
  sorted?: boolean;
  /** Breadth first; default: depth first, which needs less memory. */
  nearFirst?: boolean;
}

export interface WalkLimits {
  /** Maximum number of entries visited. */
  names?: number;
  folders?: number;
  /** Milliseconds, for `run` only. */
  ms?: number;
  signal?: AbortSignal;
}

/** Why a walk ended early. */
export type Stopped = "enough" | "names" | "folders" | "time" | "interrupted";

export class TreeWalk<S> {
  /** Set when the walk is incomplete. */
  stopped: Stopped | undefined;
  private names = 0;
  private folders = 0;
  private readonly pending: { folder: string; state: S }[] = [];
  private readonly rules: WalkRules<S>;
  private readonly limits: WalkLimits;

  constructor(rules: WalkRules<S>, limits: WalkLimits = {}) {
    this.rules = rules;
    this.limits = limits;
  }

  /** Adds a directory to start from. */
  from(folder: string, state: S): this {
    this.pending.push({ folder, state });
    return this;
  }

  /** Walks to the end or a limit, yielding to other work of the process. */
  async run(): Promise<this> {
    const started = performance.now();
    const slicer = new TimeSlicer();
    while (this.step()) {
      if (!(await slicer.yieldIfDue())) continue;
      if (this.limits.signal?.aborted) this.stopped = "interrupted";
      else if (performance.now() - started > (this.limits.ms ?? Number.POSITIVE_INFINITY)) {
        this.stopped = "time";
      }
    }
    return this;
  }

  /** The synchronous form, without time limit and signal. */
  runSync(): this {
    while (this.step());
    return this;
  }

  /** Processes one directory; false when the walk is over. */
  private step(): boolean {
    if (this.stopped !== undefined) return false;
    const next = this.rules.nearFirst ? this.pending.shift() : this.pending.pop();
    if (next === undefined) return false;
    const { limits, rules } = this;
    if (this.folders >= (limits.folders ?? Number.POSITIVE_INFINITY)) {
      this.stopped = "folders";
      return false;
    }
    this.folders += 1;
    const { folder, state } = next;
    const only = rules.only?.(state);
    if (only !== undefined) {
      for (const name of only) this.visitEntry(folder, name, kindAt(join(folder, name)), state);
    } else {
      for (const dirent of this.list(folder)) {
        this.visitEntry(folder, dirent.name, kindOf(dirent) ?? kindAt(join(folder, dirent.name)), state);
        if (this.stopped !== undefined) return false;
      }
    }
    if (rules.enough?.()) this.stopped = "enough";
    return true;
  }

  private visitEntry(folder: string, name: string, kind: TreeEntry["kind"] | undefined, state: S): void {
    if (kind === undefined) return;
    if (this.names >= (this.limits.names ?? Number.POSITIVE_INFINITY)) {
      this.stopped = "names";
      return;
    }
    this.names += 1;
    // U+FFFD replaces invalid bytes, unless the name really contains it.
    const named = !name.includes("\ufffd") || kindAt(join(folder, name)) !== undefined;
    const entry: TreeEntry = { folder, name, kind, named };
    const inner = this.rules.visit(entry, state);
    if (inner !== undefined) this.pending.push({ folder: pathOf(entry), state: inner });
  }

  private list(folder: string): Dirent[] {
    try {
      const entries = readdirSync(folder, { withFileTypes: true });
      return this.rules.sorted ? entries.sort((a, b) => (a.name < b.name ? -1 : 1)) : entries;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      // Removed since its name was read, or a link to a file.
      if (code !== "ENOENT" && code !== "ENOTDIR") this.rules.unreadable(folder, code);
      return [];
    }
  }
}

/** Absolute path of an entry. */
export function pathOf({ folder, name }: { folder: string; name: string }): string {
  return name === ".." ? join(folder, name) : folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}

function kindOf(entry: Dirent): TreeEntry["kind"] | undefined {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  if (entry.isSymbolicLink()) return "link";
  if (entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice() || entry.isBlockDevice()) {
    return "special";
  }
  return undefined;
}

/** Type of an entry whose file system does not report it. Undefined: it does not exist or cannot be accessed. */
function kindAt(path: string): TreeEntry["kind"] | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (stats.isFile()) return "file";
    if (stats.isDirectory()) return "folder";
    return stats.isSymbolicLink() ? "link" : "special";
  } catch {
    return undefined;
  }
}
