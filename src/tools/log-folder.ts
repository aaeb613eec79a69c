// Whole logs below the search root, for authors that are programs: they show nothing to a model, so no quota counts
// what they read. Same path guard, patterns and hidden files as the tools; bounded in files, bytes and time.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { PathGuard } from "./paths.ts";
import { compilePattern } from "./patterns.ts";
import { TreeWalk } from "./walk.ts";

export interface LogFolder {
  /** Files that a pattern of a listing matches, relative to the search root, in order of path; no pattern: all
   * files. `more`: a limit was met and there are others. A pattern that cannot be used matches nothing. */
  list(pattern?: string): Promise<{ paths: string[]; more: boolean }>;
  /** A log as text with LF line ends and without byte order mark, and its absolute path with links resolved;
   * undefined when it cannot be read whole. */
  read(path: string): Promise<{ path: string; text: string } | undefined>;
}

export interface LogFolderOptions {
  searchRoot: string;
  /** Absolute files and folders that are no logs. */
  hidden: readonly string[];
  limits: { files: number; ms: number };
  signal: AbortSignal;
  /** Reads and decodes a log; bounded in bytes. */
  read(path: string): Promise<{ ok: true; input: { path: string; text: string } } | { ok: false }>;
}

/** Pages may stand below the search root, and are no logs. */
const PAGE = /[_-]ItemSpec\.(?:md|markdown)$/i;

/** Throws kind `config` when the search root is no readable folder. */
export function openLogFolder(options: LogFolderOptions): LogFolder {
  const { limits, signal } = options;
  const guard = new PathGuard(options.searchRoot, [...options.hidden], false);
  const { root } = guard;
  const inside = (path: string): boolean => {
    try {
      return guard.allows(realpathSync(join(root, path)));
    } catch {
      return false;
    }
  };
  return {
    async list(written) {
      const variables = { CHECKLIST_ROOT: root, DESIGN_ROOT: root, LOG_ROOT: root };
      const pattern = written === undefined ? undefined : compilePattern(written, guard, variables);
      if (pattern !== undefined && "ok" in pattern) return { paths: [], more: false };
      const all = { written: "**", matches: (_folder: string, name: string) => !PAGE.test(name) };
      const walk = new TreeWalk(guard, [pattern ?? all], {
        maxFiles: limits.files,
        stopEarly: false,
        maxTime: limits.ms,
        signal,
      });
      await walk.run();
      const paths = walk.kept.flat().map(({ path }) => path);
      return {
        paths: [...new Set(paths)].slice(0, limits.files).filter(inside).sort(),
        more: walk.stopped !== undefined || walk.total > limits.files,
      };
    },
    async read(path) {
      if (!inside(path)) return undefined;
      const reading = await options.read(realpathSync(join(root, path)));
      return reading.ok ? reading.input : undefined;
    },
  };
}
