// One pattern that matches another part of the records than their value: the author of Atom A is asked; several that all
// do are an error.
import { expect, test } from "bun:test";
import { concernsParsing } from "../../src/contract/gates.ts";
import { codes, gates } from "./helpers.ts";

const config = (...patterns: string[]): string =>
  `description: d\ninput_files: ["*.log"]\nrequirements: {value: ${patterns.length}, pattern_items: [${patterns.map((one) => `'${one}'`).join(", ")}], extra: info}\nwaivers: {value: N/A}\n`;

test("a pattern that matches a line and no value", async () => {
  const one = await gates({ config: config("version 1.4") });
  expect(codes(one)).toEqual([]);
  const asked = one.suspicions.filter(({ code }) => code === "value_not_what_patterns_want");
  expect(asked).toHaveLength(1);
  expect(asked.every(concernsParsing)).toBe(true);
  const two = await gates({ config: config("version 1.4", "version 2.0") });
  expect(codes(two)).toEqual([
    "consistency value_not_what_patterns_want",
    "consistency value_not_what_patterns_want",
  ]);
  const right = await gates({ config: config("alpha 1.4") });
  expect(right.suspicions.filter(({ code }) => code === "value_not_what_patterns_want")).toEqual([]);
});
