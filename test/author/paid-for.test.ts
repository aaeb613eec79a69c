// Received replies are stored before they are used, never requested twice, never lost, and counted.
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { noGateResults } from "../../src/contract/gates.ts";
import { AtomsmithError } from "../../src/core/errors.ts";
import { memoryTurnLog, type TurnLog, turnLogOver } from "../../src/llm/index.ts";
import { TurnFile } from "../../src/store/turns.ts";
import {
  type Bench,
  type BenchOptions,
  benchPerTest,
  GOOD_A,
  GOOD_CONFIG,
  LOGIC,
  NO_MEMORY,
  PARSING,
  STA_LOG,
  submitLogic,
} from "../support/author.ts";
import { folders } from "../support/folder.ts";
import type { Script } from "../support/model-server.ts";
import {
  GOOD_ATOM_B,
  GOOD_ATOM_C,
  readThenSubmit,
  type StepScript,
  scriptedAuthor,
} from "../support/scripted-author.ts";

const startBench = benchPerTest();
const makeFolder = folders("turns");

const STEPS = readThenSubmit(["*.log"], { code: GOOD_A, input_files: ["sta.log"], log_summary: "x" });
const B: StepScript = [submitLogic()];
const GOOD: Script = scriptedAuthor({ agent_a: STEPS, agent_b: B });

function startAuthor(script: Script = GOOD, options: BenchOptions = {}): Bench {
  return startBench(script, { "sta.log": STA_LOG }, options);
}

async function errorOf(run: Promise<unknown>): Promise<AtomsmithError> {
  try {
    await run;
  } catch (error) {
    if (error instanceof AtomsmithError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

/** Number of requests that reached the server more than once. */
function repeatedRequests(of: Bench): number {
  const bodies = of.server.requests.map(({ body }) => JSON.stringify(body));
  return bodies.length - new Set(bodies).size;
}

describe("a resumed stage", () => {
  for (const calls of [1, 2]) {
    test(`after ${calls} of 3 replies only the rest is requested, with the same result`, async () => {
      const undisturbed = await startAuthor().author.agentA(PARSING, startAuthor().context);

      const stop = new AbortController();
      const one = startAuthor(
        (request, n) => {
          if (n === calls + 1) stop.abort(new AtomsmithError("interrupted", "stopped"));
          return GOOD(request, n);
        },
        { signal: stop.signal },
      );
      const before = one.context.tools.snapshot();
      expect((await errorOf(one.author.agentA(PARSING, one.context))).kind).toBe("interrupted");
      expect(one.turns.listTurns().filter(({ record }) => record === "reply")).toHaveLength(calls);

      const { author, context, events } = one.again({
        restore: before,
        signal: new AbortController().signal,
      });
      expect(author.usage().calls).toBe(calls);
      const resumed = await author.agentA(PARSING, context);
      expect({ ...resumed, log_summary: "" }).toEqual({ ...undisturbed, log_summary: "" });
      // The interrupted call had no answer; all others were requested once.
      expect(repeatedRequests(one)).toBe(1);
      expect(author.usage().calls).toBe(3);
      const replayed = events.filter((event) => event.type === "model_call_finished" && event.replayed);
      expect(replayed).toHaveLength(calls);
    });
  }

  test("replies are read from a file whose last line is torn", async () => {
    const path = join(makeFolder(), "agent_turns.jsonl");
    const first = await TurnFile.open(path);
    const one = startAuthor(GOOD, { turns: turnLogOver(first) });
    const snapshot = one.context.tools.snapshot();
    const before = await one.author.agentA(PARSING, one.context);
    first.close();
    await Bun.write(path, `${await readFile(path, "utf8")}{"format":1,"record":"rep`);

    const second = await TurnFile.open(path);
    const { author, context } = one.again({ turns: turnLogOver(second), restore: snapshot });
    expect(await author.agentA(PARSING, context)).toEqual(before);
    expect(one.server.requests).toHaveLength(3);
    second.close();
  });

  test("another iteration sends its requests again", async () => {
    const one = startAuthor();
    await one.author.agentA(PARSING, one.context);
    const { author, context } = one.again({ context: { iteration: 2 } });
    await author.agentA(PARSING, context);
    expect(one.server.requests).toHaveLength(6);
  });
});

test("a reply that could not be stored has no effect", async () => {
  const full: TurnLog = {
    ...memoryTurnLog(),
    appendTurn: async () => {
      throw new AtomsmithError("store", "no space left on the disk");
    },
  };
  const one = startAuthor(GOOD, { turns: full });
  expect((await errorOf(one.author.agentA(PARSING, one.context))).kind).toBe("store");
  expect(one.context.tools.snapshot().calls).toBe(0);
  expect(one.server.requests).toHaveLength(1);
});

test("a truncated reply is stored and counted, but not used as an answer", async () => {
  let asked = 0;
  const one = startAuthor((request, n) => {
    asked += 1;
    return asked === 1
      ? { content: "half of an answer that breaks", chunkChars: 4, endAfter: 4 }
      : GOOD(request, n);
  });
  const end = await one.author.agentA(PARSING, one.context);
  expect(end.kind).toBe("draft");
  const [partial, ...rest] = one.turns.listTurns();
  expect(partial).toMatchObject({ record: "partial", reply: { content: "half of an a" } });
  expect(rest.map(({ record }) => record)).toEqual(["reply", "reply", "reply"]);
  expect(one.author.usage().calls).toBe(4);
});

describe("budgets", () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 100 };
  const counted: Script = async (request, n) => ({ ...(await GOOD(request, n)), usage });

  test("the token limit of the run stops the next call with exit code 5 and keeps the stored replies", async () => {
    const one = startAuthor(counted, { config: { llm: { max_tokens_total: 2000 } } });
    const error = await errorOf(one.author.agentA(PARSING, one.context));
    expect(error.exitCode).toBe(5);
    expect(one.server.requests).toHaveLength(2);
    expect(one.turns.listTurns()).toHaveLength(2);
    expect(one.events.filter(({ type }) => type === "budget")).toHaveLength(1);
    // With a higher limit it continues there and requests only the rest.
    const { author, context } = one.again({
      config: { llm: { max_tokens_total: 5000 } },
      restore: { bytes_used: 0, calls: 0, discovered: [], observed: [] },
    });
    expect((await author.agentA(PARSING, context)).kind).toBe("draft");
    expect(one.server.requests).toHaveLength(3);
  });

  test("the cost limit of the item includes the cost of earlier processes", async () => {
    const llm = { prices: { "test-model": { input: 100, output: 1000 } }, max_cost_usd_per_item: 0.5 };
    const one = startAuthor(counted, { config: { llm } });
    expect((await one.author.agentA(PARSING, one.context)).kind).toBe("draft");
    expect(one.author.usage().cost_usd).toBeCloseTo(0.6);
    const { author, context } = one.again({ config: { llm } });
    expect((await errorOf(author.agentB(LOGIC, GOOD_A, NO_EXTRACTION, context))).kind).toBe("budget");
    expect(one.server.requests).toHaveLength(3);
  });
});

const NO_EXTRACTION = { records: 0, files: 0, fields: {}, value_shapes: [] };

describe("repeated answers", () => {
  const errors = [
    {
      gate: "gate4_evidence" as const,
      atom: "atom_a" as const,
      code: "not_grounded",
      message: "line 2 differs",
    },
  ];
  const input = {
    sources: { atom_a: GOOD_A, atom_b: GOOD_ATOM_B, atom_c: GOOD_ATOM_C, config: GOOD_CONFIG },
    errors,
    gates: noGateResults(),
    parts: ["atom_a" as const],
    history: [],
    log_summary: "",
    memory: NO_MEMORY,
  };
  const submit = (code: string) => ({
    tool_calls: [{ name: "submit_extract_context", arguments: { code } }],
  });

  test("the same code with different comments and blanks is detected, and different code is requested", async () => {
    const same = GOOD_A.replace("const records = [];", "const records = [];  // all of them\n");
    const better = GOOD_A.replace("(-?\\d", "([+-]?\\d");
    expect(better).not.toBe(GOOD_A);
    const one = startAuthor(scriptedAuthor({ reflect_a: [submit(same), submit(better)] }));
    expect(await one.author.reflectA(PARSING, input, one.context)).toMatchObject({
      kind: "draft",
      atom_a: better,
    });
    expect(JSON.stringify(one.server.requests[1]?.body.messages.at(-1))).toContain(
      "same code as the one that just failed",
    );
  });

  test("a model that only repeats its code is given up", async () => {
    const one = startAuthor(scriptedAuthor({ reflect_a: [submit(GOOD_A)] }));
    const end = await one.author.reflectA(PARSING, input, one.context);
    expect(end.kind).toBe("gave_up");
    expect(one.server.requests.length).toBeLessThan(5);
  });

  test("repeated logic is detected part by part", async () => {
    const repair = { ...input, parts: ["config" as const] };
    const one = startAuthor(
      scriptedAuthor({
        reflect_b: [
          { content: `\`\`\`yaml\n# changed\n${GOOD_CONFIG}\`\`\`` },
          { content: `\`\`\`yaml\n${GOOD_CONFIG.replace("'u8/d'", "'u7/d'")}\`\`\`` },
        ],
      }),
    );
    const end = await one.author.reflectB(
      LOGIC,
      repair,
      { ...NO_EXTRACTION, input_files: ["sta.log"] },
      one.context,
    );
    if (end.kind !== "draft") throw new Error(end.reasons.join());
    expect(end.config).toContain("u7/d");
    expect(end.config).toContain("sta.log");
    expect(end.atom_b).toBe(GOOD_ATOM_B);
    expect(one.server.requests).toHaveLength(2);
  });
});

describe("time", () => {
  test("a stage over its time limit stops and keeps its stored replies", async () => {
    const one = startAuthor(
      scriptedAuthor({
        agent_a: [
          (request) => ({ ...(STEPS[0] as object), delayMs: request.messages.length > 2 ? 0 : 1_000 }),
        ],
      }),
      { deadline: performance.now() + 500, role: { timeout: 10, max_retries: 0 } },
    );
    const error = await errorOf(one.author.agentA(PARSING, one.context));
    expect(error.kind).toBe("provider");
    expect(error.exitCode).toBe(4);
  });
});
