// Preflight refuses with a reason and changes nothing; side effects of git and of commands are disabled or undone.
import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { otherSpelling } from "../../../src/loops/factory/repo/repository.ts";
import { bytesOf } from "../../../src/loops/factory/repo/snapshot.ts";
import { cli } from "../../support/cli.ts";
import type { ModelServer } from "../../support/model-server.ts";
import {
  env,
  flags,
  GOOD,
  git,
  order,
  reply,
  replyingServer,
  run,
  sha,
  stateOf,
  type Workspace,
  workspaces,
  writeOrder,
} from "./support.ts";

const makeWorkspace = workspaces("preflight");
let model: ModelServer | undefined;
afterEach(async () => {
  await model?.stop();
  model = undefined;
});

function url(): string {
  model ??= replyingServer(GOOD);
  return model.url;
}

const VERIFY = ["--verify", "true"];

async function refused(
  workspace: Workspace,
  extra: string[] = VERIFY,
  document: unknown = order(),
): Promise<string> {
  const before = existsSync(join(workspace.repo, ".git/HEAD")) ? stateOf(workspace.repo) : {};
  const { code, stderr } = await run(workspace, url(), document, extra);
  expect({ code, stderr }).toMatchObject({ code: 2 });
  expect(model?.requests.length).toBe(0);
  if (Object.keys(before).length > 0) expect(stateOf(workspace.repo)).toEqual(before);
  expect(existsSync(workspace.out)).toBe(false);
  return stderr;
}

const STATES: [string, (workspace: Workspace) => void, string][] = [
  ["an untracked file", ({ repo }) => writeFileSync(join(repo, "x"), ""), "not clean"],
  ["a changed file", ({ repo }) => writeFileSync(join(repo, "a.txt"), "x"), "not clean"],
  [
    "a staged file",
    ({ repo }) => {
      writeFileSync(join(repo, "s"), "");
      git(repo, "add", "s");
    },
    "not clean",
  ],
  [
    "assume-unchanged",
    ({ repo }) => git(repo, "update-index", "--assume-unchanged", "a.txt"),
    "assume-unchanged",
  ],
  ["a sparse checkout", ({ repo }) => git(repo, "update-index", "--skip-worktree", "b.txt"), "skip-worktree"],
  [
    "an unfinished merge",
    ({ repo }) => writeFileSync(join(repo, ".git/MERGE_HEAD"), git(repo, "rev-parse", "HEAD")),
    "merge",
  ],
  ["an unfinished rebase", ({ repo }) => mkdirSync(join(repo, ".git/rebase-merge")), "rebase"],
  ["a locked index", ({ repo }) => writeFileSync(join(repo, ".git/index.lock"), ""), "index.lock"],
];

test.each(STATES)("%s is refused", async (_, spoil, words) => {
  const workspace = makeWorkspace();
  spoil(workspace);
  expect(await refused(workspace)).toContain(words);
});

test("a folder without git, a folder below the root and a repository without commits are refused", async () => {
  const workspace = makeWorkspace();
  rmSync(join(workspace.repo, ".git"), { recursive: true });
  expect(await refused(workspace)).toContain("not a git work tree");
  const below = makeWorkspace({ "sub/a.txt": "one\n" });
  expect(await refused({ ...below, repo: join(below.repo, "sub") })).toContain("not the root");
  const empty = makeWorkspace();
  rmSync(join(empty.repo, ".git"), { recursive: true });
  git(empty.repo, "init", "-q");
  const { code, stderr } = await run(empty, url(), order(), VERIFY);
  expect({ code, stderr: stderr.includes("no commit") }).toEqual({ code: 2, stderr: true });
});

test("an output folder inside the repository is refused, also through a link and in .git", async () => {
  const workspace = makeWorkspace();
  for (const out of [workspace.repo, join(workspace.repo, "out"), join(workspace.repo, ".git/x")]) {
    const { code, stderr } = await run({ ...workspace, out }, url(), order(), VERIFY);
    expect(code).toBe(2);
    expect(stderr).toContain("inside the repository");
  }
});

test("work orders that cannot run are refused", async () => {
  const workspace = makeWorkspace();
  const wrong: [unknown, string][] = [
    [{ ...order(), extra: 1 }, "extra"],
    [order({ acceptance_commands: [] }), "acceptance_commands"],
    [order({ acceptance_commands: ["echo 'open"] }), "cannot be parsed"],
    [order({ acceptance_commands: ["  "] }), "empty"],
    [order({ allowed_files: [] }), "allowed_files"],
    [order({ allowed_files: ["*.txt"] }), "pattern"],
    [order({ allowed_files: ["/etc/passwd"] }), "absolute"],
    [order({ context_files: Array.from({ length: 11 }, (_, n) => `f${n}`) }), "context_files"],
    [{ ...order(), postconditions: [{ kind: "file_absent", path: "a.txt" }] }, "postconditions"],
  ];
  for (const [document, words] of wrong) expect(await refused(workspace, VERIFY, document)).toContain(words);
});

test("protected, default and foreign branches are refused, full names are shortened", async () => {
  const workspace = makeWorkspace();
  git(workspace.repo, "update-ref", "refs/remotes/origin/trunk", "HEAD");
  git(workspace.repo, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk");
  git(workspace.repo, "branch", "other");
  writeFileSync(join(workspace.repo, "b.txt"), "x");
  git(workspace.repo, "commit", "-qam", "second");
  for (const name of ["main", "master", "trunk", "refs/heads/main", "heads/master"]) {
    expect(await refused(workspace, [...VERIFY, "--commit", name])).toContain("protected");
  }
  expect(await refused(workspace, [...VERIFY, "--commit", "other"])).toContain("not at HEAD");
  expect(await refused(workspace, [...VERIFY, "--commit", "a..b"])).toContain("not a valid branch name");
  git(workspace.repo, "checkout", "-q", "--detach");
  expect(await refused(workspace, [...VERIFY, "--commit", "new"])).toContain("detached");
});

test("the verification follows from the files or is refused", async () => {
  const workspace = makeWorkspace();
  expect(await refused(workspace, [])).toContain("no verification");
  const script = order({ allowed_files: ["a.txt", "scripts/verify.sh"] });
  expect(await refused(workspace, [], script)).toContain("scripts/verify.sh");
  const shell = makeWorkspace({ "a.txt": "one\n", "scripts/verify.sh": "exit 0\n" });
  const { summary } = await run(shell, url(), order(), []);
  expect(summary.attempts[0]?.verify.map(({ command }) => command)).toEqual([["bash", "scripts/verify.sh"]]);
});

test("hooks, filters, the file system monitor and foreign GIT_ variables have no effect", async () => {
  const workspace = makeWorkspace({
    "a.txt": "one\n",
    "b.txt": "two\n",
    ".gitattributes": "*.txt filter=evil\n",
  });
  const trap = join(workspace.dir, "trap.sh");
  const caught = join(workspace.dir, "caught");
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${caught}\ncat\n`, { mode: 0o755 });
  for (const hook of ["pre-commit", "post-checkout", "reference-transaction", "post-index-change"]) {
    writeFileSync(join(workspace.repo, ".git/hooks", hook), `#!/bin/sh\necho ${hook} >> ${caught}\n`, {
      mode: 0o755,
    });
  }
  for (const [key, value] of [
    ["filter.evil.clean", trap],
    ["filter.evil.smudge", trap],
    ["filter.evil.required", "true"],
    ["core.fsmonitor", trap],
    ["core.pager", trap],
  ] as const) {
    git(workspace.repo, "config", key, value);
  }
  rmSync(caught, { force: true });
  const elsewhere = makeWorkspace();
  const bad = reply({ path: "a.txt", base_sha256: sha("one\n"), content: "wrong\n" });
  const own = replyingServer(bad, GOOD);
  const { summary, stderr } = await run(workspace, own.url, order(), [...VERIFY, "--commit", "wo"], {
    env: env({
      GIT_DIR: join(elsewhere.repo, ".git"),
      GIT_WORK_TREE: elsewhere.repo,
      GIT_INDEX_FILE: "/nonexistent",
    }),
  });
  await own.stop();
  expect({ verdict: summary?.verdict, stderr }).toMatchObject({ verdict: "PASS" });
  expect(existsSync(caught)).toBe(false);
  expect(readFileSync(join(workspace.repo, "a.txt"), "utf8")).toBe("changed\n");
});

test.each(["", "--no-jail"])(
  "changes of a command to .git are undone and fail the attempt %s",
  async (jail) => {
    const workspace = makeWorkspace();
    const before = stateOf(workspace.repo);
    const script =
      "git config user.name Mallory; echo evil > .git/hooks/pre-commit; git commit -qam x --author=a; git branch stolen; echo ref > .git/refs/heads/y; true";
    const extra = ["--verify", `sh -c "${script}"`, "--max-attempts", "1", ...(jail === "" ? [] : [jail])];
    const { code, summary } = await run(workspace, url(), order(), extra);
    if (code === 0) {
      // The folder was read-only for the command, so nothing had to be undone.
      expect(jail).toBe("");
      expect({ ...stateOf(workspace.repo), "a.txt": before["a.txt"], status: "" }).toEqual(before as never);
    } else {
      expect(stateOf(workspace.repo)).toEqual(before);
      expect(summary.ended_stage).toBe("verify_failed");
      expect(summary.attempts[0]?.failure_brief?.primary_error_excerpt).toContain("git folder");
    }
    expect(summary.jail === "none").toBe(jail !== "");
  },
);

test("a linked work tree is supported, and commits made meanwhile are kept", async () => {
  const workspace = makeWorkspace();
  const linked = join(workspace.dir, "linked");
  git(workspace.repo, "worktree", "add", "-q", "-b", "side", linked);
  const verify = `sh -c "git -C ${workspace.repo} -c user.name=a -c user.email=a@b commit -q --allow-empty -m meanwhile; true"`;
  const { summary } = await run({ ...workspace, repo: linked }, url(), order(), [
    "--verify",
    verify,
    "--no-jail",
    "--commit",
    "wo",
  ]);
  expect(summary.verdict).toBe("PASS");
  expect(git(linked, "log", "-1", "--format=%s")).toBe("Change a");
  expect(git(workspace.repo, "log", "-1", "--format=%s")).toBe("meanwhile");
});

test("a submodule is not entered and stays unchanged, and an order may not write into it", async () => {
  const inner = makeWorkspace({ "lib.txt": "lib\n" });
  const workspace = makeWorkspace();
  git(workspace.repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.repo, "sub");
  git(workspace.repo, "commit", "-qm", "submodule");
  writeFileSync(join(workspace.repo, "sub/dirty.txt"), "a person's\n");
  const own = replyingServer(reply({ path: "a.txt", base_sha256: sha("one\n"), content: "wrong\n" }));
  const failed = await run(workspace, own.url, order(), VERIFY);
  await own.stop();
  expect(failed.summary.verdict).toBe("FAIL");
  expect(readFileSync(join(workspace.repo, "sub/dirty.txt"), "utf8")).toBe("a person's\n");
  expect(git(workspace.repo, "status", "--porcelain", "--ignore-submodules=dirty")).toBe("");
  const into = await run(workspace, url(), order({ allowed_files: ["sub/lib.txt"] }), VERIFY);
  expect(into.code).toBe(2);
});

test("paths that differ only in case are detected for file systems that ignore case", () => {
  const tracked = new Set([bytesOf("README.md"), bytesOf("Ä.txt")]);
  expect(otherSpelling(tracked, ["README.md", "new.txt"])).toBeUndefined();
  expect(otherSpelling(tracked, ["readme.md"])).toContain("README.md");
  expect(otherSpelling(tracked, ["n.txt", "N.txt"])).toContain("n.txt");
});

test("a finished run is shown with the same exit code, without requests", async () => {
  const workspace = makeWorkspace();
  const own = replyingServer(reply({ path: "b.txt", base_sha256: sha("two\n"), content: "x" }));
  const first = await run(workspace, own.url, order(), VERIFY);
  expect(first.code).toBe(7);
  const asked = own.requests.length;
  const second = await run(workspace, own.url, order(), VERIFY);
  expect(second.code).toBe(7);
  expect(second.summary).toEqual(first.summary);
  expect(own.requests.length).toBe(asked);
  await own.stop();
  const pass = await run(workspace, url(), order({ id: "WO-2" }), VERIFY);
  git(workspace.repo, "checkout", "-q", ".");
  const shown = await run(workspace, url(), order({ id: "WO-2" }), VERIFY);
  expect(shown.summary).toEqual(pass.summary);
  expect(shown.stderr).toContain("not applied again");
  expect(readFileSync(join(workspace.repo, "a.txt"), "utf8")).toBe("one\n");
});

test("a provider error rolls back and exits with 4, and the same command continues", async () => {
  const workspace = makeWorkspace();
  const before = stateOf(workspace.repo);
  const bad = reply({ path: "a.txt", base_sha256: sha("one\n"), content: "wrong\n" });
  const own = replyingServer(bad, { http: { status: 500 } }, GOOD);
  const first = await run(workspace, own.url, order(), VERIFY);
  expect(first.code).toBe(4);
  expect(stateOf(workspace.repo)).toEqual(before);
  const [id = ""] = readdirSync(workspace.out);
  expect(existsSync(join(workspace.out, id, "run_summary.json"))).toBe(false);
  const second = await run(workspace, own.url, order(), VERIFY);
  await own.stop();
  expect(second.code).toBe(0);
  expect(own.requests.length).toBe(3);
  expect(second.summary.attempts.length).toBe(2);
});

test("a jail required by the configuration cannot be switched off", async () => {
  const workspace = makeWorkspace();
  const before = stateOf(workspace.repo);
  const { code, stderr } = await run(workspace, url(), order(), [
    ...VERIFY,
    "--no-jail",
    "-c",
    "sandbox.require=full",
  ]);
  expect({ code, said: stderr.includes("sandbox.require") }).toEqual({ code: 6, said: true });
  expect(model?.requests.length).toBe(0);
  expect(stateOf(workspace.repo)).toEqual(before);
});

test("a token limit rolls back and exits with 5, and the run is unfinished", async () => {
  const workspace = makeWorkspace();
  const own = replyingServer({
    ...reply({ path: "a.txt", base_sha256: sha("one\n"), content: "wrong\n" }),
    usage: { prompt_tokens: 5000, completion_tokens: 5000 },
  });
  const before = stateOf(workspace.repo);
  const { code } = await run(workspace, own.url, order(), [...VERIFY, "-c", "llm.max_tokens_total=6000"]);
  await own.stop();
  expect(code).toBe(5);
  expect(stateOf(workspace.repo)).toEqual(before);
});

test("the last line of the output is the verdict with the path of the summary", async () => {
  const workspace = makeWorkspace();
  const argv = [
    "factory",
    "run",
    ...flags(workspace, url()),
    "--work-order",
    writeOrder(workspace),
    ...VERIFY,
  ];
  const { stdout } = await cli(argv, { env: env(), cwd: workspace.dir });
  const [verdict, path = ""] = stdout.trim().split("\n").at(-1)?.split(" ") ?? [];
  expect(verdict).toBe("PASS");
  expect(existsSync(path)).toBe(true);
});
