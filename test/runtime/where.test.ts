// Conformance of conditions on fields: how they are read, what they decide, and where violations are reported.
import { describe, expect, test } from "bun:test";
import type { ParsedItem } from "../../src/contract/atoms.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { readCheckBlock } from "../../src/runtime/check-block.ts";
import { numberOf } from "../../src/runtime/conditions.ts";
import { judge, readItemConfig } from "../../src/runtime/index.ts";
import { exister, item, recordingMatcher } from "./judge-helpers.ts";

function config(yaml: string) {
  const reading = readItemConfig(yaml, "generated");
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.config;
}

function record(value: string, fields: JsonObject): ParsedItem {
  return item(value, { parsed_fields: fields });
}

async function run(requirements: string, records: ParsedItem[], waivers = "{value: N/A}") {
  const { matcher } = recordingMatcher();
  const yaml = `requirements: ${requirements}\nwaivers: ${waivers}`;
  const result = await judge(config(yaml), records, ["/logs/a.log"], matcher, exister);
  const short = (list: readonly { value?: string; expected?: string; reason?: string }[] = []) =>
    list.map(({ value, expected, reason }) => [value ?? `no ${expected}`, reason ?? ""]);
  return {
    status: result.status,
    found: short(result.found_items),
    missing: short(result.missing_items),
    extra: short(result.extra_items),
    waived: result.waived ?? [],
    unused: result.unused_waivers ?? [],
  };
}

describe("reading", () => {
  test("a scalar means equality, tests are a map, conditions of a pattern are next to it", () => {
    const { requirements } = config(
      "requirements: {value: 2, where: {status: healthy, pct: {at_least: 60, at_most: 100}}, pattern_items: [a, {pattern: b, where: {rev: {matches: '^r[0-9]+$'}}}]}",
    );
    expect(requirements.where).toEqual([
      { field: "status", test: "equals", wanted: "healthy" },
      { field: "pct", test: "at_least", wanted: "60" },
      { field: "pct", test: "at_most", wanted: "100" },
    ]);
    expect(requirements.pattern_items).toEqual(["a", "b"]);
    expect(requirements.pattern_where).toEqual([
      [],
      [{ field: "rev", test: "matches", wanted: "^r[0-9]+$" }],
    ]);
  });
  test("a config without conditions is unchanged, and a map of one key is a text", () => {
    const { requirements } = config("requirements: {value: 2, pattern_items: [{pattern: x}, {where: y}]}");
    expect(requirements).toEqual({
      value: 2,
      pattern_items: ["pattern: x", "where: y"],
      expect: "present",
      extra: "fail",
    });
  });
  test.each([
    "{status: [a]}",
    "{status: {}}",
    "{}",
    "healthy",
    "[status]",
    "{pct: {at_least: sixty}}",
    "{pct: {at_least: null}}",
    "{pct: {least: 3}}",
    "{pct: {at_least: 1, at_least: 2}}",
    "{name: {contains: ''}}",
    "{name: {matches: 'a|b'}}",
    "{name: {equals: {a: 1}}}",
  ])("%s is an error with its path", (where) => {
    const reading = readItemConfig(`requirements: {value: N/A, where: ${where}}`, "handwritten");
    expect(reading.ok).toBe(false);
    if (!reading.ok)
      expect(reading.problems.every(({ path }) => path.startsWith("requirements.where"))).toBe(true);
  });
  test("a check block of a page can have conditions", () => {
    expect(readCheckBlock("requirements: {value: N/A, where: {status: healthy}}").ok).toBe(true);
  });
});

test("numbers are read as logs write them", () => {
  const texts = ["61.2", "-3", "+7", "1,200", "1e-9", "61.2%", "61.2 %", ".5", " 60 "];
  expect(texts.map(numberOf)).toEqual([61.2, -3, 7, 1200, 1e-9, 61.2, 61.2, 0.5, 60]);
  expect(["", "%", "60 ns", "1,2", "0x10", "1.2.3", "NaN", "Infinity", "one"].map(numberOf)).toEqual(
    Array(9).fill(undefined),
  );
});

describe("every test on every kind of field", () => {
  const cases: [string, JsonObject, string][] = [
    ["{f: healthy}", { f: "healthy" }, ""],
    ["{f: healthy}", { f: "Healthy" }, 'f must be equal to "healthy", but is "Healthy"'],
    ["{f: 60}", { f: 60 }, ""],
    ["{f: 1.10}", { f: "1.1" }, 'f must be equal to "1.10", but is "1.1"'],
    ["{f: true}", { f: true }, ""],
    ["{f: b}", { f: ["a", "b"] }, ""],
    ["{f: {contains: eal}}", { f: "healthy" }, ""],
    ["{f: {contains: sick}}", { f: "healthy" }, 'f must be a text that contains "sick", but is "healthy"'],
    ["{f: {at_least: 60}}", { f: "60" }, ""],
    ["{f: {at_least: 60}}", { f: "59.99 %" }, 'f must be at least 60, but is "59.99 %"'],
    ["{f: {at_least: 1000}}", { f: "1,200" }, ""],
    ["{f: {at_most: 0}}", { f: -0.5 }, ""],
    ["{f: {at_most: 0}}", { f: 1 }, "f must be at most 0, but is 1"],
    ["{f: {at_most: 0}}", { f: "none" }, 'f must be at most 0, but "none" is not a number'],
    ["{f: {matches: '^r[0-9]+$'}}", { f: "r12" }, ""],
    ["{f: {matches: '^r[0-9]+$'}}", { f: "x12" }, 'f must be a match of "^r[0-9]+$", but is "x12"'],
    ["{f: x}", {}, "the record has no field f"],
    ["{f: x}", { f: null }, "the record has no field f"],
    ["{f: {matches: x}}", {}, "the record has no field f"],
    ["{pos.line: {at_least: 7}}", { pos: { line: 8 } }, ""],
    ["{pos.line: {at_least: 7}}", { "pos.line": 6 }, "pos.line must be at least 7, but is 6"],
    ["{value: {contains: ec}}", {}, ""],
  ];
  test.each(cases)("%s on %j: %s", async (where, fields, reason) => {
    const result = await run(`{value: N/A, where: ${where}}`, [record("rec", fields)]);
    expect(result.missing).toEqual(reason === "" ? [] : [["rec", reason]]);
    expect(result.status).toBe(reason === "" ? "PASS" : "FAIL");
  });
});

describe("conditions for all records", () => {
  const good = record("a", { pct: "70" });
  const low = record("b", { pct: "50" });
  test("existence: every record must meet them, and at least one record must exist", async () => {
    const result = await run("{value: N/A, where: {pct: {at_least: 60}}}", [good, low]);
    expect([result.status, result.found, result.missing]).toEqual([
      "FAIL",
      [["a", ""]],
      [["b", 'pct must be at least 60, but is "50"']],
    ]);
    expect((await run("{value: N/A, where: {pct: {at_least: 60}}}", [])).status).toBe("FAIL");
    expect((await run("{value: N/A, where: {pct: {at_least: 60}}}", [good])).status).toBe("PASS");
  });
  test("patterns: they also apply to records without a pattern, and where extra records are allowed", async () => {
    const all = "{value: 1, pattern_items: [a], extra: info, where: {pct: {at_least: 60}}}";
    const result = await run(all, [good, low, record("c", { pct: "99" })]);
    expect([result.status, result.found, result.missing, result.extra]).toEqual([
      "FAIL",
      [["a", ""]],
      [["b", 'pct must be at least 60, but is "50"']],
      [["c", ""]],
    ]);
  });
  test("absent: they select the records; an undecidable record is selected", async () => {
    const absent = "{value: N/A, expect: absent, where: {slack: {at_most: 0}}}";
    const records = [record("ok", { slack: "0.2" }), record("bad", { slack: "-0.1" }), record("odd", {})];
    const result = await run(absent, records);
    expect([result.status, result.found]).toEqual([
      "FAIL",
      [
        ["bad", ""],
        ["odd", "the record has no field slack"],
      ],
    ]);
    expect((await run(absent, records.slice(0, 1))).status).toBe("PASS");
  });
});

describe("conditions of a pattern", () => {
  const two = "{value: 2, pattern_items: [{pattern: 'blk*', where: {state: done}}, top], extra: info}";
  test("a matched record that does not meet them is a violation with the reason", async () => {
    const result = await run(two, [
      record("blk_a", { state: "done" }),
      record("blk_b", { state: "open" }),
      record("top", { state: "open" }),
    ]);
    expect([result.status, result.found, result.missing, result.extra]).toEqual([
      "FAIL",
      [
        ["blk_a", ""],
        ["top", ""],
      ],
      [["blk_b", 'state must be equal to "done", but is "open"']],
      [],
    ]);
  });
  test("the order of records does not matter, and a pattern without any record is missing as before", async () => {
    const open = record("blk_b", { state: "open" });
    const done = record("blk_a", { state: "done" });
    expect((await run(two, [open, done, record("top", {})])).status).toBe("FAIL");
    expect((await run(two, [done, record("top", {})])).status).toBe("PASS");
    expect((await run(two, [record("top", {})])).missing).toEqual([["no blk*", ""]]);
  });
  test("absent: only records that meet them are violations", async () => {
    const absent = "{value: 1, expect: absent, pattern_items: [{pattern: '*', where: {level: error}}]}";
    const result = await run(absent, [record("x", { level: "note" }), record("y", { level: "error" })]);
    expect([result.found, result.extra]).toEqual([[["y", ""]], [["x", ""]]]);
  });
});

test("waivers match such a violation by the value of its record", async () => {
  const where = "{value: 1, pattern_items: [{pattern: 'blk*', where: {state: done}}]}";
  const result = await run(
    where,
    [record("blk_b", { state: "open" })],
    "{value: 1, waive_items: [blk_b], waive_reasons: [known]}",
  );
  expect([result.status, result.missing, result.unused]).toEqual(["PASS", [], []]);
  expect(result.waived).toMatchObject([{ value: "blk_b", waiver_reason: "known" }]);
});
