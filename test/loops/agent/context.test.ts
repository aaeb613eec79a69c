// Requests of the agent loop: regardless of the model they are well-formed for a strict server, contain layers 1 to 3
// completely and stay below the threshold.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { TokenCounter } from "../../../src/loops/agent/context/tokens.ts";
import { cutResult } from "../../../src/loops/agent/tools/calls.ts";
import { cliJson } from "../../support/cli.ts";
import { folders } from "../../support/folder.ts";
import { type ScriptedReply, startModelServer, type WireRequestIn } from "../../support/model-server.ts";
import { call, jobScript, nodeOf, taskOf } from "./script.ts";

const folder = folders("agent-context");
const THRESHOLD = 8_000;

type Message = WireRequestIn["messages"][number];

/** What a strict server would refuse, or undefined. */
function malformed({ messages, tools = [] }: WireRequestIn): string | undefined {
  const roles = messages.map(({ role }) => role);
  if (roles[0] !== "system" || roles.lastIndexOf("system") !== 0)
    return "not exactly one system message, first";
  if (roles[1] !== "user") return `the conversation begins with ${roles[1]}`;
  if (roles.at(-1) === "assistant") return "the last word is the model's";
  const twice = roles.find((role, n) => role !== "tool" && role === roles[n - 1]);
  if (twice !== undefined) return `two ${twice} messages in a row`;
  const calls = messages.flatMap(callsOf);
  if (calls.length > 0 && tools.length === 0) return "calls in a request without tools";
  if (new Set(calls).size !== calls.length || calls.includes("")) return "an id of a call stands twice";
  for (const [n, message] of messages.entries()) {
    const wrong = wrongAnswers(messages, n) ?? emptyMessage(message);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function callsOf(message: Message): string[] {
  return (message.tool_calls ?? []).map((one) => {
    JSON.parse(one.function.arguments);
    return one.id;
  });
}

/** The messages right after a reply answer its calls, and only those. */
function wrongAnswers(messages: Message[], n: number): string | undefined {
  if (messages[n]?.role === "tool") return undefined;
  const rest = messages.slice(n + 1);
  const end = rest.findIndex(({ role }) => role !== "tool");
  const answers = (end < 0 ? rest : rest.slice(0, end)).map((message) => message.tool_call_id);
  const wanted = callsOf(messages[n] as Message);
  return answers.join() === wanted.join() ? undefined : `answers ${answers} to the calls ${wanted}`;
}

function emptyMessage({ role, content, tool_calls = [] }: Message): string | undefined {
  const isEmpty = (content ?? "") === "" && tool_calls.length === 0;
  return isEmpty && role !== "tool" ? `an empty ${role} message` : undefined;
}

const action = fc.oneof(
  fc.constant("go on" as const),
  fc.record({ text: fc.string({ maxLength: 3000 }) }),
  fc.array(
    fc.oneof(
      fc.record({ name: fc.constant("read_file"), arguments: fc.constant({ path: "documents/long.txt" }) }),
      fc.record({ name: fc.constant("read_file"), arguments: fc.record({ path: fc.string() }) }),
      fc.record({
        name: fc.constant("write_file"),
        arguments: fc.record({ path: fc.constant("notes/n.md"), content: fc.string({ maxLength: 20_000 }) }),
      }),
      fc.record({
        name: fc.constantFrom("list_files", "get_progress", "none", "todo_complete"),
        arguments: fc.constantFrom({}, "{broken", "[]", ""),
      }),
      fc.record({
        name: fc.constant("search_files"),
        arguments: fc.record({ query: fc.string({ minLength: 1 }) }),
      }),
    ),
    { minLength: 1, maxLength: 20 },
  ),
);

test("property: requests are well-formed, layers 1 to 3 whole, and bounded", async () => {
  const tokens = await TokenCounter.forModel("test-model");
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 5, maxLength: 40 }),
      fc.boolean(),
      async (actions, sameIds) => {
        const left = [...actions];
        const usual = jobScript({ phases: [5, 5] });
        const server = startModelServer((request): ScriptedReply => {
          const next =
            nodeOf(request) === "process" && !taskOf(request)?.phase.startsWith("Bootstrap")
              ? left.shift()
              : "go on";
          if (next === undefined || next === "go on") return usual(request);
          if ("text" in next) return { content: next.text };
          return {
            content: "",
            tool_calls: next.map((one, n) => ({ ...one, id: sameIds ? "call" : `x${left.length}_${n}` })),
          };
        });
        const cwd = folder({
          "agent.json": JSON.stringify({
            $extends: "researcher",
            limits: { context_threshold_tokens: THRESHOLD, max_iterations: 120 },
          }),
          "long.txt": "a long line of text with words in it\n".repeat(3000),
        });
        const model = ["-c", `llm.agent.base_url=${server.url}`, "-c", "llm.agent.model=test-model"];
        const { code } = await cliJson(
          [
            "agent",
            "run",
            "--config",
            "agent.json",
            "--description",
            "x",
            "--document",
            "long.txt",
            "--job-id",
            "p",
            ...model,
          ],
          { cwd },
        );
        await server.stop();
        expect([0, 3, 5]).toContain(code);
        for (const { body } of server.requests) {
          expect(malformed(body)).toBeUndefined();
          const system = body.messages[0]?.content ?? "";
          expect(system).toStartWith("You are Researcher, an agent");
          expect(system).toContain("Content of workspace.md:\n<<<DATA ");
          if (nodeOf(body) === "process") {
            expect(taskOf(body)).toBeDefined();
            expect(system).toEndWith("═".repeat(67));
            const names = body.tools?.map((tool) => tool.function.name) ?? [];
            expect(names).toEqual(expect.arrayContaining(["read_file", "todo_complete", "todo_rewind"]));
          }
          const size =
            tokens.text(JSON.stringify(body.tools ?? [])) +
            body.messages.reduce((sum, message) => sum + tokens.text(JSON.stringify(message)), 0);
          // The wire form has a little more around each message than what is counted.
          expect(size).toBeLessThan(THRESHOLD * 1.35);
        }
      },
    ),
    { numRuns: Number(process.env["ATOMSMITH_RUNS"] ?? 8), endOnFailure: true },
  );
}, 300_000);

test("results older than the last five become a placeholder whose file holds the result uncut", async () => {
  const long = "0123456789".repeat(4_000);
  let reads = 0;
  const server = startModelServer(
    jobScript({
      phases: [5],
      before: (_, task) => {
        if (task?.text !== "Phase 1 step 2" || reads >= 7) return undefined;
        reads += 1;
        return call("read_file", { path: "documents/long.txt", start_line: 1, end_line: reads });
      },
    }),
  );
  const cwd = folder({ "long.txt": `${long}\n${"x\n".repeat(20)}` });
  const model = ["-c", `llm.agent.base_url=${server.url}`, "-c", "llm.agent.model=m"];
  const { code } = await cliJson(
    [
      "agent",
      "run",
      "--config",
      "researcher",
      "--description",
      "x",
      "--document",
      "long.txt",
      "--job-id",
      "p",
      ...model,
    ],
    { cwd },
  );
  await server.stop();
  expect(code).toBe(0);
  const biggest =
    server.requests
      .map(({ body }) => body.messages.filter(({ role }) => role === "tool"))
      .findLast((tools) => (tools.at(-1)?.content ?? "").includes("[cut: ")) ?? [];
  const contents = biggest.map(({ content }) => content ?? "");
  expect(contents.filter((text) => !text.startsWith("[older result: see "))).toHaveLength(5);
  const path = /^\[older result: see (.*)\]$/.exec(contents.at(-6) ?? "")?.[1] ?? "";
  expect(readFileSync(join(cwd, "workspace/job_p", path), "utf8").startsWith(long)).toBe(true);
  expect(contents.at(-1)).toMatch(
    /\[cut: 30000 of 400\d\d characters; the rest is in \.agent\/results\/\d{6}_read_file\.txt\]/,
  );
}, 60_000);

test("counting tokens is fast for any text, and equals the tokenizer for prose", async () => {
  const tokens = await TokenCounter.forModel("gpt-4o");
  const began = performance.now();
  const letters = Array.from(
    { length: 64_000 },
    (_, n) => "abcdefghijklmnopqrstuvwxyz"[(n * n + n * 7919) % 26],
  );
  expect(tokens.text(letters.join(""))).toBeGreaterThan(20_000);
  expect(tokens.text("a".repeat(64_000))).toBe(8_000);
  expect(performance.now() - began).toBeLessThan(1_500);
  const prose = readFileSync(join(import.meta.dirname, "../../../docs/agent.md"), "utf8");
  const { countTokens } = await import("gpt-tokenizer/encoding/cl100k_base");
  expect(Math.abs(tokens.text(prose) / countTokens(prose) - 1)).toBeLessThan(0.01);
});

test("a result is cut at a border of characters", () => {
  const text = `${"a".repeat(29_999)}😀${"b".repeat(100)}`;
  expect(cutResult(text, "p", 80_000)).toBe(
    `${"a".repeat(29_999)}\n[cut: 29999 of 30101 characters; the rest is in p]`,
  );
  expect(cutResult("short", "p", 80_000)).toBe("short");
});

test("what the server counts corrects the count: the conversation is summarised earlier", async () => {
  const usual = jobScript({ phases: [5] });
  const server = startModelServer((request) => ({
    ...usual(request),
    usage: { prompt_tokens: 90_000, completion_tokens: 1 },
  }));
  const cwd = folder();
  const model = ["-c", `llm.agent.base_url=${server.url}`, "-c", "llm.agent.model=m"];
  const { code } = await cliJson(
    [
      "agent",
      "run",
      "--config",
      "researcher",
      "--description",
      "x",
      "--job-id",
      "p",
      "--events",
      "e.jsonl",
      ...model,
    ],
    { cwd },
  );
  await server.stop();
  expect([0, 5]).toContain(code);
  expect(readFileSync(join(cwd, "e.jsonl"), "utf8")).toContain('"why":"threshold"');
}, 60_000);
