// Protects the parts of a git folder that commands must not change: HEAD, configuration, hooks, branches. The jail makes
// the folder read-only where possible; other changes are detected here and reverted.
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../../../store/atomic.ts";
import type { Repository } from "./repository.ts";

interface Kept {
  mode: number;
  /** The bytes as base64, or the target of a link. */
  data: string;
  link: boolean;
}

/** Files of the git folder by absolute path. Plain JSON. */
export type GuardCopy = Record<string, Kept>;

/** Copies the guarded files. */
export async function copyGuarded(repository: Repository): Promise<GuardCopy> {
  const copy: GuardCopy = {};
  for (const path of await guardedPaths(repository)) addTree(path, copy);
  return copy;
}

/** Restores changed files, and removes new ones and a leftover index lock. Returns the changed paths. */
export async function restoreGuarded(repository: Repository, copy: GuardCopy): Promise<string[]> {
  const now = await copyGuarded(repository);
  const changed: string[] = [];
  for (const [path, kept] of Object.entries(copy)) {
    const found = now[path];
    if (found && found.data === kept.data && found.mode === kept.mode && found.link === kept.link) continue;
    changed.push(path);
    await putBack(path, kept);
  }
  for (const path of Object.keys(now)) {
    if (copy[path] !== undefined) continue;
    changed.push(path);
    rmSync(path, { force: true });
  }
  return changed.sort();
}

async function putBack(path: string, { data, mode, link }: Kept): Promise<void> {
  rmSync(path, { recursive: true, force: true });
  if (link) return symlinkSync(data, path);
  await writeFileAtomic(path, Buffer.from(data, "base64"));
  chmodSync(path, mode);
}

/** In a linked work tree, branches are shared with other work trees: only its own files are guarded, and configuration
 * and hooks, which commands could use to escape. */
async function guardedPaths({ git, gitDir, commonDir }: Repository): Promise<string[]> {
  const own = ["HEAD", "config.worktree", "index.lock"].map((name) => join(gitDir, name));
  const shared = ["config", "hooks", "info"].map((name) => join(commonDir, name));
  if (gitDir !== commonDir) return [...own, ...shared];
  const others = await branchesElsewhere(git, gitDir);
  const refs = existsSync(join(gitDir, "refs")) ? files(join(gitDir, "refs")) : [];
  return [...own, ...shared, join(gitDir, "packed-refs"), ...refs.filter((path) => !others.has(path))];
}

/** Branches that are checked out in other work trees, which may change at any time. */
async function branchesElsewhere(git: Repository["git"], gitDir: string): Promise<Set<string>> {
  if (!existsSync(join(gitDir, "worktrees"))) return new Set();
  const { text } = await git.read(["worktree", "list", "--porcelain"]);
  const [, ...linked] = text.split("\n\n");
  const names = linked.flatMap((tree) => /^branch (.+)$/m.exec(tree)?.[1] ?? []);
  return new Set(names.map((name) => join(gitDir, name)));
}

function addTree(path: string, copy: GuardCopy): void {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) return;
  if (info.isDirectory()) {
    for (const file of files(path)) addTree(file, copy);
  } else if (info.isSymbolicLink()) {
    copy[path] = { mode: 0, data: readlinkSync(path), link: true };
  } else if (info.isFile()) {
    copy[path] = { mode: info.mode & 0o7777, data: readFileSync(path).toString("base64"), link: false };
  }
}

function files(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}
