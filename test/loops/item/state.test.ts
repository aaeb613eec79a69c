// State of checkpoints that older programs wrote: what came later has its default.
import { expect, test } from "bun:test";
import { initialState, readState } from "../../../src/loops/item/state.ts";

test("a checkpoint without blocks, answers and the newest gate is read", () => {
  const state = initialState({
    itemId: "X",
    specPath: "/X_ItemSpec.md",
    specSha256: "0",
    searchRoot: "/",
    seed: 1,
    hints: ["a"],
    answers: [],
    madeWith: "m",
    now: "2026-01-01T00:00:00Z",
  });
  const { spec_blocks: _, answers: __, gate_results, ...older } = state;
  const { gate4_examples: ___, ...gates } = gate_results;
  expect(readState({ ...older, gate_results: gates }, "X")).toEqual(state);
});
