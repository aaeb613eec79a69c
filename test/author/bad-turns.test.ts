// Turns of Agent A that go wrong, and how each ends.
import { describe, expect, test } from "bun:test";
import { GOOD_A } from "../support/author.ts";
import type { ScriptedReply, WireRequestIn } from "../support/model-server.ts";
import { agentARuns, draft, FENCED, gaveUp, LIST, READ, SUBMIT } from "./agent-a.ts";

const { agentA, bench, lastMessages } = agentARuns();

describe("turns that go wrong", () => {
  test("code submitted before any log was read is returned once", async () => {
    const end = draft(await agentA([SUBMIT, LIST, READ, SUBMIT]));
    expect(end.atom_a).toBe(GOOD_A);
    expect(bench().server.requests).toHaveLength(4);
    expect(bench().server.requests[1]?.body.messages.at(-1)?.content).toContain(
      "before you had seen any log",
    );
  });

  test("code submitted again without reading is accepted and left to the gates", async () => {
    expect(draft(await agentA([FENCED, FENCED])).atom_a).toBe(GOOD_A);
    expect(bench().server.requests).toHaveLength(2);
  });

  test("code submitted together with reading calls is returned with their results", async () => {
    const both = (request: WireRequestIn): ScriptedReply => ({
      tool_calls: [...(READ(request).tool_calls ?? []), ...(SUBMIT.tool_calls ?? [])].map((call, i) => ({
        ...call,
        id: `c${i}`,
      })),
    });
    expect(draft(await agentA([LIST, both, SUBMIT])).atom_a).toBe(GOOD_A);
    expect(lastMessages().at(-1)?.content).toContain("written without their results");
  });

  test("invalid JSON arguments and unknown tools get an error as the tool result", async () => {
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
    test(`${name} gets an explanation, and the next valid submission is accepted`, async () => {
      expect(draft(await agentA([LIST, READ, bad, SUBMIT])).atom_a).toBe(GOOD_A);
      expect(lastMessages().at(-1)?.content).toContain(said);
    });

    test(`${name} ends with a reason after few requests when it is repeated`, async () => {
      const end = gaveUp(await agentA([LIST, READ, bad]));
      expect(end.reasons.join(" ")).toMatch(/could not be used|cannot help/);
      expect(bench().server.requests.length).toBeLessThan(8);
      expect(end.log_summary).toContain("sta.log");
    });
  }

  test("a tool call cut off by the length limit is not executed", async () => {
    const cut = { tool_calls: SUBMIT.tool_calls, finish_reason: "length" } as ScriptedReply;
    expect(draft(await agentA([LIST, READ, cut, SUBMIT])).atom_a).toBe(GOOD_A);
    expect(bench().server.requests).toHaveLength(4);
  });

  test("a repeated tool call is answered with a warning, then ends the task", async () => {
    const end = gaveUp(await agentA([LIST]));
    expect(end.reasons[0]).toContain("same tool call");
    expect(bench().server.requests.length).toBeLessThan(10);
    expect(JSON.stringify(lastMessages())).toContain("exactly this call 2 times");
  });

  test("code written before endless reading is kept as a candidate", async () => {
    let n = 0;
    const readsOn = (): ScriptedReply => {
      n += 1;
      const calls = [{ name: "list_available_files", arguments: { patterns: [`${n}*.log`] } }];
      return n === 3 ? { ...FENCED, tool_calls: calls } : { tool_calls: calls };
    };
    const end = gaveUp(await agentA([readsOn]));
    expect(end.candidates.map(({ code }) => code)).toEqual([GOOD_A]);
  });

  test("endless reading without code ends at the turn limit", async () => {
    let n = 0;
    const other = (): ScriptedReply => {
      n += 1;
      return { tool_calls: [{ name: "list_available_files", arguments: { patterns: [`${n}*.log`] } }] };
    };
    const end = gaveUp(await agentA([other]));
    expect(end.reasons[0]).toContain("30 turns");
    expect(JSON.stringify(lastMessages())).toContain("No more tool calls are answered");
  });

  test("a reply of 5 MB is refused as too long, stored whole and truncated in later requests", async () => {
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

  test("ask_person ends the task with its reasons and questions", async () => {
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

  test("the last submitted source is kept as a candidate when the author gives up", async () => {
    const bad = { content: "```js\nfunction extract_context(text {\n```" };
    const end = gaveUp(await agentA([LIST, READ, bad]));
    expect(end.candidates[0]?.code).toContain("function extract_context(text {");
  });
});
