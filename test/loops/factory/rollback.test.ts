// The work tree after an attempt: rollback, drift, a damaged index.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GOOD, git, order, reply, replyingServers, run, sha, stateOf, workspaces } from "./support.ts";

const makeWorkspace = workspaces("rollback");
const serve = replyingServers();

test("a failed attempt removes everything that its commands created or changed", async () => {
  const workspace = makeWorkspace({
    "a.txt": "one\n",
    "b.txt": "two\n",
    ".gitignore": "ignored*\nkeep/\n",
    "run.sh": "#!/bin/sh\n",
  });
  chmodSync(join(workspace.repo, "run.sh"), 0o755);
  git(workspace.repo, "commit", "-qam", "mode");
  mkdirSync(join(workspace.repo, "empty/inner"), { recursive: true });
  writeFileSync(join(workspace.repo, "ignored.txt"), "a person's\n");
  const before = stateOf(workspace.repo);
  const script =
    "rm b.txt; chmod 644 run.sh; echo x > drift.txt; mkdir -p deep/er; echo x > deep/er/f; echo x > ignored-new; " +
    "mkdir -p keep; echo x > keep/k; rmdir empty/inner; rmdir empty; ln -s a.txt link; git init -q nested; exit 3";
  const { code, summary } = await run(workspace, serve(GOOD).url, order(), [
    "--verify",
    `sh -c '${script}'`,
    "--max-attempts",
    "1",
  ]);
  expect(code).toBe(7);
  expect(summary.ended_stage).toBe("verify_failed");
  expect(summary.attempts[0]?.failure_brief?.exit_code).toBe(3);
  expect(stateOf(workspace.repo)).toEqual(before);
  expect(summary.drift).toEqual([]);
});

test("files with arbitrary names are restored", async () => {
  const workspace = makeWorkspace();
  const odd = ["caf\u00e9.txt", "line\nbreak", "quote\"'", " lead", "-dash"];
  for (const name of odd) writeFileSync(join(workspace.repo, name), name);
  const bytes = Buffer.concat([Buffer.from(`${workspace.repo}/latin-`), Buffer.from([0xe9])]);
  writeFileSync(bytes, "latin1");
  git(workspace.repo, "add", "-A");
  git(workspace.repo, "commit", "-qm", "odd");
  const verify = `sh -c 'for f in *; do echo x >> "$f"; done; exit 1'`;
  const { summary } = await run(workspace, serve(GOOD).url, order(), [
    "--verify",
    verify,
    "--max-attempts",
    "1",
  ]);
  expect(summary.ended_stage).toBe("verify_failed");
  expect(git(workspace.repo, "status", "--porcelain")).toBe("");
  expect(readFileSync(bytes, "utf8")).toBe("latin1");
  for (const name of odd) expect(readFileSync(join(workspace.repo, name), "utf8")).toBe(name);
});

test("an ignored file changed by a command is reported, one written by the attempt is restored", async () => {
  const workspace = makeWorkspace({ "a.txt": "one\n", ".gitignore": "*.local\n" });
  writeFileSync(join(workspace.repo, "mine.local"), "mine\n", { mode: 0o600 });
  writeFileSync(join(workspace.repo, "other.local"), "other\n");
  const wo = order({ allowed_files: ["mine.local"], context_files: ["mine.local"] });
  const bad = reply({ path: "mine.local", base_sha256: sha("mine\n"), content: "changed\n" });
  const { summary } = await run(workspace, serve(bad).url, wo, [
    "--verify",
    "sh -c 'echo x >> other.local; exit 1'",
  ]);
  expect(summary.verdict).toBe("FAIL");
  expect(readFileSync(join(workspace.repo, "mine.local"), "utf8")).toBe("mine\n");
  expect(statSync(join(workspace.repo, "mine.local")).mode & 0o777).toBe(0o600);
  expect(summary.drift).toEqual([{ path: "other.local", change: "modified" }]);
});

test("drift beside an accepted change is reported and never committed", async () => {
  const workspace = makeWorkspace({ "a.txt": "one\n", "b.txt": "two\n", ".gitignore": "*.log\n" });
  const { code, summary } = await run(workspace, serve(GOOD).url, order(), [
    ...[
      "--verify",
      "sh -c 'echo x > new.txt; echo y >> b.txt; echo z > t.log; chmod 755 .gitignore; echo more >> a.txt'",
    ],
    ...["--commit", "factory/one"],
  ]);
  expect(code).toBe(0);
  expect(summary.drift).toEqual([
    { path: ".gitignore", change: "mode" },
    { path: "a.txt", change: "modified" },
    { path: "b.txt", change: "modified" },
    { path: "new.txt", change: "added" },
    { path: "t.log", change: "added" },
  ]);
  expect(git(workspace.repo, "symbolic-ref", "HEAD")).toBe("refs/heads/factory/one");
  expect(git(workspace.repo, "show", "--name-only", "--format=%an %s", "HEAD")).toBe(
    "atomsmith Change a\n\na.txt",
  );
  expect(git(workspace.repo, "show", "HEAD:a.txt")).toBe("changed\nmore");
  expect(git(workspace.repo, "rev-parse", "HEAD~1")).toBe(git(workspace.repo, "rev-parse", "main"));
});

test.each([
  { name: "without a branch", extra: [] },
  { name: "with a branch", extra: ["--commit", "wo"] },
])("an index damaged by a passing command is repaired, $name", async ({ extra }) => {
  const workspace = makeWorkspace();
  const damage = ["--verify", "sh -c 'echo x > .git/index'", "--no-jail", ...extra];
  const { code, summary, stderr } = await run(workspace, serve(GOOD).url, order(), damage);
  expect({ code, stderr, drift: summary.drift }).toEqual({ code: 0, stderr: "", drift: [] });
  expect(git(workspace.repo, "status", "--porcelain")).toBe(extra.length > 0 ? "" : " M a.txt");
});

test("a failed rollback ends the run, keeps the marker and states how to repair the repository", async () => {
  const workspace = makeWorkspace();
  const script = "rm -rf .git/objects; mkdir .git/objects; rm b.txt; exit 1";
  const { code, summary } = await run(workspace, serve(GOOD).url, order(), [
    "--verify",
    `sh -c '${script}'`,
    "--no-jail",
  ]);
  expect(code).toBe(7);
  expect(summary).toMatchObject({ verdict: "FAIL", ended_stage: "exception", jail: "none" });
  expect(summary.attempts[0]?.failure_brief?.primary_error_excerpt).toContain("git -C");
  expect(existsSync(join(workspace.repo, ".git/atomsmith-factory/marker.json"))).toBe(true);
  const again = await run(workspace, serve(GOOD).url, order(), ["--verify", "true"]);
  expect(again.code).not.toBe(0);
  expect(existsSync(join(workspace.repo, ".git/atomsmith-factory/marker.json"))).toBe(true);
});
