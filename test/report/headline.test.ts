// The headline of a result: the location first and complete, requirements in words, changes named first.
import { expect, test } from "bun:test";
import { checkWords, headline } from "../../src/report/index.ts";
import { config, foundItem, item } from "./data.ts";

const absent = config({
  type: 4,
  requirements: { value: null, pattern_items: [], expect: "absent", extra: "fail" },
});
const long = "x".repeat(500);

function violation(value: string, line: number) {
  return { ...foundItem(value), source_file: `/logs/deep/${"d".repeat(200)}/a.log`, line_number: line };
}

function failing(values: string[]) {
  const found_items = values.map((value, i) => violation(value, i + 1));
  const result = { status: "FAIL" as const, found_items, missing_items: [], waived: [], unused_waivers: [] };
  return { ...item("ID", { type: 4, outcome: "fail", result }), config: absent, records: values.length };
}

test("the location comes first and is never cut, the text may be", () => {
  const line = headline(failing([long]), "/logs", { text: 50 });
  expect(line).toStartWith(`deep/${"d".repeat(200)}/a.log:1: found \u201cxxx`);
  expect(line.length).toBeLessThan(330);
});

test("changes since the earlier run come first", () => {
  const comparison = {
    item_id: "ID",
    change: "changed" as const,
    before: "fail",
    now: "fail",
    appeared: ["found: brand-new (a.log)"],
    disappeared: [],
  };
  const both = failing(["old", "brand-new"]);
  expect(headline(both, "/logs")).toContain("\u201cold\u201d, and 1 more");
  expect(headline(both, "/logs", { comparison })).toContain(
    "a.log:2: found \u201cbrand-new\u201d, and 1 more",
  );
});

test("a passing result states how many records were read", () => {
  const clean = (type: 2 | 4, records: number, waived: number) => {
    const list = Array.from({ length: waived }, (_, i) => foundItem(`w${i}`));
    const result = { status: "PASS" as const, found_items: [], missing_items: [], waived: list };
    return { ...item("ID", { type, outcome: "pass", result }), config: absent, records };
  };
  expect(headline(clean(2, 28, 0), "/")).toBe("28 records read, none matches a pattern");
  expect(headline(clean(4, 0, 0), "/")).toBe("0 records read");
  expect(headline(clean(4, 1, 1), "/")).toBe("1 record read, it is waived");
  expect(headline(clean(4, 5, 5), "/")).toBe("5 records read, all waived");
});

test("requirements are stated in words, with the number of the type", () => {
  expect(checkWords(failing(["a"]))).toBe("must be absent, with waivers (4)");
  expect(checkWords(item("ID", { type: 2 }))).toBe("patterns must be there (2)");
});

test("an input without records or witness is named in the line of the error", () => {
  for (const code of ["no_witness", "input_empty"]) {
    const diagnostics = [
      { severity: "error" as const, code, message: "The reason.", file: "/logs/deep/a.log" },
    ];
    const broken = item("ID", { type: 4, outcome: "error", result: null, diagnostics });
    expect(headline(broken, "/logs")).toBe("deep/a.log: The reason.");
  }
});
