import { expect, test } from "bun:test";
import { batchExit, exitOf } from "../../src/batch/index.ts";
import { noGateResults } from "../../src/contract/gates.ts";
import { AtomsmithError, ERROR_KINDS, EXIT, type ExitCode } from "../../src/core/errors.ts";
import type { ItemResult } from "../../src/loops/item/index.ts";

/** In the documented order of priority. */
const ORDER: ExitCode[] = [130, 6, 1, 4, 5, 2, 3, 0];

test("the outcome with the higher priority decides the exit code", () => {
  for (const [i, first] of ORDER.entries()) {
    for (const second of ORDER.slice(i)) {
      expect(batchExit([first, second])).toBe(first);
      expect(batchExit([second, first, second])).toBe(first);
    }
  }
  expect(batchExit([])).toBe(EXIT.ok);
});

const result = (over: Partial<ItemResult>): ItemResult => ({
  item_id: "X",
  status: "accepted",
  iterations: 1,
  gates: noGateResults(),
  errors: [],
  output_dir: "",
  usage: { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 },
  duration_ms: 0,
  ...over,
});

test("the exit code of an item follows from its status or the kind of its error", () => {
  expect(exitOf(result({}))).toBe(0);
  expect(exitOf(result({ status: "human_required" }))).toBe(3);
  for (const kind of ERROR_KINDS) {
    const error = new AtomsmithError(kind, "m");
    expect(exitOf(result({ status: "error", error: error.toJSON() }))).toBe(error.exitCode);
  }
});
