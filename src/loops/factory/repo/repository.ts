// Locates a repository and checks the preconditions for a run. Changes nothing. Every refusal is kind `usage` with a
// hint.
import { existsSync, realpathSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { AtomsmithError } from "../../../core/errors.ts";
import { Git } from "./git.ts";
import { inCacheFolder, type Snapshot, takeSnapshot, textOf, treeHash } from "./snapshot.ts";

export interface Repository {
  /** Absolute, links resolved. */
  root: string;
  git: Git;
  /** The git folder of this work tree, with HEAD and index. */
  gitDir: string;
  /** The shared git folder, with branches, configuration and hooks; differs from gitDir in a linked work tree. */
  commonDir: string;
  /** Folder of the lock and marker of a run. */
  stateDir: string;
}

/** The initial state of a run. */
export interface Baseline {
  commit: string;
  treeHash: string;
  snapshot: Snapshot;
  /** Tracked paths, in latin1. */
  tracked: Set<string>;
}

type Env = Readonly<Record<string, string | undefined>>;

function refuse(message: string, hint: string, where?: string): AtomsmithError {
  return new AtomsmithError("usage", message, { hint, ...(where === undefined ? {} : { where }) });
}

/** Opens the repository of a folder. Throws kind `usage` if it is not the root of a git work tree. */
export async function openRepository(path: string, env: Env): Promise<Repository> {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw refuse(`${path} is not a directory`, "name the root of a git work tree with --repo DIR", path);
  }
  const root = realpathSync(path);
  const git = new Git(root, env);
  const { text } = await git
    .read(["rev-parse", "--is-inside-work-tree", "--absolute-git-dir", "--git-common-dir", "--show-prefix"])
    .catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      throw refuse(
        `${root} is not a git work tree: ${message}`,
        "create a repository with git init and commit, or name another folder",
        root,
      );
    });
  const [inside, gitDir = "", commonDir = "", prefix = ""] = text.split("\n");
  if (inside !== "true" || prefix !== "") {
    throw refuse(`${root} is not the root of a git work tree`, "name the root with --repo DIR", root);
  }
  const real = realpathSync(gitDir);
  return {
    root,
    git,
    gitDir: real,
    commonDir: realpathSync(resolve(root, commonDir)),
    stateDir: join(real, "atomsmith-factory"),
  };
}

/** Whether a folder is the repository, or is inside it or its git folder. */
export function isInside(repository: Repository, path: string): boolean {
  let existing = resolve(path);
  while (!existsSync(existing)) existing = resolve(existing, "..");
  const real = join(realpathSync(existing), relative(existing, resolve(path)));
  return [repository.root, repository.gitDir, repository.commonDir].some(
    (folder) => real === folder || real.startsWith(folder + sep),
  );
}

/** Reads the state of the repository and checks that it can be restored. */
export async function readBaseline(repository: Repository): Promise<Baseline> {
  const { git, root, gitDir } = repository;
  const head = await git.read(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { codes: [1, 128] });
  if (head.code !== 0) throw refuse(`${root} has no commits`, "create a first commit", root);
  const under = OPERATIONS.find(([file]) => existsSync(join(gitDir, file)));
  if (under)
    throw refuse(`${root} is in the middle of a ${under[1]}`, `finish or abort the ${under[1]} first`, root);
  await refuseLock(repository);
  const [status, flags] = await Promise.all([
    git.list([
      "status",
      "--porcelain",
      "-z",
      "--untracked-files=all",
      "--ignore-submodules=dirty",
      "--no-renames",
    ]),
    git.list(["ls-files", "-v", "-z"]),
  ]);
  if (status.length > 0) throw notClean(root, status);
  const hidden = flags.find((line) => /^[a-zS]/.test(line));
  if (hidden !== undefined) {
    const kind = hidden.startsWith("S") ? "skip-worktree (a sparse checkout sets it)" : "assume-unchanged";
    throw refuse(
      `${textOf(hidden.slice(2))} is marked ${kind}: git does not detect changes of it`,
      "run git sparse-checkout disable, or git update-index --no-skip-worktree --no-assume-unchanged FILE",
      root,
    );
  }
  const snapshot = takeSnapshot(root);
  const tracked = new Set(flags.map((line) => line.slice(2)));
  return { commit: head.text, treeHash: treeHash(root, snapshot), snapshot, tracked };
}

const OPERATIONS = [
  ["MERGE_HEAD", "merge"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
] as const;

/** An index lock that remains longer than a moment belongs to another git process, running or killed. */
export async function refuseLock({ gitDir }: Repository): Promise<void> {
  const path = join(gitDir, "index.lock");
  for (let waited = 0; existsSync(path); waited += 100) {
    if (waited >= 2_000) {
      throw refuse(
        `the index of the repository is locked: ${path}`,
        "wait for the other git process; if none is running, remove this file",
        path,
      );
    }
    await Bun.sleep(100);
  }
}

function notClean(root: string, status: readonly string[]): AtomsmithError {
  const shown = status.slice(0, 5).map((line) => textOf(line.slice(3)));
  const more = status.length > shown.length ? ` and ${status.length - shown.length} more` : "";
  return refuse(
    `the work tree is not clean: ${shown.join(", ")}${more}`,
    "commit or stash the changes, remove or ignore untracked files, and try again",
    root,
  );
}

/** On a case-insensitive file system: rejects paths of an order that name another tracked file. */
export function refuseOtherSpelling(
  repository: Repository,
  baseline: Baseline,
  paths: readonly string[],
): void {
  if (!existsSync(join(repository.root, ".GIT"))) return;
  const problem = otherSpelling(baseline.tracked, paths);
  if (problem !== undefined) {
    throw refuse(problem, "the file system is case-insensitive: use the same spelling", repository.root);
  }
}

/** A path that differs only in case from a tracked one or from another of the paths. */
export function otherSpelling(tracked: ReadonlySet<string>, paths: readonly string[]): string | undefined {
  const spelled = new Map([...tracked].map((path) => [textOf(path).toLowerCase(), textOf(path)]));
  for (const path of paths) {
    const known = spelled.get(path.toLowerCase());
    if (known !== undefined && known !== path) return `${path} is the same file as ${known} here`;
    spelled.set(path.toLowerCase(), path);
  }
  return undefined;
}

/** Untracked files in cache folders that git would list, in latin1. */
export async function untrackedInCaches(git: Git): Promise<string[]> {
  const untracked = await git.list(["ls-files", "-z", "--others", "--exclude-standard"]);
  return untracked.filter(inCacheFolder);
}
