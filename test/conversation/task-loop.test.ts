// A task unrelated to atoms, over a real server: its own tools, submission, way of giving up and nudges; and a task
// without tools that is answered in JSON.
import { afterEach, describe, expect, test } from "bun:test";
import { z } from "zod";
import { Conversation } from "../../src/conversation/conversation.ts";
import { readJsonReply } from "../../src/conversation/json-reply.ts";
import { readNudges, TASK_NUDGES } from "../../src/conversation/nudges.ts";
import { runTask, type Task, type TaskLimits } from "../../src/conversation/task-loop.ts";
import type { ToolBox } from "../../src/conversation/tool-box.ts";
import { EventBus } from "../../src/core/event-bus.ts";
import type { Event } from "../../src/core/events.ts";
import { createLlmServices, memoryTurnLog, NO_USAGE, type TurnLog } from "../../src/llm/index.ts";
import { fastClock, llmConfig, TEST_KEY } from "../support/llm.ts";
import { type ModelServer, type ScriptedReply, startModelServer } from "../support/model-server.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const NUDGES = readNudges(
  [
    ...Object.values(TASK_NUDGES).map((name) => `## ${name}\nfactory: ${name}`),
    "## unknown_tool\nfactory: {{name}} is none of {{tools}}",
    "## odd\nfactory: {{n}} is odd",
    "## not_json\nfactory: {{problem}}",
  ].join("\n\n"),
);

/** A counter that a model may increment at most three times. */
function counter(): ToolBox & { value: number } {
  return {
    value: 0,
    specs: [{ name: "turn", description: "Turns the counter.", parameters: { type: "object" } }],
    async call(_, args) {
      if (typeof args["by"] !== "number")
        return { text: "`by` must be a number", isData: false, isNew: false };
      this.value += args["by"];
      return { text: `the counter shows ${this.value}`, isData: true, isNew: true };
    },
    budgetLine() {
      return `${3 - this.value} turns are left`;
    },
  };
}

type Left = { left: string } | { stopped: string; last: string };

/** A task to submit an even number, or to leave. */
function evenTask(tools?: ToolBox): Task<number, Left> {
  const judge = (n: number) =>
    n % 2 === 0 ? { done: n } : { nudge: "odd", values: { n }, lastSource: String(n) };
  return {
    nudges: NUDGES,
    ...(tools ? { tools } : {}),
    submit: { tool: "hand_in", read: (args) => judge(Number(args["n"])) },
    fromText: (reply) => judge(Number(reply)),
    leave: { tool: "stop_work", answer: "Noted.", read: (args) => ({ left: String(args["why"]) }) },
    giveUp: ({ reason, lastSource }) => ({ stopped: reason, last: lastSource }),
  };
}

const call = (name: string, args: object = {}): ScriptedReply => ({
  tool_calls: [{ name, arguments: args }],
});

interface Started {
  conversation: Conversation;
  events: Event[];
  bodies(): string[];
}

function start(
  replies: ScriptedReply[],
  options: { tools?: ToolBox; turns?: TurnLog; reasks?: boolean } = {},
): Started {
  server ??= startModelServer((_, number) => replies[Math.min(number, replies.length) - 1] ?? {});
  const running = server;
  const config = llmConfig(running.url, {
    llm: { factory: { provider: "openai", model: "m", base_url: running.url, api_key_env: "TEST_KEY" } },
  });
  const bus = new EventBus("r");
  const events: Event[] = [];
  bus.subscribe((event) => events.push(event));
  const emit = bus.scope({ loop: "factory", subject: "WO-1" });
  const services = createLlmServices(config, {
    env: { TEST_KEY },
    emit: bus.emit,
    roles: ["factory"],
    clock: fastClock(),
  });
  const ledger = services.ledger("factory", { subject: "WO-1", spent: NO_USAGE }, emit);
  const tools = ["hand_in", "stop_work"].map((name) => ({
    name,
    description: name,
    parameters: { type: "object" },
  }));
  const conversation = new Conversation(
    {
      model: services.model("factory", { cassette: null, ledger, emit }),
      role: "factory",
      turns: options.turns ?? memoryTurnLog(),
      stage: "se",
      iteration: 1,
      tools: [...(options.tools?.specs ?? []), ...tools],
      signal: new AbortController().signal,
      clock: services.clock,
      deadline: services.clock.now() + 60_000,
      deadlineKey: "loops.factory.timeout",
      emit,
      stream: true,
      redact: services.redact,
    },
    [{ role: "user", content: "An even number, please." }],
  );
  return {
    conversation,
    events,
    bodies: () => running.requests.at(-1)?.body.messages.map(({ content }) => content ?? "") ?? [],
  };
}

describe("a task with its own tools", () => {
  test("its tools are called, data is fenced, the budget is stated and the submission is accepted", async () => {
    const tools = counter();
    const { conversation, bodies } = start(
      [call("turn", { by: 1 }), call("turn", { by: "x" }), call("hand_in", { n: 4 })],
      { tools },
    );
    expect(await runTask(conversation, evenTask(tools))).toBe(4);
    expect(tools.value).toBe(1);
    const [, , first = "", , second = ""] = bodies();
    expect(first).toMatch(/^<<<DATA \w+ turn\nthe counter shows 1\n\w+ DATA>>>\n2 turns are left$/);
    expect(second).toBe("`by` must be a number\n2 turns are left");
  });

  test("its own nudges state what is wrong, and the corrected submission is accepted", async () => {
    const { conversation, bodies } = start([call("hand_in", { n: 3 }), { content: "8" }]);
    expect(await runTask(conversation, evenTask())).toBe(8);
    expect(bodies().at(-1)).toBe("factory: 3 is odd");
  });

  test("an unknown tool is refused with the names of the known ones", async () => {
    const tools = counter();
    const { conversation, bodies } = start([call("ask_person"), call("hand_in", { n: 2 })], { tools });
    expect(await runTask(conversation, evenTask(tools))).toBe(2);
    expect(bodies().at(-1)).toBe("factory: ask_person is none of turn, hand_in, stop_work");
  });

  test("a submission together with a reading call is requested again", async () => {
    const tools = counter();
    const both = {
      tool_calls: [call("hand_in", { n: 2 }), call("turn", { by: 1 })].flatMap((r) => r.tool_calls ?? []),
    };
    const { conversation, bodies } = start([both, call("hand_in", { n: 6 })], { tools });
    expect(await runTask(conversation, evenTask(tools))).toBe(6);
    expect(bodies()).toContain("factory: submit_after_results");
  });
});

describe("ends without a submission", () => {
  test("the model leaves with the tool of the task", async () => {
    const { conversation } = start([call("stop_work", { why: "there are none" })]);
    expect(await runTask(conversation, evenTask())).toEqual({ left: "there are none" });
  });

  test("a repeated fault ends the task with the last submission", async () => {
    const { conversation } = start([call("hand_in", { n: 3 }), call("hand_in", { n: 5 })]);
    const end = await runTask(conversation, evenTask());
    expect(end).toEqual({ stopped: expect.stringContaining("factory: 5 is odd"), last: "5" });
    expect(server?.requests).toHaveLength(3);
  });

  test("the limits of nudges and turns are those of the task", async () => {
    const run = async (limits: Partial<TaskLimits>, reply: ScriptedReply): Promise<number> => {
      const tools = counter();
      const { conversation } = start([reply], { tools });
      expect(await runTask(conversation, evenTask(tools), limits)).toMatchObject({
        last: expect.any(String),
      });
      const asked = server?.requests.length ?? 0;
      await server?.stop();
      server = undefined;
      return asked;
    };
    expect(await run({ sameNudge: 0 }, call("hand_in", { n: 3 }))).toBe(1);
    expect(await run({ turns: 4 }, call("turn", { by: 1 }))).toBe(4);
  });

  test("the time limit names the configuration key that raises it", async () => {
    const { conversation } = start([{ content: "2" }]);
    conversation.options.deadline = 0;
    await expect(runTask(conversation, evenTask())).rejects.toMatchObject({
      kind: "limit",
      details: { hint: expect.stringContaining("loops.factory.timeout") },
    });
  });
});

describe("a task without tools is answered in JSON", () => {
  const schema = z.strictObject({ files: z.array(z.string()) });
  const task: Task<z.infer<typeof schema>, string> = {
    nudges: NUDGES,
    fromText: (reply) => {
      const read = readJsonReply(reply, schema);
      return read.ok ? { done: read.value } : { nudge: "not_json", values: { problem: read.problem } };
    },
    giveUp: ({ reason }) => reason,
  };

  test("several replies are read in one conversation", async () => {
    const { conversation, bodies } = start([
      { content: 'Sure: {"files": []}' },
      { content: '{"files": ["a"]}' },
      { content: '```json\n{"files": ["b"]}\n```' },
    ]);
    expect(await runTask(conversation, task)).toEqual({ files: ["a"] });
    expect(bodies().at(-1)).toContain("factory: the reply is not one JSON object");
    conversation.say("And now?");
    expect(await runTask(conversation, task)).toEqual({ files: ["b"] });
  });

  test("a tool call is not an answer", async () => {
    const { conversation } = start([call("hand_in", { n: 2 })]);
    expect(await runTask(conversation, task)).toContain("could not be used");
  });

  test("its events have its scope, and a resumed run requests no reply twice", async () => {
    const turns = memoryTurnLog();
    const first = start([{ content: '{"files": ["a"]}' }], { turns });
    await runTask(first.conversation, task);
    const again = start([], { turns });
    expect(await runTask(again.conversation, task)).toEqual({ files: ["a"] });
    expect(server?.requests).toHaveLength(1);
    const finished = [...first.events, ...again.events].filter(({ type }) => type === "model_call_finished");
    expect(finished).toMatchObject([
      { loop: "factory", subject: "WO-1", role: "factory", replayed: false },
      { loop: "factory", subject: "WO-1", role: "factory", replayed: true },
    ]);
  });
});
