// History of a workspace: git is started without a shell, and hooks, settings and helpers of the user do not apply.
import { existsSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AtomsmithError } from "../../../core/errors.ts";
import { readTextIfAny, writeFileAtomic } from "../../../store/atomic.ts";

const TIMEOUT_MS = 60_000;

/** Ignored files: the program's own files and leftovers of killed processes. */
const EXCLUDED = [".agent/", "*.atomsmith-tmp-*", ""].join("\n");

const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.attributesFile=/dev/null",
  "core.excludesFile=/dev/null",
  "core.autocrlf=false",
  "commit.gpgSign=false",
  "tag.gpgSign=false",
  "gc.auto=0",
  "diff.external=",
  "protocol.allow=never",
].flatMap((setting) => ["-c", setting]);

export class History {
  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Creates the repository if necessary, and removes the lock of a killed git: the caller holds the lock of the job.
   * Throws kind `config` when git is not installed. */
  static async open(folder: string): Promise<History> {
    const history = new History(folder);
    if (Bun.which("git") === null) {
      throw new AtomsmithError("config", "workspace.git_versioning is set, but git was not found", {
        where: "workspace.git_versioning",
        hint: "install git, or set it to false",
      });
    }
    if (!existsSync(join(folder, ".git/HEAD")))
      await history.run("init", "--quiet", "--template=", "--initial-branch=main");
    rmSync(join(folder, ".git/index.lock"), { force: true });
    rmSync(join(folder, ".git/HEAD.lock"), { force: true });
    const exclude = join(folder, ".git/info/exclude");
    await mkdir(join(folder, ".git/info"), { recursive: true });
    if ((await readTextIfAny(exclude)) !== EXCLUDED) await writeFileAtomic(exclude, EXCLUDED);
    return history;
  }

  /** Commits everything; does nothing without changes, as after the commit of a killed process. */
  async commit(message: string): Promise<void> {
    await this.stage();
    if (
      (await this.run("status", "--porcelain", "--untracked-files=no")).trim() === "" &&
      (await this.hasCommits())
    )
      return;
    await this.run(
      "commit",
      "--quiet",
      "--no-verify",
      "--allow-empty",
      "--cleanup=verbatim",
      "--message",
      message,
    );
  }

  /** Tags the files before the first commit. The tagged commit is not part of the history, in which every commit is a
   * finished todo or the end of the job. Does nothing when a commit or the tag exists. */
  async tagBeginning(name: string): Promise<void> {
    if ((await this.hasCommits()) || (await this.exists(`refs/tags/${name}`))) return;
    await this.stage();
    const tree = (await this.run("write-tree")).trim();
    const commit = (await this.run("commit-tree", "-m", "Job: begun", tree)).trim();
    await this.run("tag", name, commit);
  }

  /** Creates a tag at the last commit, or moves it there. */
  async tag(name: string): Promise<void> {
    if (await this.hasCommits()) await this.run("tag", "--force", name);
  }

  /** Runs git and returns its output. Throws kind `store` when it fails. */
  async run(...args: string[]): Promise<string> {
    const done = await this.try(...args);
    if (done.code === 0) return done.out;
    throw new AtomsmithError("store", `git ${args[0]} failed: ${done.err.trim().split("\n").at(-1) ?? ""}`, {
      where: this.folder,
    });
  }

  async try(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const child = Bun.spawn(["git", ...SETTINGS, "--no-pager", ...args], {
      cwd: this.folder,
      env: environment(this.folder),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: TIMEOUT_MS,
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { code: await child.exited, out, err };
  }

  private async stage(): Promise<void> {
    await this.run("add", "--all", "--force", "--", ".", ":!.agent", ":(exclude,glob)**/*.atomsmith-tmp-*");
  }

  private hasCommits(): Promise<boolean> {
    return this.exists("HEAD");
  }

  private async exists(revision: string): Promise<boolean> {
    return (await this.try("rev-parse", "--verify", "--quiet", revision)).code === 0;
  }
}

/** Environment without variables that select another repository or other settings. */
function environment(folder: string): Record<string, string> {
  const name = "atomsmith agent";
  const mail = "agent@localhost";
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    LC_ALL: "C",
    HOME: folder,
    GIT_DIR: join(folder, ".git"),
    GIT_WORK_TREE: folder,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: mail,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: mail,
  };
}
