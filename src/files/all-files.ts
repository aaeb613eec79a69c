// Everything below a folder, without a glob.
import { statSync } from "node:fs";
import { pathOf, type Stopped, type TreeEntry, TreeWalk, type WalkLimits } from "./walk.ts";

export interface AllFiles {
  /** Absolute paths, links not resolved, in order of path. */
  paths: string[];
  unreadable: { path: string; code: string }[];
  stopped: Stopped | undefined;
}

export interface AllFilesRequest {
  /** Files to leave out and folders not to enter. */
  skip?(entry: TreeEntry): boolean;
  limits?: WalkLimits;
}

/** All entries below a folder that are not folders. Links are named, not followed. */
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

/** Bytes and files below a folder; what cannot be read or vanishes counts nothing. */
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
