// One attempt: accepted as a whole, or nothing of it is left.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  EMPTY_SHA,
  GOOD,
  git,
  order,
  reply,
  replyingServers,
  run,
  sha,
  stateOf,
  workspaces,
} from "./support.ts";

const makeWorkspace = workspaces("attempt");
const serve = replyingServers();

test("an accepted change stays in the work tree without a commit", async () => {
  const workspace = makeWorkspace();
  const head = git(workspace.repo, "rev-parse", "HEAD");
  const { code, summary } = await run(workspace, serve(GOOD).url);
  expect(code).toBe(0);
  expect(summary.verdict).toBe("PASS");
  expect(summary.ended_stage).toBe("success");
  expect(readFileSync(join(workspace.repo, "a.txt"), "utf8")).toBe("changed\n");
  expect(git(workspace.repo, "status", "--porcelain")).toBe(" M a.txt");
  expect(git(workspace.repo, "rev-parse", "HEAD")).toBe(head);
  expect(summary.attempts[0]?.touched_files).toEqual(["a.txt"]);
  expect(existsSync(join(workspace.repo, ".git/atomsmith-factory"))).toBe(false);
});

test("a second attempt starts from the baseline and receives the failure of the first", async () => {
  const workspace = makeWorkspace();
  const bad = reply(
    { path: "a.txt", base_sha256: sha("one\n"), content: "wrong\n" },
    { path: "new/c.txt", base_sha256: EMPTY_SHA, content: "new\n" },
  );
  const model = serve(bad, GOOD);
  const { code, summary } = await run(workspace, model.url);
  expect(code).toBe(0);
  expect(summary.attempts.map((one) => one.failure_brief?.stage)).toEqual(["acceptance_failed", undefined]);
  expect(existsSync(join(workspace.repo, "new"))).toBe(false);
  const asked = model.requests[1]?.body.messages.at(-1)?.content ?? "";
  expect(asked).toContain("Stage: acceptance_failed");
  expect(asked).toContain("Command: grep -q changed a.txt");
  expect(asked).toContain(sha("one\n"));
});

test("a file keeps its mode, and an ignored file that was written is committed", async () => {
  const workspace = makeWorkspace({ "a.txt": "one\n", ".gitignore": "new/\n" });
  chmodSync(join(workspace.repo, "a.txt"), 0o755);
  git(workspace.repo, "commit", "-qam", "mode");
  const good = reply(
    { path: "a.txt", base_sha256: sha("one\n"), content: "changed\r\n" },
    { path: "new/c.txt", base_sha256: EMPTY_SHA, content: "\ufeffé\n" },
  );
  const { summary } = await run(workspace, serve(good).url, order(), ["--verify", "true", "--commit", "wo"]);
  expect(summary.verdict).toBe("PASS");
  expect(statSync(join(workspace.repo, "a.txt")).mode & 0o777).toBe(0o755);
  expect(git(workspace.repo, "ls-tree", "-r", "--name-only", "HEAD").split("\n")).toEqual([
    ".gitignore",
    "a.txt",
    "new/c.txt",
  ]);
  expect(readFileSync(join(workspace.repo, "new/c.txt"), "utf8")).toBe("\ufeffé\n");
  expect(git(workspace.repo, "status", "--porcelain")).toBe("");
});

test("a command that cannot start, a command over its time and unmet postconditions fail the attempt", async () => {
  const workspace = makeWorkspace();
  const none = await run(workspace, serve(GOOD).url, order(), [
    "--verify",
    "no-such-program-x",
    "--max-attempts",
    "1",
  ]);
  expect(none.summary.attempts[0]?.verify[0]?.exit_code).toBe(-1);
  expect(none.summary.ended_stage).toBe("verify_failed");
  const slow = await run(workspace, serve(GOOD).url, order(), [
    "--verify",
    "sleep 30",
    "--timeout-seconds",
    "0.3",
    "--max-attempts",
    "1",
  ]);
  expect(slow.summary.attempts[0]?.verify[0]?.exit_code).toBe(-2);
  const missing = order({ postconditions: [{ kind: "file_exists", path: "new/c.txt" }] });
  const post = await run(workspace, serve(GOOD).url, missing, ["--verify", "true", "--max-attempts", "1"]);
  expect(post.summary.attempts[0]?.failure_brief).toMatchObject({
    stage: "acceptance_failed",
    command: null,
  });
});

test("unmet preconditions end the run before any request", async () => {
  const workspace = makeWorkspace();
  const model = serve(GOOD);
  const wo = order({ preconditions: [{ kind: "file_absent", path: "a.txt" }] });
  const { code, summary } = await run(workspace, model.url, wo);
  expect(code).toBe(7);
  expect(summary).toMatchObject({ verdict: "FAIL", ended_stage: "preflight", attempts: [] });
  expect(model.requests.length).toBe(0);
});

test("a failed write ends the run, since the model cannot repair it", async () => {
  const workspace = makeWorkspace();
  const long = "n".repeat(250); // its temporary file has too long a name
  const bad = reply(
    { path: "a.txt", base_sha256: sha("one\n"), content: "changed\n" },
    { path: long, base_sha256: EMPTY_SHA, content: "x" },
  );
  const model = serve(bad);
  const before = stateOf(workspace.repo);
  const { code, summary } = await run(workspace, model.url, order({ allowed_files: ["a.txt", long] }));
  expect(code).toBe(7);
  expect(summary).toMatchObject({ ended_stage: "write_failed", attempts: [{ write_ok: false }] });
  expect(model.requests.length).toBe(1);
  expect(stateOf(workspace.repo)).toEqual(before);
});

test("secrets of context files are masked in requests and in stored files", async () => {
  const secret = "AKIAABCDEFGHIJKLMNOP";
  const workspace = makeWorkspace({ "a.txt": "one\n", "conf.txt": `key ${secret}\n` });
  const model = serve(GOOD);
  const wo = order({ context_files: ["a.txt", "conf.txt"] });
  const { summary } = await run(workspace, model.url, wo, ["--verify", "cat conf.txt"]);
  expect(summary.verdict).toBe("PASS");
  expect(JSON.stringify(model.requests)).not.toContain(secret);
  const dir = join(workspace.out, summary.run_id, "attempt_1");
  expect(readFileSync(join(dir, "verify_1_stdout.txt"), "utf8")).toBe("key [MASKED:aws-access-token]\n");
  expect(readFileSync(join(dir, "se_prompt.txt"), "utf8")).toContain("conf.txt, read-only");
});
