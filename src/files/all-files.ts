// Lists all files below a directory.
import { statSync } from "node:fs";
import { pathOf, type Stopped, type TreeEntry, TreeWalk, type WalkLimits } from "./walk.ts";

export interface AllFiles {
  /** Absolute paths, sorted; links are not resolved. */
  paths: string[];
  unreadable: { path: string; code: string }[];
  stopped: Stopped | undefined;
}

export interface AllFilesRequest {
  /** Excludes files, and directories with their content. */
  skip?(entry: TreeEntry): boolean;
  limits?: WalkLimits;
}

/** Lists all entries below a directory that are not directories. Links are listed, not followed. */
export function allFiles(root: string, { skip, limits }: AllFilesRequest = {}): AllFiles {
  const paths: string[] = [];
  const unreadable: AllFiles["unreadable"] = [];
  const walk = new TreeWalk<true>(
    {
      visit(entry) {
        if (skip?.(entry)) return undefined;
        if (!entry.named) unreadable.push({ path: pathOf(entry), code: "EILSEQ" });
        else if (entry.kind === "folder") return true;
        else paths.push(pathOf(entry));
        return undefined;
      },
      unreadable: (path, code) => unreadable.push({ path, code }),
    },
    limits,
  );
  const { stopped } = walk.from(root, true).runSync();
  return { paths: paths.sort(), unreadable, stopped };
}

/** Total size and number of files below a directory; unreadable and vanished files count as 0 bytes. */
export function folderSize(root: string): { bytes: number; files: number } {
  const { paths } = allFiles(root);
  const bytes = paths.reduce((sum, path) => sum + sizeOf(path), 0);
  return { bytes, files: paths.length };
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
