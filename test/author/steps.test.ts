// Steps of the model author beside the plain conversation: candidates, a draft of the offline author, mixed roles,
// forms of Agent B's answers, settings for the manifest.
import { describe, expect, test } from "bun:test";
import { createAuthor } from "../../src/author/index.ts";
import { configSchema } from "../../src/config/schema.ts";
import { type GateReport, noGateResults } from "../../src/contract/gates.ts";
import { memoryTurnLog } from "../../src/llm/index.ts";
import { readExactParts } from "../../src/spec/index.ts";
import type { ParsingSlice } from "../../src/spec/types.ts";
import {
  type Bench,
  benchPerTest,
  EXTRACTION,
  GOOD_A,
  GOOD_CONFIG,
  GOOD_LOGIC,
  LOGIC,
  NO_MEMORY,
  PARSING,
  submitLogic,
} from "../support/author.ts";
import type { WireRequestIn } from "../support/model-server.ts";
import {
  GOOD_ATOM_B,
  GOOD_ATOM_C,
  readThenSubmit,
  type Step,
  scriptedAuthor,
  stepOf,
} from "../support/scripted-author.ts";

const startBench = benchPerTest();
let bench: Bench;

function report(errors: number, covered: number): GateReport {
  return {
    valid: errors === 0,
    gates: { ...noGateResults(), gate4_evidence: errors === 0 },
    errors: Array.from({ length: errors }, () => ({
      gate: "gate4_evidence",
      atom: "atom_a",
      code: "not_grounded",
      message: "no",
    })),
    warnings: [],
    suspicions: [],
    facts: { line_local: null, records_by_file: { a: covered }, pattern_matches: {}, seed: 1 },
    duration_ms: 0,
  };
}

describe("candidates", () => {
  const variant = (n: number): string => GOOD_A.replaceAll("records", `rows_${n}`);
  const steps = readThenSubmit(["*.log"], { code: variant(1), input_files: ["sta.log"], log_summary: "" });
  const script = (request: WireRequestIn, n: number) => {
    const last = request.messages.at(-1)?.content ?? "";
    const firstPrompt = /variant (\d) of 3/.exec(last)?.[1];
    if (firstPrompt === undefined) return scriptedAuthor({ agent_a: steps })(request, n);
    return {
      tool_calls: [{ name: "submit_extract_context", arguments: { code: variant(Number(firstPrompt)) } }],
    };
  };

  test("N candidates are requested and judged, and the best is kept", async () => {
    const judged: string[] = [];
    bench = startBench(script, undefined, {
      config: { execution: { candidates: 3 } },
      context: {
        judgeAtomA: async (code) => {
          judged.push(code);
          return code.includes("rows_2") ? report(0, 1) : report(1, 1);
        },
      },
    });
    const draft = await bench.author.agentA(PARSING, bench.context);
    expect(draft).toMatchObject({ kind: "draft", atom_a: variant(2), input_files: ["sta.log"] });
    expect(judged.sort()).toEqual([variant(1), variant(2), variant(3)]);
    // Three turns of the first candidate, one more for each of the others; logs are read once.
    expect(bench.server.requests).toHaveLength(5);
    const stages = bench.turns.listTurns().map(({ stage }) => stage);
    expect(stages.toSorted()).toEqual(["agent_a", "agent_a", "agent_a", "agent_a#2", "agent_a#3"]);
  });

  test("the first candidate wins a tie, and a failed candidate does not affect the others", async () => {
    bench = startBench(
      (request, n) => {
        const asks = (request.messages ?? []).some(({ content }) => content?.includes("variant 3 of 3"));
        return asks ? { refusal: "no" } : script(request, n);
      },
      undefined,
      { config: { execution: { candidates: 3 } }, context: { judgeAtomA: async () => report(0, 1) } },
    );
    expect(await bench.author.agentA(PARSING, bench.context)).toMatchObject({ atom_a: variant(1) });
  });

  test("resume does not request stored candidates again", async () => {
    bench = startBench(script, undefined, {
      config: { execution: { candidates: 3 } },
      context: { judgeAtomA: async () => report(0, 1) },
    });
    const before = bench.context.tools.snapshot();
    const first = await bench.author.agentA(PARSING, bench.context);
    const { author, context } = bench.again({ restore: before });
    expect(await author.agentA(PARSING, context)).toEqual(first);
    expect(bench.server.requests).toHaveLength(5);
  });
});

describe("Agent B", () => {
  const run = async (replies: Parameters<typeof scriptedAuthor>[0]["agent_b"]) => {
    bench = startBench(scriptedAuthor({ agent_b: replies ?? [] }));
    const end = await bench.author.agentB(LOGIC, GOOD_A, EXTRACTION, bench.context);
    if (end.kind !== "draft") throw new Error(end.reasons.join("; "));
    return end;
  };

  test("all parts in one submission are accepted", async () => {
    const end = await run([submitLogic({ ...GOOD_LOGIC, notes: "type 2" })]);
    expect(end).toMatchObject({ atom_b: GOOD_ATOM_B, atom_c: GOOD_ATOM_C, reasoning: "type 2" });
    expect(end.config).toContain("sta.log");
    expect(end.config).toContain("pattern_items: [ 'u9/d', 'u8/d' ]");
  });

  test("all parts in three fences are accepted", async () => {
    const end = await run([
      {
        content: `B:\n\`\`\`js\n${GOOD_ATOM_B}\`\`\`\nC:\n\`\`\`js\n${GOOD_ATOM_C}\`\`\`\n\`\`\`yaml\n${GOOD_CONFIG}\`\`\``,
      },
    ]);
    expect(end).toMatchObject({ atom_b: GOOD_ATOM_B, atom_c: GOOD_ATOM_C });
  });

  test("parts from several replies are combined, and missing parts are requested by name", async () => {
    const end = await run([
      submitLogic({ atom_b: GOOD_ATOM_B }),
      { content: `\`\`\`js\n${GOOD_ATOM_C}\`\`\`` },
      submitLogic({ config: GOOD_CONFIG }),
    ]);
    expect(end).toMatchObject({ atom_b: GOOD_ATOM_B, atom_c: GOOD_ATOM_C });
    const requests = bench.server.requests ?? [];
    expect(requests[1]?.body.messages.at(-1)?.content).toContain("atom_c, config");
    expect(requests[2]?.body.messages.at(-1)?.content).toContain("still missing: config.");
  });

  test("code that does not parse is returned with the parser's message", async () => {
    await run([
      submitLogic({ ...GOOD_LOGIC, atom_c: "function check_existence(items) { return {" }),
      submitLogic(GOOD_LOGIC),
    ]);
    expect(bench.server.requests[1]?.body.messages.at(-1)?.content).toContain("Unexpected token");
  });

  test("a config given as an object is accepted", async () => {
    const end = await run([
      submitLogic({ ...GOOD_LOGIC, config: { requirements: { value: 1, pattern_items: ["x|y"] } } }),
    ]);
    expect(end.config).toContain("x|y");
    expect(end.config).toContain("sta.log");
  });
});

for (const dialect of ["no_tools", "llama_cpp", "ollama", "vllm", "gateway"] as const) {
  test(`Agent A reads logs and submits its work to a server of the kind ${dialect}`, async () => {
    const steps = readThenSubmit(["*.log"], { code: GOOD_A, input_files: ["sta.log"], log_summary: "seen" });
    bench = startBench(scriptedAuthor({ agent_a: steps }), undefined, { dialect });
    expect(await bench.author.agentA(PARSING, bench.context)).toMatchObject({
      kind: "draft",
      atom_a: GOOD_A,
    });
    expect(bench.context.tools.snapshot().observed.length).toBeGreaterThan(0);
    expect(bench.server.requests).toHaveLength(3);
  });
}

describe("llm.draft: offline", () => {
  const script = () =>
    scriptedAuthor({
      agent_a: readThenSubmit(["*.log"], { code: GOOD_A, input_files: ["sta.log"], log_summary: "" }),
    });
  const slice = (text: string): ParsingSlice => ({
    ...PARSING,
    section_1: text,
    section_4_1: "The file `sta.log`.",
    examples: readExactParts(text).examples,
  });
  const example = (line: string, fields: string): string => `\`\`\`example\n${line}\n---\n${fields}\n\`\`\``;
  const firstPrompt = async (text: string): Promise<string> => {
    bench = startBench(script(), undefined, { config: { llm: { draft: "offline" } } });
    expect(await bench.author.agentA(slice(text), bench.context)).toMatchObject({ atom_a: GOOD_A });
    return bench.server.requests[0]?.body.messages.at(-1)?.content ?? "";
  };

  test("the model receives the program derived from the examples of the page", async () => {
    const first = example(
      "Startpoint: u1/q   Endpoint: u9/d   slack -0.012 (VIOLATED)",
      "value: u9/d\nslack: -0.012\nstate: VIOLATED",
    );
    const second = example(
      "Startpoint: u2/q   Endpoint: u8/d   slack 0.310 (MET)",
      "value: u8/d\nslack: 0.310\nstate: MET",
    );
    const shown = await firstPrompt(`${first}\n\n${second}`);
    expect(shown).toContain("## A draft made from the worked examples");
    expect(shown).toContain("function extract_context(text, source_file)");
    expect(shown).toContain("2 records: 2 as in the examples.");
    expect(shown).toContain("sta.log (5 lines)");
  });

  test("no draft is sent for a page without examples, or when the examples leave a question", async () => {
    expect(await firstPrompt("Paths of the report.")).not.toContain("## A draft");
    await bench.stop();
    const none = example("Startpoint: u1/q   Endpoint: u9/d   slack -0.012 (VIOLATED)", "none");
    expect(await firstPrompt(none)).not.toContain("## A draft");
  });
});

test("with roles of different providers each step uses its own, and only model calls are charged", async () => {
  bench = startBench(
    scriptedAuthor({
      agent_b: [submitLogic()],
    }),
    undefined,
    { config: { llm: { agent_a: { provider: "offline" } } } },
  );
  const a = await bench.author.agentA(PARSING, bench.context);
  expect(bench.server.requests).toHaveLength(0);
  expect(["draft", "gave_up"]).toContain(a.kind);
  await bench.author.agentB(LOGIC, GOOD_A, EXTRACTION, bench.context);
  const steps: Step[] = bench.server.requests.map(({ body }) => stepOf(body));
  expect(steps).toEqual(["agent_b"]);
  expect(bench.author.usage().calls).toBe(1);
});

test("the offline author is used when no provider is configured", () => {
  const author = createAuthor(configSchema.parse({}), { turns: memoryTurnLog(), searchRoot: "/" });
  expect(author.name).toBe("offline");
});

test("the settings contain no secret and differ between models", () => {
  bench = startBench(scriptedAuthor({}));
  const settings = bench.author.settings;
  expect(settings["agent_a.model"]).toBe("test-model");
  expect(JSON.stringify(settings)).not.toContain("sk-test");
  const config = configSchema.parse({
    llm: { agent_a: { provider: "openai", model: "m", base_url: "http://h:1/v1?key=secret" } },
  });
  const other = bench.again({ config: { llm: config.llm } }).author.settings;
  expect(JSON.stringify(other)).not.toContain("secret");
  expect(other["agent_a.model"]).toBe("m");
});

test("empty and nonsensical submissions are answered instead of throwing", async () => {
  for (const args of [{}, { code: 5, input_files: 7 }, { code: null, log_summary: [1] }]) {
    bench = startBench(
      scriptedAuthor({
        agent_a: [
          { tool_calls: [{ name: "submit_extract_context", arguments: args }] },
          { tool_calls: [{ name: "ask_person", arguments: args }] },
        ],
      }),
    );
    const end = await bench.author.agentA(PARSING, bench.context);
    expect(end.kind).toBe("gave_up");
    expect(bench.server.requests[1]?.body.messages.at(-1)?.content).toContain("found no code");
    await bench.stop();
  }
});

test("a repair that names no files keeps those of the first submission", async () => {
  bench = startBench(
    scriptedAuthor({ reflect_a: [{ content: `\`\`\`js\nconst LIMIT = 1;\n${GOOD_A}\`\`\`` }] }),
  );
  await bench.context.tools.call("list_available_files", { patterns: ["*.log"] });
  await bench.context.tools.call("read_file_header", { file_path: "sta.log" });
  const end = await bench.author.reflectA(
    PARSING,
    {
      sources: { atom_a: GOOD_A, atom_b: "", atom_c: "", config: "" },
      errors: [],
      gates: noGateResults(),
      parts: ["atom_a"],
      history: [],
      log_summary: "",
      memory: NO_MEMORY,
    },
    bench.context,
  );
  expect(end.kind).toBe("draft");
  expect("input_files" in end).toBe(false);
});
