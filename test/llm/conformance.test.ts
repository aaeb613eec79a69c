// One suite over every dialect, through real HTTP: the same scripted answer must become the same reply, whatever the
// server renames, refuses or leaves out.
import { afterEach, describe, expect, test } from "bun:test";
import type { ChatContext, ChatReply, ChatRequest } from "../../src/llm/types.ts";
import { HELLO, ledgerOf, llmConfig, modelOf, servicesFor } from "../support/llm.ts";
import type { DialectName } from "../support/model-dialects.ts";
import { type ModelServer, type Script, startModelServer } from "../support/model-server.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const TOOL = {
  name: "read_file_header",
  description: "Reads the first lines.",
  parameters: {
    type: "object",
    properties: { file: { type: "string" }, max_lines: { type: "integer", minimum: 1 } },
    required: ["file"],
    additionalProperties: false,
  },
};

const ROLES: Partial<Record<DialectName, object>> = {
  azure: { provider: "azure" },
  anthropic: { provider: "anthropic", temperature: 1.5, reasoning_effort: "low" },
  openai_reasoning: { max_tokens: 500, temperature: 0.2, reasoning_effort: "high" },
  llama_cpp: { max_tokens: 500 },
};

async function complete(
  dialect: DialectName,
  script: Script,
  request: ChatRequest,
  options: { stream?: boolean; context?: Partial<ChatContext> } = {},
): Promise<ChatReply> {
  server = startModelServer(script, dialect);
  const config = llmConfig(
    server.url,
    { execution: { enable_streaming: options.stream ?? true } },
    ROLES[dialect],
  );
  const { services } = servicesFor(config);
  const model = modelOf(services, "agent_a", "X");
  return model.complete(request, { signal: new AbortController().signal, ...options.context });
}

const DIALECT_NAMES: DialectName[] = [
  "openai",
  "openai_reasoning",
  "azure",
  "anthropic",
  "vllm",
  "ollama",
  "llama_cpp",
  "no_tools",
  "gateway",
];

for (const dialect of DIALECT_NAMES) {
  for (const stream of [true, false]) {
    describe(`${dialect}, ${stream ? "streamed" : "in one piece"}`, () => {
      test("text is returned", async () => {
        const content = "Grüße, 検査 👋 — a text that comes in several chunks.";
        const deltas: string[] = [];
        const reply = await complete(dialect, () => ({ content }), HELLO, {
          stream,
          context: { onDelta: (text) => deltas.push(text) },
        });
        expect(reply.content).toBe(content);
        expect(reply.finish_reason).toBe("stop");
        expect(reply.tool_calls).toEqual([]);
        expect(reply.usage.input_tokens).toBeGreaterThan(0);
        expect(reply.usage.output_tokens).toBeGreaterThan(0);
        if (stream && dialect !== "gateway") expect(deltas.join("")).toBe(content);
      });

      test("several tool calls of one turn are returned, invalid JSON arguments as text", async () => {
        const reply = await complete(
          dialect,
          () => ({
            content: "Reading.",
            tool_calls: [
              { name: "list_available_files", arguments: { patterns: ["*.log"] } },
              { name: "read_file_header", arguments: '{"file": "a.log"' },
              { name: "read_file_header", arguments: { file: "b.log" } },
            ],
          }),
          { ...HELLO, tools: [TOOL] },
          { stream },
        );
        expect(reply.finish_reason).toBe("tool_calls");
        expect(reply.tool_calls.map(({ name }) => name)).toEqual([
          "list_available_files",
          "read_file_header",
          "read_file_header",
        ]);
        const [good, bad, last] = reply.tool_calls.map((call) => call.arguments);
        expect(good).toBe('{"patterns":["*.log"]}');
        expect(bad).toContain('{"file": "a.log"');
        expect(() => JSON.parse(bad ?? "{}")).toThrow();
        expect(last).toBe('{"file":"b.log"}');
        expect(new Set(reply.tool_calls.map(({ id }) => id)).size).toBe(3);
        expect(reply.tool_calls.every(({ id }) => id !== "")).toBe(true);
      });

      test("the server accepts a whole conversation with tool results", async () => {
        const reply = await complete(
          dialect,
          () => ({ content: "done" }),
          {
            role: "agent_a",
            messages: [
              ...HELLO.messages,
              {
                role: "assistant",
                content: "",
                tool_calls: [{ id: "c1", name: "read_file_header", arguments: '{"file": "a.log"' }],
              },
              { role: "tool", tool_call_id: "c1", content: "bad arguments" },
              { role: "user", content: "Go on." },
              { role: "user", content: "Please." },
            ],
            tools: [TOOL],
          },
          { stream },
        );
        expect(reply.content).toBe("done");
        const sent = server?.requests.at(-1)?.body.messages ?? [];
        if (dialect === "no_tools") {
          expect(JSON.stringify(sent)).toContain("Result of the call c1:\\nbad arguments");
          return;
        }
        const call = sent.find((m) => m.tool_calls)?.tool_calls?.[0];
        // Text that a server parses again must be JSON.
        expect(JSON.parse(call?.function.arguments ?? "")).toEqual({});
        expect(sent.find((m) => m.role === "tool")?.tool_call_id).toBe("c1");
        expect(JSON.stringify(sent)).toContain("You are a test.");
      });

      test("a reply cut by its length limit is marked", async () => {
        const reply = await complete(
          dialect,
          () => ({ content: "half of", finish_reason: "length" }),
          HELLO,
          {
            stream,
          },
        );
        expect(reply.finish_reason).toBe("length");
        expect(reply.content).toBe("half of");
      });
    });
  }
}

test("a parameter refused by the server is not sent again", async () => {
  server = startModelServer(() => ({ content: "ok" }), "openai_reasoning");
  const config = llmConfig(server.url, {}, ROLES.openai_reasoning);
  const { services } = servicesFor(config);
  const ledger = ledgerOf(services, "X");
  for (const role of ["agent_a", "agent_b"] as const) {
    const reply = await modelOf(services, role, "X", ledger).complete(
      { ...HELLO, role },
      { signal: new AbortController().signal },
    );
    expect(reply.content).toBe("ok");
  }
  expect(server.refused).toHaveLength(2);
  expect(server.requests[1]?.body.max_completion_tokens).toBe(500);
  expect(server.requests[1]?.body.reasoning_effort).toBe("high");
  expect(services.endpointStates()[server.url]?.quirks).toEqual(["max_completion_tokens", "no_temperature"]);
});

test("a refusal is separate from the answer", async () => {
  const reply = await complete("openai", () => ({ refusal: "I cannot do that." }), HELLO);
  expect(reply.refusal).toBe("I cannot do that.");
  expect(reply.content).toBe("");
});

test("cached input is priced, and without a price the cost is null", async () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 100, cached_tokens: 600 };
  server = startModelServer(() => ({ content: "x", usage }));
  const prices = { "test-*": { input: 2, cached_input: 0.5, output: 10 } };
  for (const [llm, expected] of [
    [{ prices }, (400 * 2 + 600 * 0.5 + 100 * 10) / 1e6],
    [{}, null],
  ] as const) {
    const { services } = servicesFor(llmConfig(server.url, { llm }));
    const ledger = ledgerOf(services, "X");
    const model = modelOf(services, "agent_a", "X", ledger);
    const reply = await model.complete(HELLO, { signal: new AbortController().signal });
    expect(reply.cost_usd).toBe(expected);
    expect(ledger.spent()).toEqual({
      calls: 1,
      input_tokens: 1000,
      cached_tokens: 600,
      output_tokens: 100,
      cost_usd: expected,
      known_cost_usd: expected ?? 0,
    });
    expect(services.budget.spent().cost_usd).toBe(expected);
  }
});
