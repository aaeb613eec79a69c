// Preflight refuses with a reason and changes nothing; what git or commands could do behind the program's back is
// switched off or undone.
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
  type Place,
  places,
  reply,
  run,
  server,
  sha,
  stateOf,
  writeOrder,
} from "./support.ts";

const make = places("preflight");
let model: ModelServer | undefined;
afterEach(async () => {
  await model?.stop();
  model = undefined;
});

function url(): string {
  model ??= server(GOOD);
  return model.url;
}

const VERIFY = ["--verify", "true"];

async function refused(place: Place, extra: string[] = VERIFY, document: unknown = order()): Promise<string> {
  const before = existsSync(join(place.repo, ".git/HEAD")) ? stateOf(place.repo) : {};
  const { code, stderr } = await run(place, url(), document, extra);
  expect({ code, stderr }).toMatchObject({ code: 2 });
  expect(model?.requests.length).toBe(0);
  if (Object.keys(before).length > 0) expect(stateOf(place.repo)).toEqual(before);
  expect(existsSync(place.out)).toBe(false);
  return stderr;
}

const STATES: [string, (place: Place) => void, string][] = [
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
  const place = make();
  spoil(place);
  expect(await refused(place)).toContain(words);
});

test("a folder without git, a folder below the root and a repository without commits are refused", async () => {
  const place = make();
  rmSync(join(place.repo, ".git"), { recursive: true });
  expect(await refused(place)).toContain("not a git work tree");
  const below = make({ "sub/a.txt": "one\n" });
  expect(await refused({ ...below, repo: join(below.repo, "sub") })).toContain("not the root");
  const empty = make();
  rmSync(join(empty.repo, ".git"), { recursive: true });
  git(empty.repo, "init", "-q");
  const { code, stderr } = await run(empty, url(), order(), VERIFY);
  expect({ code, stderr: stderr.includes("no commit") }).toEqual({ code: 2, stderr: true });
});

test("an output folder inside the repository is refused, also through a link and in .git", async () => {
  const place = make();
  for (const out of [place.repo, join(place.repo, "out"), join(place.repo, ".git/x")]) {
    const { code, stderr } = await run({ ...place, out }, url(), order(), VERIFY);
    expect(code).toBe(2);
    expect(stderr).toContain("inside the repository");
  }
});

test("work orders that cannot run are refused", async () => {
  const place = make();
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
  for (const [document, words] of wrong) expect(await refused(place, VERIFY, document)).toContain(words);
});

test("protected, default and foreign branches are refused, full names are shortened", async () => {
  const place = make();
  git(place.repo, "update-ref", "refs/remotes/origin/trunk", "HEAD");
  git(place.repo, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk");
  git(place.repo, "branch", "other");
  writeFileSync(join(place.repo, "b.txt"), "x");
  git(place.repo, "commit", "-qam", "second");
  for (const name of ["main", "master", "trunk", "refs/heads/main", "heads/master"]) {
    expect(await refused(place, [...VERIFY, "--commit", name])).toContain("protected");
  }
  expect(await refused(place, [...VERIFY, "--commit", "other"])).toContain("not at HEAD");
  expect(await refused(place, [...VERIFY, "--commit", "a..b"])).toContain("not a valid branch name");
  git(place.repo, "checkout", "-q", "--detach");
  expect(await refused(place, [...VERIFY, "--commit", "new"])).toContain("detached");
});

test("the verification follows from the files or is refused", async () => {
  const place = make();
  expect(await refused(place, [])).toContain("no verification");
  const script = order({ allowed_files: ["a.txt", "scripts/verify.sh"] });
  expect(await refused(place, [], script)).toContain("scripts/verify.sh");
  const shell = make({ "a.txt": "one\n", "scripts/verify.sh": "exit 0\n" });
  const { summary } = await run(shell, url(), order(), []);
  expect(summary.attempts[0]?.verify.map(({ command }) => command)).toEqual([["bash", "scripts/verify.sh"]]);
});

test("hooks, filters, the file system monitor and foreign GIT_ variables have no effect", async () => {
  const place = make({ "a.txt": "one\n", "b.txt": "two\n", ".gitattributes": "*.txt filter=evil\n" });
  const trap = join(place.dir, "trap.sh");
  const caught = join(place.dir, "caught");
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${caught}\ncat\n`, { mode: 0o755 });
  for (const hook of ["pre-commit", "post-checkout", "reference-transaction", "post-index-change"]) {
    writeFileSync(join(place.repo, ".git/hooks", hook), `#!/bin/sh\necho ${hook} >> ${caught}\n`, {
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
    git(place.repo, "config", key, value);
  }
  rmSync(caught, { force: true });
  const elsewhere = make();
  const bad = reply({ path: "a.txt", base_sha256: sha("one\n"), content: "wrong\n" });
  const own = server(bad, GOOD);
  const { summary, stderr } = await run(place, own.url, order(), [...VERIFY, "--commit", "wo"], {
    env: env({
      GIT_DIR: join(elsewhere.repo, ".git"),
      GIT_WORK_TREE: elsewhere.repo,
      GIT_INDEX_FILE: "/nonexistent",
    }),
  });
  await own.stop();
  expect({ verdict: summary?.verdict, stderr }).toMatchObject({ verdict: "PASS" });
  expect(existsSync(caught)).toBe(false);
  expect(readFileSync(join(place.repo, "a.txt"), "utf8")).toBe("changed\n");
});

test.each(["", "--no-jail"])(
  "changes of a command to .git are undone and fail the attempt %s",
  async (jail) => {
    const place = make();
    const before = stateOf(place.repo);
    const script =
      "git config user.name Mallory; echo evil > .git/hooks/pre-commit; git commit -qam x --author=a; git branch stolen; echo ref > .git/refs/heads/y; true";
    const extra = ["--verify", `sh -c "${script}"`, "--max-attempts", "1", ...(jail === "" ? [] : [jail])];
    const { code, summary } = await run(place, url(), order(), extra);
    if (code === 0) {
      // The folder was read-only for the command: nothing had to be undone.
      expect(jail).toBe("");
      expect({ ...stateOf(place.repo), "a.txt": before["a.txt"], status: "" }).toEqual(before as never);
    } else {
      expect(stateOf(place.repo)).toEqual(before);
      expect(summary.ended_stage).toBe("verify_failed");
      expect(summary.attempts[0]?.failure_brief?.primary_error_excerpt).toContain("git folder");
    }
    expect(summary.jail === "none").toBe(jail !== "");
  },
);

test("a linked work tree is supported, and commits made meanwhile are kept", async () => {
  const place = make();
  const linked = join(place.dir, "linked");
  git(place.repo, "worktree", "add", "-q", "-b", "side", linked);
  const verify = `sh -c "git -C ${place.repo} -c user.name=a -c user.email=a@b commit -q --allow-empty -m meanwhile; true"`;
  const { summary } = await run({ ...place, repo: linked }, url(), order(), [
    "--verify",
    verify,
    "--no-jail",
    "--commit",
    "wo",
  ]);
  expect(summary.verdict).toBe("PASS");
  expect(git(linked, "log", "-1", "--format=%s")).toBe("Change a");
  expect(git(place.repo, "log", "-1", "--format=%s")).toBe("meanwhile");
});

test("a submodule is not entered and stays unchanged, and an order may not write into it", async () => {
  const inner = make({ "lib.txt": "lib\n" });
  const place = make();
  git(place.repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.repo, "sub");
  git(place.repo, "commit", "-qm", "submodule");
  writeFileSync(join(place.repo, "sub/dirty.txt"), "a person's\n");
  const own = server(reply({ path: "a.txt", base_sha256: sha("one\n"), content: "wrong\n" }));
  const failed = await run(place, own.url, order(), VERIFY);
  await own.stop();
  expect(failed.summary.verdict).toBe("FAIL");
  expect(readFileSync(join(place.repo, "sub/dirty.txt"), "utf8")).toBe("a person's\n");
  expect(git(place.repo, "status", "--porcelain", "--ignore-submodules=dirty")).toBe("");
  const into = await run(place, url(), order({ allowed_files: ["sub/lib.txt"] }), VERIFY);
  expect(into.code).toBe(2);
});

test("paths that differ only in case are detected for file systems that ignore case", () => {
  const tracked = new Set([bytesOf("README.md"), bytesOf("Ä.txt")]);
  expect(otherSpelling(tracked, ["README.md", "new.txt"])).toBeUndefined();
  expect(otherSpelling(tracked, ["readme.md"])).toContain("README.md");
  expect(otherSpelling(tracked, ["n.txt", "N.txt"])).toContain("n.txt");
});

test("a finished run is shown with the same exit code, without requests", async () => {
  const place = make();
  const own = server(reply({ path: "b.txt", base_sha256: sha("two\n"), content: "x" }));
  const first = await run(place, own.url, order(), VERIFY);
  expect(first.code).toBe(7);
  const asked = own.requests.length;
  const second = await run(place, own.url, order(), VERIFY);
  expect(second.code).toBe(7);
  expect(second.summary).toEqual(first.summary);
  expect(own.requests.length).toBe(asked);
  await own.stop();
  const pass = await run(place, url(), order({ id: "WO-2" }), VERIFY);
  git(place.repo, "checkout", "-q", ".");
  const shown = await run(place, url(), order({ id: "WO-2" }), VERIFY);
  expect(shown.summary).toEqual(pass.summary);
  expect(shown.stderr).toContain("not applied again");
  expect(readFileSync(join(place.repo, "a.txt"), "utf8")).toBe("one\n");
});

test("a provider error rolls back and exits with 4, and the same command continues", async () => {
  const place = make();
  const before = stateOf(place.repo);
  const bad = reply({ path: "a.txt", base_sha256: sha("one\n"), content: "wrong\n" });
  const own = server(bad, { http: { status: 500 } }, GOOD);
  const first = await run(place, own.url, order(), VERIFY);
  expect(first.code).toBe(4);
  expect(stateOf(place.repo)).toEqual(before);
  const [id = ""] = readdirSync(place.out);
  expect(existsSync(join(place.out, id, "run_summary.json"))).toBe(false);
  const second = await run(place, own.url, order(), VERIFY);
  await own.stop();
  expect(second.code).toBe(0);
  expect(own.requests.length).toBe(3);
  expect(second.summary.attempts.length).toBe(2);
});

test("a jail required by the configuration cannot be switched off", async () => {
  const place = make();
  const before = stateOf(place.repo);
  const { code, stderr } = await run(place, url(), order(), [
    ...VERIFY,
    "--no-jail",
    "-c",
    "sandbox.require=full",
  ]);
  expect({ code, said: stderr.includes("sandbox.require") }).toEqual({ code: 6, said: true });
  expect(model?.requests.length).toBe(0);
  expect(stateOf(place.repo)).toEqual(before);
});

test("a token limit rolls back and exits with 5, and the run is unfinished", async () => {
  const place = make();
  const own = server({
    ...reply({ path: "a.txt", base_sha256: sha("one\n"), content: "wrong\n" }),
    usage: { prompt_tokens: 5000, completion_tokens: 5000 },
  });
  const before = stateOf(place.repo);
  const { code } = await run(place, own.url, order(), [...VERIFY, "-c", "llm.max_tokens_total=6000"]);
  await own.stop();
  expect(code).toBe(5);
  expect(stateOf(place.repo)).toEqual(before);
});

test("the last line of the output is the verdict with the path of the summary", async () => {
  const place = make();
  const argv = ["factory", "run", ...flags(place, url()), "--work-order", writeOrder(place), ...VERIFY];
  const { stdout } = await cli(argv, { env: env(), cwd: place.dir });
  const [verdict, path = ""] = stdout.trim().split("\n").at(-1)?.split(" ") ?? [];
  expect(verdict).toBe("PASS");
  expect(existsSync(path)).toBe(true);
});
