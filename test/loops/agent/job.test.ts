// Whole jobs over a real server: files, formats and names as docs/agent.md has them.

import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cliJson } from "../../support/cli.ts";
import { folders } from "../../support/folder.ts";
import { startModelServer } from "../../support/model-server.ts";
import { call, jobScript } from "./script.ts";

const folder = folders("agent-job");
const server = startModelServer(jobScript({ phases: [5, 6] }));
afterAll(() => server.stop(), 30_000);

const settings = (url: string): string[] => [
  "-c",
  `llm.agent.base_url=${url}`,
  "-c",
  "llm.agent.model=test-model",
];

function start(id: string, url: string, config = "tidy"): string[] {
  return ["agent", "run", "--config", config, "--description", "Sort it", "--job-id", id, ...settings(url)];
}

test("a job from start to job_complete: files, archives, progress, history", async () => {
  const cwd = folder({ "doc/a.txt": "hello" });
  const { code, document } = await cliJson([...start("one", server.url), "--document", "doc/a.txt"], { cwd });
  expect(document).toMatchObject({
    job_id: "one",
    status: "completed",
    phase: { number: null, name: "Final review" },
    confidence: 0.9,
    deliverables: ["output/report.md"],
    summary: "All phases are done.",
  });
  expect(code).toBe(0);
  const root = join(cwd, "workspace/job_one");
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  expect(read("documents/a.txt")).toBe("hello");
  expect(read("instructions.md")).toEndWith("# The task\n\nSort it\n");
  expect(read("tools/todo_complete.md")).toStartWith("# todo_complete\n");
  expect(read("output/Phase_2_step_6.md")).toContain("Done.");
  const archives = readdirSync(join(root, "archive")).sort();
  expect(archives.map((name) => name.replace(/\d{8}_\d{6}/, "TIME"))).toEqual([
    "retrospective_phase_0_bootstrap_TIME.md",
    "retrospective_phase_1_part_1_TIME.md",
    "retrospective_phase_2_part_2_TIME.md",
    "todos_phase_0_bootstrap_TIME.md",
    "todos_phase_1_part_1_TIME.md",
    "todos_phase_2_part_2_TIME.md",
  ]);
  const archive = read(`archive/${archives.find((name) => name.startsWith("todos_phase_1"))}`);
  expect(archive).toMatch(
    /^# Archived Todos: phase_1_part_1\nArchived: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n\n## Completed \(5\)\n- \[x\] /,
  );
  expect(read("progress.md").trim().split("\n")).toHaveLength(2 + 5 + 5 + 6 + 3);
  expect(JSON.parse(read("output/completion.json"))).toMatchObject({ status: "completed", confidence: 0.9 });
  const git = (...args: string[]): string[] =>
    Bun.spawnSync(["git", ...args], { cwd: root })
      .stdout.toString()
      .trim()
      .split("\n");
  const log = git("log", "--format=%s");
  expect(log).toHaveLength(5 + 5 + 6 + 3 + 1);
  expect(log.slice(0, 2)).toEqual(["Job: completed", "Todo: Call job_complete()"]);
  const ends = [0, 1, 2, 3].flatMap((n) => [`phase_${n}_end`, `phase_${n}_start`]);
  expect(git("tag")).toEqual(ends);
  // Before the first todo: what the job was given. The history itself holds todos only.
  expect(git("show", "phase_0_start:documents/a.txt")).toEqual(["hello"]);
  expect(git("log", "--format=%s", "phase_0_start..phase_0_end")).toHaveLength(5);
  expect(git("diff", "--name-only", "phase_0_start", "phase_0_end")).toContain("main_plan.md");
  expect(git("ls-files").filter((path) => path.startsWith(".agent"))).toEqual([]);
}, 60_000);

test("documents: a git repository among them is copied without its history; two of one name are refused", async () => {
  const cwd = folder({ "a/x.txt": "1", "b/x.txt": "2" });
  Bun.spawnSync(["git", "init", "--quiet", join(cwd, "a")]);
  const submit = (...more: string[]) =>
    cliJson(["agent", "submit", "--config", "tidy", "--description", "x", ...more], { cwd });
  expect((await submit("--job-id", "g", "--document-dir", "a")).code).toBe(0);
  expect(readdirSync(join(cwd, "workspace/job_g/documents"))).toEqual(["x.txt"]);
  const twice = await submit("--document", "b/x.txt", "--document-dir", "a");
  expect(twice.code).toBe(2);
  expect(JSON.stringify(twice.document)).toContain("would both become documents/x.txt");
});

test("an agent that is not for polling", async () => {
  const cwd = folder({ "own.json": '{ "$extends": "tidy", "polling": { "enabled": false } }' });
  const { code, document } = await cliJson(
    ["agent", "poll", "--config", "own.json", "--once", ...settings(server.url)],
    { cwd },
  );
  expect(code).toBe(2);
  expect(JSON.stringify(document)).toContain("polling.enabled is false");
});

test("the answer to a finished, an unknown and a repeated id", async () => {
  const cwd = folder();
  expect((await cliJson(start("one", server.url), { cwd })).code).toBe(0);
  const asked = server.requests.length;
  const again = await cliJson(["agent", "resume", "one", ...settings(server.url)], { cwd });
  expect(again.code).toBe(0);
  expect(again.document).toMatchObject({ status: "completed", summary: "All phases are done." });
  expect((await cliJson(start("one", server.url), { cwd })).code).toBe(2);
  expect((await cliJson(["agent", "resume", "none"], { cwd })).code).toBe(2);
  expect((await cliJson(["agent", "approve", "one"], { cwd })).code).toBe(2);
  expect((await cliJson(["agent", "cancel", "one"], { cwd })).code).toBe(2);
  expect((await cliJson(start("x".repeat(27), server.url), { cwd })).code).toBe(2);
  expect(
    (await cliJson(["agent", "resume", "one", "--from-phase", "7", ...settings(server.url)], { cwd })).code,
  ).toBe(2);
  expect(server.requests.length).toBe(asked);
  expect(existsSync(join(cwd, "workspace/jobs.db"))).toBe(true);
  expect((await cliJson(["agent", "show", "one"], { cwd })).document).toMatchObject({ status: "completed" });
}, 60_000);

test("--from-phase opens the phase and the later ones of a finished job", async () => {
  const cwd = folder();
  await cliJson(start("one", server.url), { cwd });
  const before = server.requests.length;
  const { code } = await cliJson(["agent", "resume", "one", "--from-phase", "2", ...settings(server.url)], {
    cwd,
  });
  expect(code).toBe(0);
  expect(server.requests.length).toBeGreaterThan(before);
  const first = server.requests[before]?.body;
  expect(first?.messages.at(-1)?.content).toContain("update_memory");
  expect(first?.messages.at(-1)?.content).toContain("## Phase 2: Part 2 ← CURRENT");
  expect(first?.messages.at(-1)?.content).toContain("## Phase 1: Part 1 ✓ COMPLETE");
}, 60_000);

test("a low confidence waits for a person: approved as is, or answered", async () => {
  let confidence = 0.2;
  const unsure = startModelServer((request) => jobScript({ phases: [5], confidence })(request));
  const cwd = folder();
  const first = await cliJson(start("one", unsure.url), { cwd });
  expect(first.code).toBe(3);
  expect(first.document).toMatchObject({
    status: "waiting",
    confidence: 0.2,
    waiting: { reason: "confidence" },
  });
  expect((await cliJson(["agent", "resume", "one", ...settings(unsure.url)], { cwd })).code).toBe(3);
  confidence = 0.8;
  const asked = unsure.requests.length;
  const answered = await cliJson(
    ["agent", "approve", "one", "--answer", "Look at table 4", ...settings(unsure.url)],
    { cwd },
  );
  expect(answered.document).toMatchObject({ status: "completed", confidence: 0.8 });
  expect(unsure.requests[asked]?.body.messages.at(-1)?.content).toContain("Look at table 4");
  confidence = 0.2;
  expect((await cliJson(start("two", unsure.url), { cwd })).code).toBe(3);
  const before = unsure.requests.length;
  const approved = await cliJson(["agent", "approve", "two"], { cwd });
  expect(approved.code).toBe(0);
  expect(approved.document).toMatchObject({ status: "completed", confidence: 0.2 });
  expect(unsure.requests.length).toBe(before);
  await unsure.stop();
}, 60_000);

test("a question of the model waits; the answer continues at the same todo", async () => {
  let asked = false;
  const asking = startModelServer(
    jobScript({
      phases: [5],
      before: (_, task) => {
        if (asked || task?.text !== "Phase 1 step 2") return undefined;
        asked = true;
        return call("ask_person", { question: "Which year?" });
      },
    }),
  );
  const cwd = folder();
  const first = await cliJson(start("one", asking.url), { cwd });
  expect(first.code).toBe(3);
  expect(first.document).toMatchObject({
    waiting: { reason: "question", text: "Which year?" },
    todos: { done: 1, total: 5 },
  });
  const before = asking.requests.length;
  const { code } = await cliJson(["agent", "approve", "one", "--answer", "2024", ...settings(asking.url)], {
    cwd,
  });
  expect(code).toBe(0);
  const next = asking.requests[before]?.body.messages ?? [];
  expect(next[0]?.content).toContain("[ ] 2. Phase 1 step 2      ← CURRENT");
  expect(next.at(-1)?.content).toContain("Answer: 2024");
  await asking.stop();
}, 60_000);

test("recorded replies run the job again without a server, in another folder", async () => {
  const cwd = folder();
  expect((await cliJson([...start("one", server.url), "--record", "rec"], { cwd })).code).toBe(0);
  const asked = server.requests.length;
  const other = folder();
  const replay = ["--cassettes", join(cwd, "rec"), "-c", "llm.agent.provider=replay"];
  const run = await cliJson(
    ["agent", "run", "--config", "tidy", "--description", "Sort it", "--job-id", "one", ...replay],
    { cwd: other },
  );
  expect(run.document).toMatchObject({ status: "completed", deliverables: ["output/report.md"] });
  expect(server.requests.length).toBe(asked);
}, 60_000);

test("workers poll: a submitted job is completed, the job of a dead worker is taken over, a cancelled one is not", async () => {
  const cwd = folder();
  for (const id of ["a", "b", "c"]) {
    const { code } = await cliJson(
      ["agent", "submit", "--config", "tidy", "--description", "x", "--job-id", id],
      { cwd },
    );
    expect(code).toBe(0);
  }
  expect((await cliJson(["agent", "cancel", "b"], { cwd })).document).toMatchObject({ status: "cancelled" });
  const child = Bun.spawn([
    process.execPath,
    join(import.meta.dir, "kill-after.ts"),
    cwd,
    server.url,
    "c",
    "40",
  ]);
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  const { code } = await cliJson(["agent", "poll", "--config", "tidy", "--once", ...settings(server.url)], {
    cwd,
  });
  expect(code).toBe(0);
  const { document } = await cliJson(["agent", "list"], { cwd });
  const states = (document as { jobs: { job_id: string; status: string }[] }).jobs.map((job) => [
    job.job_id,
    job.status,
  ]);
  expect(states.sort()).toEqual([
    ["a", "completed"],
    ["b", "cancelled"],
    ["c", "completed"],
  ]);
  expect((await cliJson(["agent", "resume", "b", ...settings(server.url)], { cwd })).code).toBe(2);
}, 60_000);

test("cancel while a worker is at it: it stops before its next call, with 130", async () => {
  const cwd = folder();
  let cancelled = false;
  const slow = startModelServer(async (request) => {
    if (!cancelled && server.requests.length >= 0 && request.messages.length > 6) {
      cancelled = true;
      await cliJson(["agent", "cancel", "one"], { cwd });
    }
    return jobScript({ phases: [5] })(request);
  });
  const { code, document } = await cliJson(start("one", slow.url), { cwd });
  expect(code).toBe(130);
  expect(document).toMatchObject({ status: "cancelled" });
  const asked = slow.requests.length;
  expect((await cliJson(["agent", "resume", "one", ...settings(slow.url)], { cwd })).code).toBe(2);
  expect(slow.requests.length).toBe(asked);
  await slow.stop();
}, 60_000);

test("deleting the stored replies loses nothing but their replay", async () => {
  const cwd = folder();
  await cliJson(["agent", "submit", "--config", "tidy", "--description", "x", "--job-id", "c"], { cwd });
  const child = Bun.spawn([
    process.execPath,
    join(import.meta.dir, "kill-after.ts"),
    cwd,
    server.url,
    "c",
    "60",
  ]);
  await child.exited;
  rmSync(join(cwd, "workspace/job_c/.agent/agent_turns.jsonl"));
  const { code } = await cliJson(["agent", "resume", "c", ...settings(server.url)], { cwd });
  expect(code).toBe(0);
}, 60_000);

test("two workers at once: each job is done by one of them", async () => {
  const cwd = folder();
  const own = startModelServer(jobScript({ phases: [5] }));
  for (const id of ["a", "b", "c", "d"]) {
    await cliJson(["agent", "submit", "--config", "researcher", "--description", "x", "--job-id", id], {
      cwd,
    });
  }
  const poll = (): Promise<{ document: unknown }> =>
    cliJson(["agent", "poll", "--config", "researcher", "--once", ...settings(own.url)], { cwd });
  const workers = await Promise.all([poll(), poll(), poll()]);
  const done = workers.flatMap(({ document }) =>
    (document as { jobs: { job_id: string }[] }).jobs.map((job) => job.job_id),
  );
  expect(done.sort()).toEqual(["a", "b", "c", "d"]);
  await own.stop();
}, 60_000);
