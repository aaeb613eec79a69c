// State in checkpoints of older programs: members added later get their defaults.
import { expect, test } from "bun:test";
import { initialState, readState } from "../../../src/loops/item/state.ts";

const INPUT = {
  itemId: "X",
  specPath: "/X_ItemSpec.md",
  specSha256: "0",
  searchRoot: "/",
  seed: 1,
  hints: ["a"],
  answers: [],
  settingsHash: "m",
  now: "2026-01-01T00:00:00Z",
};

test("missing members of an older checkpoint get their defaults", () => {
  const state = initialState(INPUT);
  const {
    spec_blocks: _,
    answers: __,
    item_spec_content: _c,
    iteration_context: _i,
    gate_results,
    ...older
  } = state;
  const { gate4_examples: ___, ...gates } = gate_results;
  expect(readState({ ...older, gate_results: gates }, "X")).toEqual(state);
});

test("an older error source for all of the logic becomes the part named by the errors; decisions get a stage", () => {
  const error = (atom: string) => ({ gate: "gate1_schema", atom, code: "x", message: "m" });
  const entry = {
    iteration: 1,
    part: "logic",
    sources: { atom_a: "", atom_b: "", atom_c: "", config: "" },
    gates: {},
    errors: [error("atom_c")],
    source: "logic",
    timestamp: "",
  };
  const state = readState(
    {
      ...initialState(INPUT),
      error_source: "logic",
      validation_errors: [error("config")],
      error_history: [entry],
      key_decisions: [{ round: "1", decision: "agent_a", reason: "took the first column" }],
    },
    "X",
  );
  expect(state.error_source).toBe("yaml");
  expect(state.error_history[0]?.source).toBe("atom_c");
  expect(state.key_decisions).toEqual([
    { round: "1", stage: "agent_a", decision: "took the first column", reason: "" },
  ]);
});
