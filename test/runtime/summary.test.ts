// What the logic author is told about an extraction: names, types and shapes, never a value.
import { expect, test } from "bun:test";
import { summarizeExtraction } from "../../src/runtime/index.ts";
import { item } from "./judge-helpers.ts";

test("the summary has names and types of fields and shapes of values, never a value", () => {
  const summary = summarizeExtraction([
    item("v23.10-s", { parsed_fields: { slack: "-0.1", path: { from: "a", n: null }, pins: ["x", 1] } }),
    item("v22.11-p", { parsed_fields: { slack: 3 }, source_file: "/logs/b.log" }),
    item("Über", { parsed_fields: {} }),
  ]);
  expect(summary).toEqual({
    records: 3,
    files: 2,
    fields: {
      path: ["object"],
      "path.from": ["string"],
      "path.n": ["null"],
      pins: ["array"],
      "pins[]": ["number", "string"],
      slack: ["number", "string"],
    },
    value_shapes: ["2 x a9.9-a", "1 x a"],
  });
  expect(JSON.stringify(summary)).not.toContain("23.10");
});

test("the summary of no records is empty", () => {
  expect(summarizeExtraction([])).toEqual({ records: 0, files: 0, fields: {}, value_shapes: [] });
});
