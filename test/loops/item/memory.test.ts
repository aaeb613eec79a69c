// What an item remembers over its rounds: decisions in the author's own words, functions, gates, and a dropped
// attempt. Asserted on the requests that arrive at the model's server.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openItemStore } from "../../../src/loops/item/item-store.ts";
import { readState } from "../../../src/loops/item/state.ts";
import type { Script, WireRequestIn } from "../../support/model-server.ts";
import { type RunningProject, removeRunningProjects, startProject } from "./project.ts";
import {
  ALL_STAGES,
  AT_ONCE,
  atomsmith,
  GOOD_A,
  type Plan,
  pageOf,
  scriptedModel,
  WRONG_A,
} from "./scripted.ts";

setDefaultTimeout(120_000);
let project: RunningProject;
afterAll(removeRunningProjects);

/** The scripted model, with decisions in its submissions. */
function withDecisions(plan: Plan): Script {
  const model = scriptedModel(plan);
  return (request, n) => {
    const reply = model(request, n);
    if (typeof reply === "function" || !("tool_calls" in reply)) return reply;
    const calls = (reply.tool_calls ?? []).map((call) => {
      const who = call.name === "submit_logic" ? "LOGIC" : "PARSING";
      if (!call.name.startsWith("submit")) return call;
      const decisions = [`MARK-${who} take the first column: the page calls it the name`];
      return { ...call, arguments: { ...(call.arguments as object), decisions } };
    });
    return { ...reply, tool_calls: calls };
  };
}

function textOf(request: WireRequestIn | undefined): string {
  return request?.messages.map(({ content }) => content ?? "").join("\n") ?? "";
}

/** The first request of each repair. */
function repairRequests(kind: "parsing" | "logic"): string[] {
  const tool = kind === "parsing" ? "submit_extract_context" : "submit_logic";
  return project.requests
    .map(({ body }) => body)
    .filter(
      ({ tools, messages }) => tools?.some((one) => one.function.name === tool) && messages.length === 2,
    )
    .map(textOf)
    .filter((text) => text.includes("## What the gates found"));
}

async function generate(script: Script): Promise<{ cache: string; id: string }> {
  project = startProject(script);
  const cache = `${project.root}/cache`;
  const flags = [...project.flagsFor("generate"), "--cache", cache];
  await atomsmith(["generate", project.spec, ...flags], project.root);
  return { cache, id: "CLK-1" };
}

async function stateOf({ cache, id }: { cache: string; id: string }): Promise<ReturnType<typeof readState>> {
  const store = await openItemStore(cache, id, { maxCheckpointsPerHour: 10, keepHours: 24 });
  try {
    return readState((await store.loadCheckpoint())?.state, id);
  } finally {
    await store.close();
  }
}

test("a repair request contains the author's own decisions with reasons, its functions and the gates", async () => {
  const run = await generate(withDecisions(ALL_STAGES));
  const [parsing = ""] = repairRequests("parsing");
  const [logic = ""] = repairRequests("logic");
  for (const [text, own, other] of [
    [parsing, "MARK-PARSING", "MARK-LOGIC"],
    [logic, "MARK-LOGIC", "MARK-PARSING"],
  ] as const) {
    expect(text).toContain(`- attempt 1: ${own} take the first column Reason: the page calls it the name`);
    expect(text).not.toContain(other);
    expect(text).toMatch(/## Gate results\n- failed: gate\w+/);
  }
  expect(parsing).toContain("Functions: `extract_context(text, source_file)`");
  expect(logic).toContain("`validate_logic(text, pattern, parsed_fields = null");
  const state = await stateOf(run);
  expect(state.item_spec_content).toBe(pageOf("CLK-1"));
  const preprocessed = JSON.parse(
    readFileSync(join(run.cache, "item/CLK-1/stage_outputs/preprocess.json"), "utf8"),
  );
  expect(preprocessed).toMatchObject({ unknown_variables: [], tool_quota: { maxLinesPerCall: 200 } });
  expect(state.key_decisions[0]).toEqual({
    round: "1",
    stage: "agent_a",
    decision: "MARK-PARSING take the first column",
    reason: "the page calls it the name",
  });
  expect(state.generated_code_signatures["extract_context"]).toBe("extract_context(text, source_file)");
});

test("a repair of the best attempt names the later attempt that was dropped", async () => {
  // The repair does not even parse, so the first attempt stays the best.
  const plan: Plan = {
    ...AT_ONCE,
    a: [WRONG_A, GOOD_A.replace("line_number: i + 1", "line_number: null.x")],
  };
  const run = await generate(scriptedModel(plan));
  const [, second = ""] = repairRequests("parsing");
  expect(second).toContain("The code above is that of attempt 1: attempt 2 passed less and was dropped.");
  expect((await stateOf(run)).iteration_context).toMatchObject({ based_on: 1 });
  const set = join(run.cache, "../output/CLK-1");
  const report = readFileSync(join(set, "human_intervention_report.md"), "utf8");
  expect(report).toContain("## Errors of attempt 1, the best, which is kept");
  expect(report).toMatch(/## Errors of attempt [23], the last\n/);
  const json = JSON.parse(readFileSync(join(set, "human_intervention_report.json"), "utf8"));
  expect(json.best_attempt).toMatchObject({ iteration: 1, error_source: "atom_a" });
  expect(json.last_attempt.iteration).toBeGreaterThan(1);
  expect(json.last_validation_errors).toEqual(json.last_attempt.validation_errors);
  expect(json.last_validation_errors).not.toEqual(json.best_attempt.validation_errors);
});

test("the logic is kept when a repair of Atom A only makes its records valid", async () => {
  const invalid = GOOD_A.replace("value: match[1]", "value: 7");
  await generate(scriptedModel({ ...AT_ONCE, a: [invalid, GOOD_A] }));
  const asked = (tool: string) =>
    project.requests.filter(({ body }) => body.tools?.some((one) => one.function.name === tool)).length;
  expect(repairRequests("parsing")).toHaveLength(1);
  expect(asked("submit_logic")).toBe(1);
});

test("the logic is written again when the type of a field changes", async () => {
  const typed = GOOD_A.replace("value: match[1]", "value: 7").replace(
    "period: match[2]",
    "period: Number(match[2])",
  );
  await generate(scriptedModel({ ...AT_ONCE, a: [typed, GOOD_A] }));
  const logic = project.requests.filter(({ body }) =>
    body.tools?.some((one) => one.function.name === "submit_logic"),
  );
  expect(logic).toHaveLength(2);
});
