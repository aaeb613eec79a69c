// Turns of Agent A that go wrong, and how each ends.
import { describe, expect, test } from "bun:test";
import { GOOD_A } from "../support/author.ts";
import type { ScriptedReply, WireRequestIn } from "../support/model-server.ts";
import { agentARuns, draft, FENCED, gaveUp, LIST, READ, SUBMIT } from "./agent-a.ts";

const { agentA, bench, lastMessages } = agentARuns();

describe("turns that go wrong", () => {
  test("code before any log was read is sent back once", async () => {
    const end = draft(await agentA([SUBMIT, LIST, READ, SUBMIT]));
    expect(end.atom_a).toBe(GOOD_A);
    expect(bench().server.requests).toHaveLength(4);
    expect(bench().server.requests[1]?.body.messages.at(-1)?.content).toContain(
      "before you had seen any log",
    );
  });

  test("and only once: who insists is left to the gates", async () => {
    expect(draft(await agentA([FENCED, FENCED])).atom_a).toBe(GOOD_A);
    expect(bench().server.requests).toHaveLength(2);
  });

  test("code beside calls that read: the results come first", async () => {
    const both = (request: WireRequestIn): ScriptedReply => ({
      tool_calls: [...(READ(request).tool_calls ?? []), ...(SUBMIT.tool_calls ?? [])].map((call, i) => ({
        ...call,
        id: `c${i}`,
      })),
    });
    expect(draft(await agentA([LIST, both, SUBMIT])).atom_a).toBe(GOOD_A);
    expect(lastMessages().at(-1)?.content).toContain("written without their results");
  });

  test("arguments that are no JSON, a tool that does not exist, a tool without arguments", async () => {
    const end = draft(
      await agentA([
        {
          tool_calls: [
            { name: "list_available_files", arguments: '{"patterns": ["*.log"' },
            { name: "run_shell", arguments: { command: "ls" } },
            { name: "list_available_files", arguments: { patterns: ["*.log"] } },
          ],
        },
        READ,
        SUBMIT,
      ]),
    );
    expect(end.atom_a).toBe(GOOD_A);
    const answers = lastMessages().filter(({ role }) => role === "tool");
    expect(answers[0]?.content).toContain("not valid JSON");
    expect(answers[1]?.content).toContain("There is no tool `run_shell`");
    expect(answers[1]?.content).toContain("read_file_header");
    expect(answers[2]?.content).toContain("sta.log");
  });

  for (const [name, bad, said] of [
    ["an empty reply", { content: "" }, "empty"],
    ["prose without code", { content: "The log looks fine to me." }, "found no code"],
    [
      "code that does not parse",
      { content: "```js\nfunction extract_context(text {\n```" },
      "does not parse",
    ],
    [
      "another function",
      { content: "```js\nfunction extract(text) { return []; }\n```" },
      "function extract_context",
    ],
    ["a reply cut by its length limit", { content: GOOD_A.slice(0, 80), finish_reason: "length" }, "cut off"],
    ["a refusal", { refusal: "I cannot help with that." }, "You declined"],
    ["a filtered reply", { content: "", finish_reason: "content_filter" }, "content filter"],
  ] as const) {
    test(`${name} is answered, and the next good one is taken`, async () => {
      expect(draft(await agentA([LIST, READ, bad, SUBMIT])).atom_a).toBe(GOOD_A);
      expect(lastMessages().at(-1)?.content).toContain(said);
    });

    test(`${name} without end is given up, with the reason, and soon`, async () => {
      const end = gaveUp(await agentA([LIST, READ, bad]));
      expect(end.reasons.join(" ")).toMatch(/could not be used|cannot help/);
      expect(bench().server.requests.length).toBeLessThan(8);
      expect(end.log_summary).toContain("sta.log");
    });
  }

  test("a whole tool call cut by length is not acted on", async () => {
    const cut = { tool_calls: SUBMIT.tool_calls, finish_reason: "length" } as ScriptedReply;
    expect(draft(await agentA([LIST, READ, cut, SUBMIT])).atom_a).toBe(GOOD_A);
    expect(bench().server.requests).toHaveLength(4);
  });

  test("the same call again and again", async () => {
    const end = gaveUp(await agentA([LIST]));
    expect(end.reasons[0]).toContain("same tool call");
    expect(bench().server.requests.length).toBeLessThan(10);
    expect(JSON.stringify(lastMessages())).toContain("exactly this call 2 times");
  });

  test("a model that writes code and reads on for ever: the code is kept", async () => {
    let n = 0;
    const readsOn = (): ScriptedReply => {
      n += 1;
      const calls = [{ name: "list_available_files", arguments: { patterns: [`${n}*.log`] } }];
      return n === 3 ? { ...FENCED, tool_calls: calls } : { tool_calls: calls };
    };
    const end = gaveUp(await agentA([readsOn]));
    expect(end.candidates.map(({ code }) => code)).toEqual([GOOD_A]);
  });

  test("a model that reads for ever and never writes", async () => {
    let n = 0;
    const other = (): ScriptedReply => {
      n += 1;
      return { tool_calls: [{ name: "list_available_files", arguments: { patterns: [`${n}*.log`] } }] };
    };
    const end = gaveUp(await agentA([other]));
    expect(end.reasons[0]).toContain("30 turns");
    expect(JSON.stringify(lastMessages())).toContain("No more tool calls are answered");
  });

  test("a reply of 5 MB is refused as too long, is stored whole, and is not sent back whole", async () => {
    const rows = Array.from({ length: 220_000 }, (_, i) => `// case ${i}: ${(i * 7919) % 104729} lines`);
    const big = `\`\`\`js\n${GOOD_A}${rows.join("\n")}\n\`\`\``;
    expect(draft(await agentA([LIST, READ, { content: big, chunkChars: 100_000 }, SUBMIT])).atom_a).toBe(
      GOOD_A,
    );
    expect(JSON.stringify(lastMessages()).length).toBeLessThan(150_000);
    const stored = bench()
      .turns.listTurns()
      .find(({ reply }) => reply.content.length > 1_000_000);
    expect(stored?.reply.content.length).toBe(big.length);
  });

  test("asking a person ends it with the questions", async () => {
    const end = gaveUp(
      await agentA([
        LIST,
        {
          tool_calls: [
            { name: "ask_person", arguments: { reasons: "No such log.", questions: ["Where is sta.log?"] } },
          ],
        },
      ]),
    );
    expect(end.reasons).toEqual(["No such log."]);
    expect(end.questions).toEqual(["Where is sta.log?"]);
  });

  test("the last source sent is kept when it is given up", async () => {
    const bad = { content: "```js\nfunction extract_context(text {\n```" };
    const end = gaveUp(await agentA([LIST, READ, bad]));
    expect(end.candidates[0]?.code).toContain("function extract_context(text {");
  });
});
