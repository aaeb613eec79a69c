// Finds the first files of each pattern in order of path, and the number of all matches. Memory does not depend on the
// number of files.
import { realpathSync } from "node:fs";
import { extname } from "node:path";
import type { ParsedGlob } from "../files/glob.ts";
import type { PathGuard } from "../files/guard.ts";
import { type FoundFile, selectFiles } from "../files/select.ts";
import { pathOf, type Stopped, TreeWalk } from "../files/walk.ts";

export interface MatchLimits {
  /** Maximum files of the answer. */
  maxFiles: number;
  /** Stop once `maxFiles` are found. */
  stopEarly: boolean;
  /** Milliseconds after which the walk stops; `stopped` is then set. */
  maxTime: number;
  signal?: AbortSignal;
  /** Excludes files in addition to those that the guard hides. */
  excludes?(path: string): boolean;
}

export interface Match {
  /** Relative to the root, with forward slashes. */
  path: string;
  /** Index of the pattern. */
  pattern: number;
}

export interface Matches {
  /** The first files of each pattern; a file may match several patterns. */
  kept: Match[][];
  perPattern: number[];
  total: number;
  /** Number of files that match exactly a group of patterns, by the indexes of the patterns joined with commas. */
  together: Map<string, number>;
  skipped: { links: number; special: number; unreadable: number };
  stopped: Stopped | undefined;
}

/** Finds files below the root of the guard, except hidden ones. */
export async function firstMatches(
  guard: PathGuard,
  globs: readonly ParsedGlob[],
  limits: MatchLimits,
): Promise<Matches> {
  const matches: Matches = {
    kept: globs.map(() => []),
    perPattern: globs.map(() => 0),
    total: 0,
    together: new Map(),
    skipped: { links: 0, special: 0, unreadable: 0 },
    stopped: undefined,
  };
  const walk = await selectFiles({
    root: guard.root,
    globs,
    limits: { ms: limits.maxTime, ...(limits.signal === undefined ? {} : { signal: limits.signal }) },
    hides: (path) => guard.hides(path) || limits.excludes?.(path) === true,
    found: (file) => addFile(matches, guard, file, limits.maxFiles),
    unreadable: () => {
      matches.skipped.unreadable += 1;
    },
    enough: () => limits.stopEarly && matches.total >= limits.maxFiles,
  });
  matches.stopped = walk.stopped;
  for (const kept of matches.kept) kept.sort(byPath);
  return matches;
}

function addFile(matches: Matches, guard: PathGuard, file: FoundFile, maxFiles: number): void {
  const { skipped, kept, perPattern } = matches;
  if (file.kind === "dead" || (file.linked && !leadsInside(guard, file.path))) skipped.links += 1;
  else if (file.kind === "special") skipped.special += 1;
  else {
    matches.total += 1;
    const group = file.globs.join(",");
    matches.together.set(group, (matches.together.get(group) ?? 0) + 1);
    const path = file.path.slice(guard.root.length + (guard.root.endsWith("/") ? 0 : 1));
    for (const pattern of file.globs) {
      perPattern[pattern] = (perPattern[pattern] ?? 0) + 1;
      const own = kept[pattern] ?? [];
      own.push({ path, pattern });
      if (own.length < 4 * maxFiles + 64) continue;
      own.sort(byPath);
      own.length = maxFiles;
    }
  }
}

/** Whether a path resolves to a file that the guard allows. */
export function leadsInside(guard: PathGuard, path: string): boolean {
  try {
    return guard.allows(realpathSync(path));
  } catch {
    return false;
  }
}

/** Maximum directories visited by `extensionsBelow`. */
const MAX_FOLDERS = 200;

/** Counts the file name extensions below the search root, for a discovery without a match. */
export async function extensionsBelow(guard: PathGuard): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const walk = new TreeWalk<true>(
    {
      visit(entry) {
        if (entry.name.startsWith(".") || guard.hides(pathOf(entry))) return undefined;
        if (entry.kind === "folder") return true;
        if (entry.kind !== "file") return undefined;
        const name = entry.name.endsWith(".gz") ? entry.name.slice(0, -3) : entry.name;
        const extension = extname(name) || "(no extension)";
        counts.set(extension, (counts.get(extension) ?? 0) + 1);
        return undefined;
      },
      unreadable: () => undefined,
      nearFirst: true,
    },
    { folders: MAX_FOLDERS },
  );
  await walk.from(guard.root, true).run();
  return counts;
}

export function byPath(a: Match, b: Match): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
