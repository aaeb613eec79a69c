// What one attempt does: accepted as a whole, or nothing of it is left.
import { afterEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ModelServer } from "../../support/model-server.ts";
import { EMPTY_SHA, GOOD, git, KEY, order, places, reply, run, server, sha, stateOf } from "./support.ts";

const make = places("attempt");
let model: ModelServer | undefined;
afterEach(async () => model?.stop());

function serve(...replies: Parameters<typeof server>): string {
  model = server(...replies);
  return model.url;
}

test("an accepted change stays in the work tree, and nothing is committed", async () => {
  const place = make();
  const head = git(place.repo, "rev-parse", "HEAD");
  const { code, summary } = await run(place, serve(GOOD));
  expect(code).toBe(0);
  expect(summary.verdict).toBe("PASS");
  expect(summary.ended_stage).toBe("success");
  expect(readFileSync(join(place.repo, "a.txt"), "utf8")).toBe("changed\n");
  expect(git(place.repo, "status", "--porcelain")).toBe(" M a.txt");
  expect(git(place.repo, "rev-parse", "HEAD")).toBe(head);
  expect(summary.attempts[0]?.touched_files).toEqual(["a.txt"]);
  expect(existsSync(join(place.repo, ".git/atomsmith-factory"))).toBe(false);
});

test("a second attempt gets the failure of the first, and begins at the baseline", async () => {
  const place = make();
  const bad = reply(
    { path: "a.txt", base_sha256: sha("one\n"), content: "wrong\n" },
    { path: "new/c.txt", base_sha256: EMPTY_SHA, content: "new\n" },
  );
  const { code, summary } = await run(place, serve(bad, GOOD));
  expect(code).toBe(0);
  expect(summary.attempts.map((one) => one.failure_brief?.stage)).toEqual(["acceptance_failed", undefined]);
  expect(existsSync(join(place.repo, "new"))).toBe(false);
  const asked = model?.requests[1]?.body.messages.at(-1)?.content ?? "";
  expect(asked).toContain("Stage: acceptance_failed");
  expect(asked).toContain("Command: grep -q changed a.txt");
  expect(asked).toContain(sha("one\n"));
});

const FAILURES: [string, string, ReturnType<typeof reply>][] = [
  ["a reply that is no JSON", "llm_output_invalid", { content: "I changed it." }],
  ["prose beside the object", "llm_output_invalid", { content: `Here: ${GOOD.content}` }],
  [
    "two fences",
    "llm_output_invalid",
    { content: `\`\`\`json\n${GOOD.content}\n\`\`\`\n\`\`\`json\n{}\n\`\`\`` },
  ],
  [
    "an unknown key",
    "llm_output_invalid",
    { content: GOOD.content.replace('"summary"', '"notes":1,"summary"') },
  ],
  ["no writes", "llm_output_invalid", { content: '{"summary":"","writes":[]}' }],
  [
    "a path twice",
    "llm_output_invalid",
    reply(
      { path: "a.txt", base_sha256: sha("one\n"), content: "changed\n" },
      { path: "a.txt", base_sha256: sha("one\n"), content: "changed again\n" },
    ),
  ],
  [
    "a path above the root",
    "llm_output_invalid",
    reply({ path: "../x", base_sha256: EMPTY_SHA, content: "x" }),
  ],
  [
    "a path in .git",
    "llm_output_invalid",
    reply({ path: ".git/config", base_sha256: EMPTY_SHA, content: "x" }),
  ],
  ["a NUL", "llm_output_invalid", reply({ path: "a.txt", base_sha256: sha("one\n"), content: "a\0b" })],
  [
    "too long a file",
    "llm_output_invalid",
    reply({ path: "a.txt", base_sha256: sha("one\n"), content: "x".repeat(200 * 1024 + 1) }),
  ],
  [
    "a mask that the file does not hold",
    "llm_output_invalid",
    reply({ path: "a.txt", base_sha256: sha("one\n"), content: "[MASKED:api key]\n" }),
  ],
  [
    "a known key",
    "llm_output_invalid",
    reply({ path: "a.txt", base_sha256: sha("one\n"), content: `changed ${KEY}` }),
  ],
  [
    "a file that is not allowed",
    "write_scope_violation",
    reply({ path: "b.txt", base_sha256: sha("two\n"), content: "x" }),
  ],
  [
    "an old base hash",
    "stale_context",
    reply(
      { path: "new/c.txt", base_sha256: EMPTY_SHA, content: "x" },
      { path: "a.txt", base_sha256: sha("zero\n"), content: "changed\n" },
    ),
  ],
];

test.each(FAILURES)("%s is %s, and nothing changes", async (_, stage, bad) => {
  const place = make();
  const before = stateOf(place.repo);
  const { code, summary } = await run(place, serve(bad), order(), [
    "--verify",
    "true",
    "--max-attempts",
    "1",
  ]);
  expect(code).toBe(7);
  expect(summary.verdict).toBe("FAIL");
  expect(summary.ended_stage as string).toBe(stage);
  expect(stateOf(place.repo)).toEqual(before);
  expect(readFileSync(join(place.out, summary.run_id, "run_summary.json"), "utf8")).not.toContain(KEY);
});

test("one fence around the object is tolerated", async () => {
  const place = make();
  const { code } = await run(place, serve({ content: `\`\`\`json\n${GOOD.content}\n\`\`\`` }));
  expect(code).toBe(0);
});

test("forbidden is more than a word in the prompt", async () => {
  const place = make();
  const bad = reply({ path: "new/c.txt", base_sha256: EMPTY_SHA, content: "x" });
  const { summary } = await run(place, serve(bad), order({ forbidden: ["new"] }), ["--verify", "true"]);
  expect(summary.ended_stage).toBe("write_scope_violation");
});

test("whatever commands leave behind is gone after a failure", async () => {
  const place = make({
    "a.txt": "one\n",
    "b.txt": "two\n",
    ".gitignore": "ignored*\nkeep/\n",
    "run.sh": "#!/bin/sh\n",
  });
  chmodSync(join(place.repo, "run.sh"), 0o755);
  git(place.repo, "commit", "-qam", "mode");
  mkdirSync(join(place.repo, "empty/inner"), { recursive: true });
  writeFileSync(join(place.repo, "ignored.txt"), "a person's\n");
  const before = stateOf(place.repo);
  const script =
    "rm b.txt; chmod 644 run.sh; echo x > drift.txt; mkdir -p deep/er; echo x > deep/er/f; echo x > ignored-new; " +
    "mkdir -p keep; echo x > keep/k; rmdir empty/inner; rmdir empty; ln -s a.txt link; git init -q nested; exit 3";
  const { code, summary } = await run(place, serve(GOOD), order(), [
    "--verify",
    `sh -c '${script}'`,
    "--max-attempts",
    "1",
  ]);
  expect(code).toBe(7);
  expect(summary.ended_stage).toBe("verify_failed");
  expect(summary.attempts[0]?.failure_brief?.exit_code).toBe(3);
  expect(stateOf(place.repo)).toEqual(before);
  expect(summary.drift).toEqual([]);
});

test("file names of any bytes are brought back", async () => {
  const place = make();
  const odd = ["caf\u00e9.txt", "line\nbreak", "quote\"'", " lead", "-dash"];
  for (const name of odd) writeFileSync(join(place.repo, name), name);
  const bytes = Buffer.concat([Buffer.from(`${place.repo}/latin-`), Buffer.from([0xe9])]);
  writeFileSync(bytes, "latin1");
  git(place.repo, "add", "-A");
  git(place.repo, "commit", "-qm", "odd");
  const verify = `sh -c 'for f in *; do echo x >> "$f"; done; exit 1'`;
  const { summary } = await run(place, serve(GOOD), order(), ["--verify", verify, "--max-attempts", "1"]);
  expect(summary.ended_stage).toBe("verify_failed");
  expect(git(place.repo, "status", "--porcelain")).toBe("");
  expect(readFileSync(bytes, "utf8")).toBe("latin1");
  for (const name of odd) expect(readFileSync(join(place.repo, name), "utf8")).toBe(name);
});

test("an ignored file of a person that a command changed is named, one that was written comes back", async () => {
  const place = make({ "a.txt": "one\n", ".gitignore": "*.local\n" });
  writeFileSync(join(place.repo, "mine.local"), "mine\n", { mode: 0o600 });
  writeFileSync(join(place.repo, "other.local"), "other\n");
  const wo = order({ allowed_files: ["mine.local"], context_files: ["mine.local"] });
  const bad = reply({ path: "mine.local", base_sha256: sha("mine\n"), content: "changed\n" });
  const { summary } = await run(place, serve(bad), wo, ["--verify", "sh -c 'echo x >> other.local; exit 1'"]);
  expect(summary.verdict).toBe("FAIL");
  expect(readFileSync(join(place.repo, "mine.local"), "utf8")).toBe("mine\n");
  expect(statSync(join(place.repo, "mine.local")).mode & 0o777).toBe(0o600);
  expect(summary.drift).toEqual([{ path: "other.local", change: "modified" }]);
});

test("drift beside an accepted change is named and never committed", async () => {
  const place = make({ "a.txt": "one\n", "b.txt": "two\n", ".gitignore": "*.log\n" });
  const { code, summary } = await run(place, serve(GOOD), order(), [
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
  expect(git(place.repo, "symbolic-ref", "HEAD")).toBe("refs/heads/factory/one");
  expect(git(place.repo, "show", "--name-only", "--format=%an %s", "HEAD")).toBe(
    "atomsmith Change a\n\na.txt",
  );
  expect(git(place.repo, "show", "HEAD:a.txt")).toBe("changed\nmore");
  expect(git(place.repo, "rev-parse", "HEAD~1")).toBe(git(place.repo, "rev-parse", "main"));
});

test.each([
  { name: "without a branch", extra: [] },
  { name: "with a branch", extra: ["--commit", "wo"] },
])("an index that a passing command damaged is repaired, $name", async ({ extra }) => {
  const place = make();
  const damage = ["--verify", "sh -c 'echo x > .git/index'", "--no-jail", ...extra];
  const { code, summary, stderr } = await run(place, serve(GOOD), order(), damage);
  expect({ code, stderr, drift: summary.drift }).toEqual({ code: 0, stderr: "", drift: [] });
  expect(git(place.repo, "status", "--porcelain")).toBe(extra.length > 0 ? "" : " M a.txt");
});

test("a file keeps its mode, and an ignored touched file is committed", async () => {
  const place = make({ "a.txt": "one\n", ".gitignore": "new/\n" });
  chmodSync(join(place.repo, "a.txt"), 0o755);
  git(place.repo, "commit", "-qam", "mode");
  const good = reply(
    { path: "a.txt", base_sha256: sha("one\n"), content: "changed\r\n" },
    { path: "new/c.txt", base_sha256: EMPTY_SHA, content: "\ufeffé\n" },
  );
  const { summary } = await run(place, serve(good), order(), ["--verify", "true", "--commit", "wo"]);
  expect(summary.verdict).toBe("PASS");
  expect(statSync(join(place.repo, "a.txt")).mode & 0o777).toBe(0o755);
  expect(git(place.repo, "ls-tree", "-r", "--name-only", "HEAD").split("\n")).toEqual([
    ".gitignore",
    "a.txt",
    "new/c.txt",
  ]);
  expect(readFileSync(join(place.repo, "new/c.txt"), "utf8")).toBe("\ufeffé\n");
  expect(git(place.repo, "status", "--porcelain")).toBe("");
});

test("a command that cannot start, one that takes too long, and postconditions", async () => {
  const place = make();
  const none = await run(place, serve(GOOD), order(), [
    "--verify",
    "no-such-program-x",
    "--max-attempts",
    "1",
  ]);
  expect(none.summary.attempts[0]?.verify[0]?.exit_code).toBe(-1);
  expect(none.summary.ended_stage).toBe("verify_failed");
  const slow = await run(place, serve(GOOD), order(), [
    "--verify",
    "sleep 30",
    "--timeout-seconds",
    "0.3",
    "--max-attempts",
    "1",
  ]);
  expect(slow.summary.attempts[0]?.verify[0]?.exit_code).toBe(-2);
  const missing = order({ postconditions: [{ kind: "file_exists", path: "new/c.txt" }] });
  const post = await run(place, serve(GOOD), missing, ["--verify", "true", "--max-attempts", "1"]);
  expect(post.summary.attempts[0]?.failure_brief).toMatchObject({
    stage: "acceptance_failed",
    command: null,
  });
});

test("a rollback that fails ends the run, keeps the marker and says how to mend it", async () => {
  const place = make();
  const script = "rm -rf .git/objects; mkdir .git/objects; rm b.txt; exit 1";
  const { code, summary } = await run(place, serve(GOOD), order(), [
    "--verify",
    `sh -c '${script}'`,
    "--no-jail",
  ]);
  expect(code).toBe(7);
  expect(summary).toMatchObject({ verdict: "FAIL", ended_stage: "exception", jail: "none" });
  expect(summary.attempts[0]?.failure_brief?.primary_error_excerpt).toContain("git -C");
  expect(existsSync(join(place.repo, ".git/atomsmith-factory/marker.json"))).toBe(true);
  const again = await run(place, serve(GOOD), order(), ["--verify", "true"]);
  expect(again.code).not.toBe(0);
  expect(existsSync(join(place.repo, ".git/atomsmith-factory/marker.json"))).toBe(true);
});

test("preconditions are checked before a model is asked", async () => {
  const place = make();
  const wo = order({ preconditions: [{ kind: "file_absent", path: "a.txt" }] });
  const { code, summary } = await run(place, serve(GOOD), wo);
  expect(code).toBe(7);
  expect(summary).toMatchObject({ verdict: "FAIL", ended_stage: "preflight", attempts: [] });
  expect(model?.requests.length).toBe(0);
});

test("a write that fails ends the run: a model cannot mend it", async () => {
  const place = make();
  const long = "n".repeat(250); // its temporary file has too long a name
  const bad = reply(
    { path: "a.txt", base_sha256: sha("one\n"), content: "changed\n" },
    { path: long, base_sha256: EMPTY_SHA, content: "x" },
  );
  const before = stateOf(place.repo);
  const { code, summary } = await run(place, serve(bad), order({ allowed_files: ["a.txt", long] }));
  expect(code).toBe(7);
  expect(summary).toMatchObject({ ended_stage: "write_failed", attempts: [{ write_ok: false }] });
  expect(model?.requests.length).toBe(1);
  expect(stateOf(place.repo)).toEqual(before);
});

test("secrets of context files are masked for the model and in what is stored", async () => {
  const secret = "AKIAABCDEFGHIJKLMNOP";
  const place = make({ "a.txt": "one\n", "conf.txt": `key ${secret}\n` });
  const wo = order({ context_files: ["a.txt", "conf.txt"] });
  const { summary } = await run(place, serve(GOOD), wo, ["--verify", "cat conf.txt"]);
  expect(summary.verdict).toBe("PASS");
  expect(JSON.stringify(model?.requests)).not.toContain(secret);
  const dir = join(place.out, summary.run_id, "attempt_1");
  expect(readFileSync(join(dir, "verify_1_stdout.txt"), "utf8")).toBe("key [MASKED:aws-access-token]\n");
  expect(readFileSync(join(dir, "se_prompt.txt"), "utf8")).toContain("conf.txt, read-only");
});

test("a link out of the repository is refused, as a path and as a folder of one", async () => {
  const place = make();
  mkdirSync(join(place.dir, "outside"));
  symlinkSync(join(place.dir, "outside"), join(place.repo, "way"));
  symlinkSync("a.txt", join(place.repo, "alias"));
  git(place.repo, "add", "-A");
  git(place.repo, "commit", "-qm", "links");
  for (const path of ["way/x.txt", "alias"]) {
    const { code, stderr } = await run(place, serve(GOOD), order({ allowed_files: [path] }));
    expect(code).toBe(2);
    expect(stderr).toContain("link");
  }
});
