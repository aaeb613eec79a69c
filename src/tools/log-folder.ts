// Access to whole logs below the search root for the offline author: it shows nothing to a model, so there is no quota. Same
// path guard, patterns and hidden files as the tools; bounded in files, bytes and time.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { hasPageName } from "../contract/page-name.ts";
import { PathGuard } from "../files/guard.ts";
import { variablesOf } from "../files/variables.ts";
import { firstMatches, leadsInside } from "./matches.ts";
import { compilePattern } from "./patterns.ts";

export interface LogFolder {
  /** Files that match a pattern, relative to the search root, in order of path; without a pattern, all files. `more`: there
   * are others beyond a limit. An invalid pattern matches nothing. */
  list(pattern?: string): Promise<{ paths: string[]; more: boolean }>;
  /** A log as text with LF line ends and without byte order mark, and its absolute path, links resolved; undefined when it
   * cannot be read as a whole. */
  read(path: string): Promise<{ path: string; text: string } | undefined>;
}

export interface LogFolderOptions {
  searchRoot: string;
  /** Absolute paths of files and folders to exclude. */
  hidden: readonly string[];
  /** Values of `${NAME}` in patterns. */
  variables: Readonly<Record<string, string>>;
  limits: { files: number; ms: number };
  signal: AbortSignal;
  /** Reads and decodes a log; bounded in bytes. */
  read(path: string): Promise<{ ok: true; input: { path: string; text: string } } | { ok: false }>;
}

/** Throws kind `usage` when the search root is not a readable directory. */
export function openLogFolder(options: LogFolderOptions): LogFolder {
  const { limits, signal } = options;
  const guard = new PathGuard(options.searchRoot, { hidden: options.hidden });
  const { root } = guard;
  const inside = (path: string): boolean => leadsInside(guard, join(root, path));
  return {
    async list(written) {
      const pattern = compilePattern(written ?? "**", guard, variablesOf(root, options.variables));
      if (!pattern.ok) return { paths: [], more: false };
      const found = await firstMatches(guard, [pattern.glob], {
        maxFiles: limits.files,
        stopEarly: false,
        maxTime: limits.ms,
        signal,
        excludes: (path) => written === undefined && hasPageName(path),
      });
      const paths = found.kept.flat().map(({ path }) => path);
      return {
        paths: [...new Set(paths)].slice(0, limits.files).filter(inside).sort(),
        more: found.stopped !== undefined || found.total > limits.files,
      };
    },
    async read(path) {
      if (!inside(path)) return undefined;
      const reading = await options.read(realpathSync(join(root, path)));
      return reading.ok ? reading.input : undefined;
    },
  };
}
