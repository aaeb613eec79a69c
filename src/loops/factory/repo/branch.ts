// Commits accepted changes to a separate branch. The commit is created without the index, so that the repository does
// not change before the run has passed.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AtomsmithError } from "../../../core/errors.ts";
import type { Repository } from "./repository.ts";

/** The name of a branch without `refs/heads/`. Throws kind `usage` for a protected branch, a name that git rejects, a
 * branch that is not at the baseline, and a detached HEAD. */
export async function checkBranch(repository: Repository, name: string, baseline: string): Promise<string> {
  const { git, root } = repository;
  const branch = name.replace(/^(?:refs\/)?heads\//, "");
  const refuse = (message: string, hint: string): AtomsmithError =>
    new AtomsmithError("usage", `--commit ${name}: ${message}`, { where: root, hint });
  const valid = await git.read(["check-ref-format", `refs/heads/${branch}`], { codes: [1] });
  if (valid.code !== 0 || branch.startsWith("-"))
    throw refuse("is not a valid branch name", "choose another name");
  const remote = await git.read(["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"], { codes: [1] });
  const main = remote.code === 0 ? [remote.text.replace(/^refs\/remotes\/origin\//, "")] : [];
  if (["main", "master", ...main].some((known) => known.toLowerCase() === branch.toLowerCase())) {
    throw refuse("is a protected branch", "use a separate branch and merge it yourself");
  }
  const head = await git.read(["symbolic-ref", "--quiet", "HEAD"], { codes: [1] });
  if (head.code !== 0) throw refuse("HEAD is detached", "check out a branch first, or run without --commit");
  const at = await git.read(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], { codes: [1] });
  if (at.code === 0 && at.text !== baseline) {
    throw refuse(
      `the branch is at ${at.text.slice(0, 12)}, not at HEAD`,
      "check it out first, or use a new branch",
    );
  }
  const trees = await git.read(["worktree", "list", "--porcelain"]);
  const elsewhere = trees.text.split("\n").includes(`branch refs/heads/${branch}`);
  if (elsewhere && head.text !== `refs/heads/${branch}`) {
    throw refuse("the branch is checked out in another work tree", "use another branch");
  }
  return branch;
}

export interface CommitOrder {
  baseline: string;
  message: string;
  /** Paths relative to the root, links of folders resolved. Ignored files are added too. */
  paths: readonly string[];
}

/** Creates a commit with the current content of exactly these files, not yet on a branch. Returns its id. */
export async function makeCommit(repository: Repository, order: CommitOrder): Promise<string> {
  const { git, stateDir } = repository;
  const index = join(stateDir, "index");
  const env = { GIT_INDEX_FILE: index };
  await rm(`${index}.lock`, { force: true });
  await git.run(["read-tree", order.baseline], { env });
  const input = order.paths.map((path) => `${path}\0`).join("");
  await git.run(["update-index", "--add", "--remove", "-z", "--stdin"], { env, input });
  const tree = await git.run(["write-tree"], { env });
  await rm(index, { force: true });
  const commit = await git.run(["commit-tree", tree.text, "-p", order.baseline, "-F", "-"], {
    input: order.message,
    env: await identity(repository),
  });
  return commit.text;
}

/** Moves a branch, HEAD and the index to a commit. Idempotent. */
export async function moveBranch(repository: Repository, branch: string, commit: string): Promise<void> {
  const { git } = repository;
  await git.run(["update-ref", `refs/heads/${branch}`, commit]);
  await git.run(["symbolic-ref", "HEAD", `refs/heads/${branch}`]);
  await setIndex(repository, commit);
}

/** Resets the index to a commit; files and branches are unchanged. */
export async function setIndex({ git }: Repository, commit: string): Promise<void> {
  await git.run(["read-tree", commit]);
  await git.run(["update-index", "-q", "--refresh"], { codes: [1] });
}

/** Replaces an index that git cannot read by that of a commit. The caller knows that nothing else was staged. */
export async function repairIndex(repository: Repository, commit: string): Promise<void> {
  const { git, gitDir } = repository;
  const { code } = await git.read(["ls-files", "--", ".git"], { codes: [128] });
  if (code === 0) return;
  await rm(join(gitDir, "index"), { force: true });
  await setIndex(repository, commit);
}

/** Variables that set the program as author if git's configuration has no author. */
async function identity({ git }: Repository): Promise<Record<string, string>> {
  for (const key of ["user.name", "user.email"]) {
    const { code, text } = await git.read(["config", key], { codes: [1] });
    if (code === 0 && text !== "") continue;
    return {
      GIT_AUTHOR_NAME: "atomsmith",
      GIT_AUTHOR_EMAIL: "atomsmith@localhost",
      GIT_COMMITTER_NAME: "atomsmith",
      GIT_COMMITTER_EMAIL: "atomsmith@localhost",
    };
  }
  return {};
}
