// L1, the names: which files do the globs of a config mean? Every glob that matches nothing and every path that
// leaves the search root is a diagnosis; the others are still found.
import type { Dirent } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { isAbsolute, join, parse, resolve } from "node:path";
import type { Diagnostic } from "../contract/results.ts";
import { parseGlob, type Segment } from "./glob.ts";
import type { PathGuard } from "./path-guard.ts";

export interface FoundInputs {
  /** Absolute paths with links resolved (where they resolve), each once, in the order of the globs, sorted
   * within a glob. */
  files: string[];
  diagnostics: Diagnostic[];
}

/** Names looked at and files found by one glob at most. */
export const INPUT_LIMITS = { names: 2_000_000, files: 100_000 };

/** Finds the files of globs whose variables are already replaced. Relative globs start at the search root. */
export async function findInputs(
  globs: readonly string[],
  guard: PathGuard,
  limits = INPUT_LIMITS,
): Promise<FoundInputs> {
  const files = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const glob of globs) {
    const found = await findOne(glob, guard.root, limits);
    diagnostics.push(...found.diagnostics);
    for (const path of found.paths) {
      const judged = await guard.resolve(path);
      if (judged.inside) files.add(judged.path);
      else diagnostics.push(judged.diagnostic);
    }
  }
  return { files: [...files], diagnostics };
}

interface Found {
  paths: string[];
  diagnostics: Diagnostic[];
}

async function findOne(glob: string, root: string, limits: typeof INPUT_LIMITS): Promise<Found> {
  const parsed = parseGlob(glob);
  const absolute = parsed.absolute || isAbsolute(glob);
  const start = absolute ? parse(isAbsolute(glob) ? glob : "/").root : root;
  if (parsed.literal) {
    const names = (parsed.alternatives[0] ?? []).map((s) => (s.kind === "name" ? s.name : ""));
    // Missing or not, a plain path is an input; the reader says what is wrong with it.
    return { paths: [resolve(start, ...names)], diagnostics: [] };
  }
  const walk = new Walk(glob, limits);
  for (const segments of parsed.alternatives) await walk.from(start, segments, 0);
  const paths = [...walk.found].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (paths.length > 0) return { paths, diagnostics: walk.diagnostics };
  const asWritten = resolve(start, glob);
  // A file whose name holds the very characters: `run[1].log`.
  if (await isThere(asWritten)) return { paths: [asWritten], diagnostics: walk.diagnostics };
  const nothing: Diagnostic = {
    severity: "error",
    code: "input_missing",
    message: `No file matches ${JSON.stringify(glob)} (searched from ${start}).`,
    file: asWritten,
  };
  return { paths, diagnostics: [...walk.diagnostics, nothing] };
}

/** One glob at work on the file system. */
class Walk {
  readonly found = new Set<string>();
  readonly diagnostics: Diagnostic[] = [];
  private names = 0;
  private stopped = false;
  private readonly glob: string;
  private readonly limits: typeof INPUT_LIMITS;

  constructor(glob: string, limits: typeof INPUT_LIMITS) {
    this.glob = glob;
    this.limits = limits;
  }

  async from(folder: string, segments: readonly Segment[], at: number): Promise<void> {
    const segment = segments[at];
    if (segment === undefined || this.stopped) return;
    const last = at === segments.length - 1;
    if (segment.kind === "name") {
      const path = join(folder, segment.name);
      if (!last) return this.from(path, segments, at + 1);
      if (await isThere(path)) this.take(path);
      return;
    }
    const entries = await this.list(folder);
    if (segment.kind === "deep") {
      // `a/**` alone means every file below.
      const rest = last ? [...segments, { kind: "glob", match: notHidden } as const] : segments;
      await this.from(folder, rest, at + 1);
      for (const entry of entries) {
        // Links to folders are not followed here: they are how trees become endless.
        if (entry.isDirectory() && notHidden(entry.name))
          await this.from(join(folder, entry.name), segments, at);
      }
      return;
    }
    for (const entry of entries) {
      if (!segment.match(entry.name)) continue;
      const path = join(folder, entry.name);
      if (!last) {
        if (entry.isDirectory() || entry.isSymbolicLink()) await this.from(path, segments, at + 1);
      } else if (!(await isFolder(path, entry))) this.take(path);
    }
  }

  private take(path: string): void {
    this.found.add(path);
    if (this.found.size > this.limits.files) this.stop(`more than ${this.limits.files} files match`);
  }

  private async list(folder: string): Promise<Dirent[]> {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      this.names += entries.length;
      if (this.names > this.limits.names) this.stop(`more than ${this.limits.names} names were looked at`);
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      // A folder that is not there, or is a file, simply holds no match.
      if (code === "ENOENT" || code === "ENOTDIR") return [];
      this.diagnostics.push({
        severity: "error",
        code: "input_unreadable",
        message: `This folder could not be listed for ${JSON.stringify(this.glob)} (${code}).`,
        file: folder,
      });
      return [];
    }
  }

  private stop(why: string): void {
    if (this.stopped) return;
    this.stopped = true;
    this.diagnostics.push({
      severity: "error",
      code: "input_too_many",
      message: `${JSON.stringify(this.glob)}: ${why}; the search was stopped. Make the glob narrower.`,
    });
  }
}

function notHidden(name: string): boolean {
  return !name.startsWith(".");
}

/** Is there a name, whatever it leads to? */
async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** A wildcard means files; a link counts as what it leads to, and as a file when it leads nowhere, so that the
 * reader says what is wrong with it. */
async function isFolder(path: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  const target = await realpath(path).catch(() => undefined);
  if (target === undefined) return false;
  return (await lstat(target).catch(() => undefined))?.isDirectory() === true;
}
