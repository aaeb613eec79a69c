// Agent B of the offline author: what it reads out of sections 2 and 3.
import { describe, expect, test } from "bun:test";
import { parse } from "yaml";
import { readExpect } from "../../../src/author/offline/config/expect.ts";
import { draftLogic } from "../../../src/author/offline/config/logic.ts";
import { readLogic } from "../../../src/author/offline/config/page.ts";

const extraction = { records: 30, files: 1, fields: {}, value_shapes: [], input_files: ["**/x.log"] };

function written(section_2: string, section_3: string): string {
  const slice = { item_id: "T-1", section_2, section_3, section_4_2: "", check: null };
  const draft = draftLogic(slice, extraction, "T-1");
  if (draft.kind !== "draft") throw new Error(draft.reasons.join("; "));
  return draft.config;
}

function config(section_2: string, section_3: string): unknown {
  return parse(written(section_2, section_3));
}

describe("config of the offline author", () => {
  test("numbered patterns with a stated count, and no waivers", () => {
    const made = config("Type 2, two patterns:\n1. `alpha`\n2. `b|c`", "N/A.");
    expect(made).toMatchObject({
      input_files: ["**/x.log"],
      requirements: { value: 2, pattern_items: ["alpha", "b|c"] },
      waivers: { value: "N/A", waive_items: [] },
    });
  });

  test("violations with selective waivers and their reasons", () => {
    const made = config(
      "Type 4: every refused job is a violation.",
      "Selective, three waivers: `nightly*`, `probe` (lab machines), `regex:^x\\d` (retired).",
    );
    expect(made).toMatchObject({
      requirements: { value: "N/A", expect: "absent" },
      waivers: {
        value: 3,
        waive_items: ["nightly*", "probe", "regex:^x\\d"],
        waive_reasons: ["lab machines", "lab machines", "retired"],
      },
    });
  });

  test("an expression with a choice is one waiver, written without a bar", () => {
    const waived = (pattern: string) => {
      const made = config("Type 4: every refused job is a violation.", `Selective: \`${pattern}\` (known).`);
      return (made as { waivers: { waive_items: string[] } }).waivers.waive_items;
    };
    expect(waived("regex:^(root|ad\\|min)$")).toEqual(["regex:^(?!(?!root$)(?!ad\\x7cmin$))"]);
    expect(waived("regex:^a|b$")).toEqual(["regex:(?!(?!^a)(?!b$))"]);
    expect(waived("regex:^(a|b)+$")).toEqual(["regex:^[ab]+$"]);
    expect(waived("a|b")).toEqual(["a|b"]);
  });

  test("a pattern that had to be written otherwise stands beside the page's own text", () => {
    const made = written("Type 2, three names: `ant`, `regex:^(bee|fly)$`, `wasp`.", "N/A");
    expect(made).toContain("regex:^(?!(?!bee$)(?!fly$)) # the page has regex:^(bee|fly)$, and");
  });

  test("a global waiver", () => {
    expect(config("Type 4. Each is a violation.", "Global: for information only.")).toMatchObject({
      waivers: { value: 0 },
    });
  });

  test("further items fail only where the page says so", () => {
    expect(config("Type 2: only `a` and `b` may be loaded.", "N/A")).not.toHaveProperty("requirements.extra");
    expect(config("Type 2: `a` and `b` must be seen.", "N/A")).toHaveProperty("requirements.extra", "info");
  });

  test("a count that does not fit what is listed is a question", () => {
    const slice = {
      item_id: "T",
      section_2: "Type 2, three patterns: `a`, `b`.",
      section_3: "N/A",
      section_4_2: "",
      check: null,
    };
    expect(draftLogic(slice, extraction, "T").kind).toBe("gave_up");
  });
});

const WISHES: [string, string][] = [
  ["Type 1. No complaint may be present.", "absent"],
  ["Type 1: the templates must have no lints.", "absent"],
  ["Type 1, nothing of this kind may be in the log.", "absent"],
  ["Type 1: no tank may be without a reading.", "absent"],
  ["Type 1: no pump may have ended by a stall.", "absent"],
  ["Type 1: the documents have to be clean.", "absent"],
  ["Type 1. Expect none.", "absent"],
  ["Type 4. One violation per stalled pump.", "absent"],
  ["Type 4. Every unused valve violates.", "absent"],
  ["Type 1, the list must not be empty.", "present"],
  ["Type 1. No step may be missing.", "present"],
  ["Type 1: at least one pump must be there.", "present"],
  ["Type 1.", "unsaid"],
  ["Type 4, without patterns.", "unsaid"],
  ["Type 1: never mind the pumps, not the valves.", "unclear"],
];
test.each(WISHES)("wanted or a violation: %s", (text, wish) => {
  expect(readExpect(text)).toBe(wish as ReturnType<typeof readExpect>);
});

test("a page of type 1 that says something unclear of the kind is a question", () => {
  expect(readLogic("Type 1: never mind the pumps, not the valves.", "N/A.", "").open).toHaveLength(1);
  expect(readLogic("Type 1.", "N/A.", "").open).toEqual([]);
});

const REASONS: [string, Record<string, string>][] = [
  ["Selective: `a*`, no gate in this block.", { "a*": "no gate in this block" }],
  ["Selective: `a*`. This tool books it elsewhere.", { "a*": "This tool books it elsewhere" }],
  [
    "Selective: `a`, `b`. Kept on purpose, the stubs need it.",
    { a: "Kept on purpose, the stubs need it", b: "Kept on purpose, the stubs need it" },
  ],
  ["Selective. `Pump 2` is a dummy pump.", { "Pump 2": "a dummy pump" }],
  ["Selective. We ordered a test, hence `a` is waived.", { a: "We ordered a test" }],
  [
    "Selective: `a*` as we run a formatter later, and also `b` and `c`.",
    { "a*": "we run a formatter later", b: "", c: "" },
  ],
  ["Selective. North pumps (`a`) and spare pumps (`b`) are waived.", { a: "North pumps", b: "spare pumps" }],
  ["Selective, optional pumps: `a`, `b`.", { a: "optional pumps", b: "optional pumps" }],
  ["Selective, two waivers because gates follow: `a` and `b`.", { a: "gates follow", b: "gates follow" }],
  ["Selective, on the path: `a`.", { a: "" }],
  ["Selective by kind: `a` (short names), `b`.", { a: "short names", b: "" }],
  ["Selective, three waivers on the pump name: `a`, `b` (spare), `c`.", { a: "spare", b: "spare", c: "" }],
  ["Selective, without reasons: `a`.", { a: "" }],
  ["Selective: `a`, on the file, without a reason.", { a: "" }],
  ["Selective:\n- `a`: harmless\n- `b` - known\n- `c`", { a: "harmless", b: "known", c: "" }],
  [
    "Three are waived: `a` because it leaks, `b` because it drips, and `c`.",
    { a: "it leaks", b: "it drips", c: "" },
  ],
];
test.each(REASONS)("reasons of waivers: %s", (text, reasons) => {
  const { items } = readLogic("Type 4. Each is a violation.", text, "").waivers;
  expect(Object.fromEntries(items.map((one) => [one.pattern, one.reason]))).toEqual(reasons);
});

test("the remark of a global waiver stands for what is waived", () => {
  expect(
    readLogic("Type 4. Each is a violation.", "Global (0). The lab is being moved.", "").waivers,
  ).toEqual({
    value: 0,
    items: [{ pattern: "The lab is being moved", reason: "" }],
  });
});

test("PASS may be a pattern, and is none where it is the result", () => {
  expect(readLogic("Type 2: `STOR`, `PASS`, `QUIT`.", "N/A.", "").patterns).toEqual(["STOR", "PASS", "QUIT"]);
  expect(readLogic("Type 2: `STOR`; then the result is `PASS`.", "N/A.", "").patterns).toEqual(["STOR"]);
});
