// The one walk over a tree of folders. The caller says what an entry means to it; the walk copes with folders that
// cannot be read or vanish, file systems that do not say what an entry is, names that are not text, and limits.
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { TimeSlicer } from "../core/event-loop.ts";

export interface TreeEntry {
  /** Absolute path of the folder it lies in, and its name. */
  folder: string;
  name: string;
  /** What it is itself; a link is not followed. */
  kind: "file" | "folder" | "link" | "special";
  /** False for a name that is not valid UTF-8: no path leads to it. */
  named: boolean;
}

/** What a walk does; `S` is what the caller wants to know again in a folder. */
export interface WalkRules<S> {
  /** Looks at an entry. What it returns is the state of the folder, which is entered then; undefined: it is not
   * entered. A link may be entered, too; only a caller that bounds the depth may do so. */
  visit(entry: TreeEntry, state: S): S | undefined;
  /** The only names that matter in a folder, which is then not listed. */
  only?(state: S): readonly string[] | undefined;
  /** A folder that cannot be listed, and the code of the error. Folders that vanished are left out. */
  unreadable(folder: string, code: string): void;
  /** Asked after each folder. */
  enough?(): boolean;
  /** Entries in the order of their names. */
  sorted?: boolean;
  /** Folders near the top first; else the last one found first, which needs less memory. */
  nearFirst?: boolean;
}

export interface WalkLimits {
  /** Entries that are looked at. */
  names?: number;
  folders?: number;
  /** Milliseconds, for `run` only. */
  ms?: number;
  signal?: AbortSignal;
}

/** Why a walk ended before its end. */
export type Stopped = "enough" | "names" | "folders" | "time" | "interrupted";

export class TreeWalk<S> {
  /** Set when not all was looked at. */
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

  /** A folder to begin at. */
  from(folder: string, state: S): this {
    this.pending.push({ folder, state });
    return this;
  }

  /** Walks to the end or a limit; other work of the process goes on meanwhile. */
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

  /** The same in one go, without regard to time and signals. */
  runSync(): this {
    while (this.step());
    return this;
  }

  /** One folder; false when there is nothing more to do. */
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
      for (const name of only) this.look(folder, name, kindAt(join(folder, name)), state);
    } else {
      for (const dirent of this.list(folder)) {
        this.look(folder, dirent.name, kindOf(dirent) ?? kindAt(join(folder, dirent.name)), state);
        if (this.stopped !== undefined) return false;
      }
    }
    if (rules.enough?.()) this.stopped = "enough";
    return true;
  }

  private look(folder: string, name: string, kind: TreeEntry["kind"] | undefined, state: S): void {
    if (kind === undefined) return;
    if (this.names >= (this.limits.names ?? Number.POSITIVE_INFINITY)) {
      this.stopped = "names";
      return;
    }
    this.names += 1;
    // U+FFFD stands for bytes that are no text, unless the name really has it.
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
      // Gone since its name was read, or a link that leads to a file.
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

/** Some file systems do not say what an entry is. Undefined: there is nothing, or nothing may be known of it. */
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
