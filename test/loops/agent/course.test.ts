// What keeps a job on course: required forms of the planning steps, standstill, rewinds, limits. Over a real server.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cliJson } from "../../support/cli.ts";
import { folders } from "../../support/folder.ts";
import {
  type ModelServer,
  type ScriptedReply,
  startModelServer,
  type WireRequestIn,
} from "../../support/model-server.ts";
import { call, jobScript, lastText, nodeOf, plan, type Task } from "./script.ts";

const folder = folders("agent-course");

interface Ran {
  code: number;
  document: Record<string, unknown>;
  cwd: string;
  root: string;
  server: ModelServer;
  more(...args: string[]): Promise<{ code: number; document: Record<string, unknown> }>;
}

/** Runs a job of one phase with five todos by default. */
async function job(
  before: (request: WireRequestIn, task: Task | undefined) => ScriptedReply | undefined,
  options: { limits?: object; phases?: number[]; extra?: object } = {},
): Promise<Ran> {
  const server = startModelServer(jobScript({ phases: options.phases ?? [5], before }));
  const config = { $extends: "researcher", limits: options.limits ?? {}, ...options.extra };
  const cwd = folder({ "agent.json": JSON.stringify(config) });
  const model = ["-c", `llm.agent.base_url=${server.url}`, "-c", "llm.agent.model=test-model"];
  const more: Ran["more"] = async (...args) => {
    const run = await cliJson([...args, ...model], { cwd });
    return { code: run.code, document: run.document as Record<string, unknown> };
  };
  const first = await more(
    "agent",
    "run",
    "--config",
    "agent.json",
    "--description",
    "x",
    "--job-id",
    "j",
    "--events",
    "events.jsonl",
  );
  await server.stop();
  return { ...first, cwd, root: join(cwd, "workspace/job_j"), server, more };
}

function events(cwd: string, type: string): Record<string, unknown>[] {
  const lines = readFileSync(join(cwd, "events.jsonl"), "utf8").trim().split("\n");
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((event) => event["type"] === type);
}

const asked = (run: Ran, node: string): WireRequestIn[] =>
  run.server.requests.map(({ body }) => body).filter((body) => nodeOf(body) === node);

const inPhase1 = (task: Task | undefined): boolean => task?.text.startsWith("Phase 1 step") ?? false;

test("a memory that is too long is sent back with both sizes, and the job continues", async () => {
  let times = 0;
  const run = await job((request) => {
    if (nodeOf(request) !== "update_memory") return undefined;
    times += 1;
    return times === 1
      ? {
          content: Array.from({ length: 4_001 }, (_, n) => String(n % 997).padStart(4))
            .join("")
            .trim(),
        }
      : undefined;
  });
  expect(run.code).toBe(0);
  expect(lastText(asked(run, "update_memory")[1] as WireRequestIn)).toMatch(
    /has 1600\d characters, and workspace.md has at most 16000/,
  );
}, 60_000);

test("an unreadable plan is sent back twice, then the job waits; the answer continues there", async () => {
  let broken = true;
  const run = await job((request) =>
    broken && nodeOf(request) === "update_plan" ? { content: "no plan" } : undefined,
  );
  expect(run.code).toBe(3);
  expect(run.document).toMatchObject({ status: "waiting", waiting: { reason: "unusable" } });
  const requests = asked(run, "update_plan");
  expect(requests).toHaveLength(3);
  expect(lastText(requests[2] as WireRequestIn)).toContain("update_plan: the reply is no plan");
  broken = false;
}, 60_000);

test("todos outside 5 to 20 are sent back exactly once, then accepted with a warning", async () => {
  const run = await job(() => undefined, { phases: [3] });
  expect(run.code).toBe(0);
  expect(asked(run, "create_todos")).toHaveLength(2);
  expect(lastText(asked(run, "create_todos")[1] as WireRequestIn)).toContain(
    "these are 3 todos; a phase has 5 to 20",
  );
  expect(existsSync(join(run.root, "output/Phase_1_step_3.md"))).toBe(true);
  expect(events(run.cwd, "log").some(({ level }) => level === "warning")).toBe(true);
}, 60_000);

test("a planning step's last message names its node, and every node is announced before it asks", async () => {
  const run = await job(() => undefined);
  for (const node of ["update_memory", "update_plan"]) {
    for (const request of asked(run, node)) expect(request.tools ?? []).toEqual([]);
  }
  expect(asked(run, "create_todos")[0]?.tools?.map((tool) => tool.function.name)).toEqual(["todo_write"]);
  const seen = readFileSync(join(run.cwd, "events.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; node?: string })
    .filter(({ type }) => type === "node_started" || type === "model_call_started");
  const first = seen.findIndex(({ type }) => type === "model_call_started");
  expect(seen.slice(0, first).map(({ node }) => node)).toEqual(["bootstrap", "process"]);
}, 60_000);

test("todo_rewind archives with the failure note and plans again with the issue", async () => {
  let times = 0;
  const run = await job((_, task) => {
    if (task?.text !== "Phase 1 step 3" || times > 0) return undefined;
    times += 1;
    return call("todo_rewind", { issue: "There is no batch interface." });
  });
  expect(run.code).toBe(0);
  const archive = readdirSync(join(run.root, "archive")).find((name) =>
    name.startsWith("todos_phase_1_REWIND_part_1_"),
  );
  const text = readFileSync(join(run.root, "archive", archive ?? ""), "utf8");
  expect(text).toContain("## Failure note\nThere is no batch interface.\n\n## Completed (2)");
  expect(text).toContain("## Was Pending (3)");
  const planning = asked(run, "update_plan").map(lastText);
  expect(planning.some((said) => said.includes("There is no batch interface."))).toBe(true);
}, 60_000);

test("more than three rewinds by the model: the job waits", async () => {
  const run = await job((_, task) => (inPhase1(task) ? call("todo_rewind", { issue: "again" }) : undefined));
  expect(run.code).toBe(3);
  expect(run.document).toMatchObject({ waiting: { reason: "stuck" } });
  expect(events(run.cwd, "rewound")).toHaveLength(3);
  expect(existsSync(join(run.root, "stuck_report.md"))).toBe(true);
}, 60_000);

test("calls after todo_complete in one reply are not run, and their result says so", async () => {
  let times = 0;
  const run = await job((_, task) => {
    if (task?.text !== "Phase 1 step 2" || times > 0) return undefined;
    times += 1;
    const calls = [call("todo_complete"), call("write_file", { path: "notes/late.md", content: "x" })];
    return { tool_calls: calls.flatMap((one) => one.tool_calls ?? []) };
  });
  expect(run.code).toBe(0);
  expect(existsSync(join(run.root, "notes/late.md"))).toBe(false);
  const texts = run.server.requests.flatMap(({ body }) => body.messages.map(({ content }) => content ?? ""));
  expect(texts).toContain("Task 2 'Phase 1 step 2' marked complete. 3 tasks remaining.");
  expect(texts.some((text) => text.startsWith("Not run: the current task changed"))).toBe(true);
  expect(texts.some((text) => text.endsWith("1 task remaining."))).toBe(true);
}, 60_000);

test("job_complete before the end is not offered, and refused", async () => {
  const run = await job((request, task) =>
    inPhase1(task) && request.messages.length === 2
      ? call("job_complete", { summary: "done", deliverables: [], confidence: 1 })
      : undefined,
  );
  const first = asked(run, "process").find((request) =>
    request.messages[0]?.content?.includes("Phase 1 step"),
  );
  expect(first?.tools?.map((tool) => tool.function.name)).not.toContain("job_complete");
  expect(run.document).toMatchObject({ summary: "All phases are done." });
}, 60_000);

for (const [name, reply, reason] of [
  ["the same call", () => call("list_files", { path: "notes" }), "the same call had the same result 3 times"],
  ["the same text", () => ({ content: "I think about it." }), "the same text was returned 3 times"],
] as const) {
  test(`${name} over and over: a checkpoint, a rewind by the program, then the job waits`, async () => {
    const run = await job((_, task) => (inPhase1(task) ? reply() : undefined));
    expect(run.code).toBe(3);
    expect(run.document).toMatchObject({ status: "waiting", waiting: { reason: "stuck" } });
    expect(events(run.cwd, "stuck").map(({ measure }) => measure)).toEqual(["checkpoint", "rewind", "wait"]);
    expect(String(events(run.cwd, "stuck")[0]?.["reason"])).toContain(reason);
    expect(events(run.cwd, "rewound")).toMatchObject([{ by: "program" }]);
    expect(readFileSync(join(run.root, "stuck_report.md"), "utf8")).toContain("# The job is stuck");
    const offered = run.server.requests.at(-1)?.body.tools?.map((tool) => tool.function.name);
    expect(offered).toContain("job_complete");
  }, 60_000);
}

test("eight steps without a new result count as stuck; giving up then ends below the threshold", async () => {
  let flip = 0;
  const run = await job((request, task) => {
    if (!inPhase1(task)) return undefined;
    if (request.messages.some(({ content }) => content?.includes("CHECKPOINT"))) {
      return call("job_complete", { summary: "It cannot be done.", deliverables: [], confidence: 0.1 });
    }
    flip += 1;
    return call(flip % 2 ? "get_progress" : "list_files", flip % 2 ? {} : { path: "notes" });
  });
  expect(run.code).toBe(3);
  expect(events(run.cwd, "stuck")).toMatchObject([
    { reason: "8 steps without a new result", measure: "checkpoint" },
  ]);
  expect(run.document).toMatchObject({ confidence: 0.1, waiting: { reason: "confidence" } });
}, 60_000);

test("more todos than a list may have are refused and count as standstill", async () => {
  let times = 0;
  const run = await job(
    (_, task) => {
      if (!inPhase1(task) || times > 1) return undefined;
      times += 1;
      return call("add_todo", { content: `more ${times}` });
    },
    { extra: { todo: { max_items: 6 } } },
  );
  expect(events(run.cwd, "stuck")).toMatchObject([{ measure: "checkpoint" }]);
  expect(run.code).toBe(0);
}, 60_000);

test.each([
  ["max_iterations", 12],
  ["max_steps_per_phase", 6],
  ["max_tokens", 900],
])(
  "limits.%s ends the job with 5, never beyond it, and a resume goes on",
  async (key, limit) => {
    const run = await job(() => undefined, { limits: { [key]: limit } });
    expect(run.code).toBe(5);
    expect(run.document).toMatchObject({ status: "failed", error: { kind: "budget" } });
    expect(JSON.stringify(run.document)).toContain(`limits.${key}`);
    if (key === "max_iterations") expect(run.server.requests.length).toBe(limit);
    expect(existsSync(join(run.root, "error.md"))).toBe(true);
  },
  60_000,
);

test("a job stopped by a limit continues under a higher one", async () => {
  const server = startModelServer(jobScript({ phases: [5] }));
  const cwd = folder({
    "agent.json": JSON.stringify({ $extends: "researcher", limits: { max_iterations: 9 } }),
  });
  const model = ["-c", `llm.agent.base_url=${server.url}`, "-c", "llm.agent.model=m"];
  const first = await cliJson(
    ["agent", "run", "--config", "agent.json", "--description", "x", "--job-id", "j", ...model],
    { cwd },
  );
  expect(first.code).toBe(5);
  await Bun.write(join(cwd, "agent.json"), JSON.stringify({ $extends: "researcher" }));
  const second = await cliJson(["agent", "resume", "j", ...model], { cwd });
  expect(second.document).toMatchObject({ status: "completed" });
  const calm = startModelServer(jobScript({ phases: [5] }));
  const other = folder();
  await cliJson(
    [
      "agent",
      "run",
      "--config",
      "researcher",
      "--description",
      "x",
      "--job-id",
      "j",
      "-c",
      `llm.agent.base_url=${calm.url}`,
      "-c",
      "llm.agent.model=m",
    ],
    { cwd: other },
  );
  expect(server.requests.length).toBe(calm.requests.length);
  await Promise.all([server.stop(), calm.stop()]);
}, 60_000);

test("max_seconds ends the job with 5", async () => {
  const run = await job(() => ({ content: "slow", delayMs: 400 }), { limits: { max_seconds: 1 } });
  expect(run.code).toBe(5);
  expect(JSON.stringify(run.document)).toContain("max_seconds");
}, 60_000);

test("a threshold below layers 1 to 3 is exit 2 with both figures, before any request", async () => {
  const run = await job(() => undefined, { limits: { context_threshold_tokens: 300 } });
  expect(run.code).toBe(2);
  expect(JSON.stringify(run.document)).toMatch(/context_threshold_tokens is 300, .* alone need \d{4} tokens/);
  expect(run.server.requests).toHaveLength(0);
}, 60_000);

test("no phase marked current and none open leads straight to the final review", async () => {
  const run = await job((request) =>
    nodeOf(request) === "update_plan" ? { content: plan([5], 2) } : undefined,
  );
  expect(run.code).toBe(0);
  expect(asked(run, "create_todos")).toHaveLength(0);
  expect(asked(run, "update_plan")).toHaveLength(1);
}, 60_000);

test("a server that refuses for length: one emergency compaction, then an error with figures", async () => {
  const refusal = {
    http: {
      status: 400,
      body: JSON.stringify({ error: { message: "maximum context length", code: "context_length_exceeded" } }),
    },
  };
  let refused = 0;
  const once = await job((request, task) => {
    if (!inPhase1(task) || nodeOf(request) !== "process" || refused > 0 || request.messages.length < 4)
      return undefined;
    refused += 1;
    return refusal;
  });
  expect(once.code).toBe(0);
  expect(events(once.cwd, "compaction").map(({ why }) => why)).toContain("emergency");
  const never = await job((request, task) =>
    inPhase1(task) && nodeOf(request) === "process" ? refusal : undefined,
  );
  expect(never.code).toBe(4);
  expect(JSON.stringify(never.document)).toMatch(
    /request of about \d+ tokens \(system \d+, todos \d+, tools \d+/,
  );
}, 60_000);
