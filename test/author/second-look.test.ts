// The logic author submits the config and its declarations; the program adds Atoms B and C. Suspicions from words of
// the page are asked about once. Doubts about the extraction are sent without requirements and waivers.
import { expect, test } from "bun:test";
import { ATOM_B, ATOM_C } from "../../src/author/standard-atoms.ts";
import type { GateFinding } from "../../src/contract/gates.ts";
import { dropPolicyDoubts } from "../../src/loops/item/doubts.ts";
import { benchPerTest, GOOD_A, GOOD_CONFIG, LOGIC, submitLogic } from "../support/author.ts";

const startBench = benchPerTest();

const STANDARD = { config: { llm: { universal_atoms: "standard" } } };
const EXTRACTION = { records: 2, files: 1, fields: {}, value_shapes: ["2 x a9/a"], input_files: ["sta.log"] };
const SUSPICION: GateFinding = {
  gate: "consistency",
  atom: "config",
  code: "type_differs",
  message: "MARK-SUSPICION",
};
const submit = (args: object) => () => submitLogic(args);

test("only the config is requested; Atoms B and C are the standard ones; declarations are returned", async () => {
  const declarations = { expect: { value: "present", quote: "must be reported" }, extra: "silent", scope: 3 };
  const bench = startBench(submit({ config: GOOD_CONFIG, declarations }), undefined, STANDARD);
  const draft = await bench.author.agentB(LOGIC, GOOD_A, EXTRACTION, bench.context);
  if (draft.kind !== "draft") throw new Error("no draft");
  expect([draft.atom_b, draft.atom_c]).toEqual([ATOM_B, ATOM_C]);
  expect(draft.declarations).toEqual({
    expect: { value: "present", quote: "must be reported" },
    extra: { value: "fail", quote: "silent" },
  });
  const sent = JSON.stringify(bench.server.requests);
  expect(sent).not.toContain("validate_logic");
  expect(sent).not.toContain("Endpoint:");
});

async function takeSecondLook(args: Record<string, unknown>) {
  const bench = startBench(submit(args), undefined, STANDARD);
  const sources = { atom_a: GOOD_A, atom_b: ATOM_B, atom_c: ATOM_C, config: GOOD_CONFIG };
  const input = { sources, suspicions: [SUSPICION], declarations: {} };
  const reply = await bench.author.secondLook?.(LOGIC, input, EXTRACTION, bench.context);
  expect(bench.server.requests.length).toBe(1);
  expect(JSON.stringify(bench.server.requests)).toContain("MARK-SUSPICION");
  return reply;
}

test("a second look takes one request, and keeps or corrects the config, or keeps it when the reply is unusable", async () => {
  expect(await takeSecondLook({ config: GOOD_CONFIG, notes: "the words mean something else" })).toEqual({
    reason: "the words mean something else",
  });
  const other = GOOD_CONFIG.replace("u8/d", "u7/d");
  const corrected = await takeSecondLook({ config: other, notes: "it was the other pin" });
  expect(corrected?.config).toContain("u7/d");
  expect((await takeSecondLook({}))?.config).toBeUndefined();
});

test("a doubt that contains text of requirements or waivers, or no quote of the page, is dropped and counted", () => {
  const doubts = [
    { statement: "Paths that are met are records too.", quote: "Paths may be MET." },
    { statement: "The record of u9/d is missing.", quote: "Paths may be MET." },
    { statement: "Paths are missing.", quote: "Paths must be MET." },
  ];
  const { kept, dropped } = dropPolicyDoubts(doubts, LOGIC, GOOD_CONFIG);
  expect(kept).toEqual(doubts.slice(0, 1));
  expect(dropped).toBe(2);
  expect(dropPolicyDoubts(doubts, LOGIC, "not: [a config").kept).toEqual([]);
});
