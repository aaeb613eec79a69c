// L3 to L5: every sentence of contract section 4 about patterns, existence, ghosts and the result keys.
import { describe, expect, test } from "bun:test";
import type { ParsedItem } from "../../src/contract/atoms.ts";
import { judge } from "../../src/runtime/index.ts";
import { type ConfigShape, config, exister, item, recordingMatcher } from "./judge-helpers.ts";

const searched = ["/logs/a.log", "/logs/b.log"];
const run = async (shape: ConfigShape, items: ParsedItem[]) =>
  judge(config(shape), items, searched, recordingMatcher().matcher, exister);
const values = (list: object[] | undefined) => list?.map((entry) => (entry as { value?: string }).value);
const ghostOf = (expected: string) => ({
  description: "the description",
  expected,
  searched_files: searched,
  line_number: null,
  source_file: "",
  matched_content: "",
  parsed_fields: {},
});

describe("types 2 and 3", () => {
  test("each pattern in order takes the first item not yet consumed", async () => {
    const items = [item("ab"), item("a"), item("b")];
    const result = await run({ patterns: ["a", "a", "b"] }, items);
    expect(values(result.found_items)).toEqual(["ab", "a", "b"]);
    expect(result).toMatchObject({ status: "PASS", missing_items: [], extra_items: [] });
  });
  test("found items are in the order of the patterns, extra items in the order of the items", async () => {
    const result = await run({ patterns: ["c", "a"] }, [item("x"), item("a"), item("y"), item("c")]);
    expect(values(result.found_items)).toEqual(["c", "a"]);
    expect(values(result.extra_items)).toEqual(["x", "y"]);
    expect(result.status).toBe("FAIL");
  });
  test("a pattern without a match gives exactly one missing ghost", async () => {
    const result = await run({ patterns: ["a", "nope"] }, [item("a")]);
    expect(result.missing_items).toEqual([ghostOf("nope")]);
    expect(result.status).toBe("FAIL");
  });
  test("one item serves one pattern only", async () => {
    const result = await run({ patterns: ["a", "a"] }, [item("a")]);
    expect(values(result.found_items)).toEqual(["a"]);
    expect(result.missing_items).toEqual([ghostOf("a")]);
  });
  test("the call is validate_logic(value, pattern, parsed_fields, contains, search)", async () => {
    const { matcher, calls } = recordingMatcher();
    await judge(config({ patterns: ["p"] }), [item("v")], searched, matcher, exister);
    expect(calls).toEqual([
      {
        text: "v",
        pattern: "p",
        parsed_fields: { of: "v" },
        default_match: "contains",
        regex_mode: "search",
      },
    ]);
  });
  test("found and extra items are complete and have the description", async () => {
    const a = item("a", { line_number: 7, source_file: "/logs/b.log", parsed_fields: { x: [1] } });
    const result = await run({ patterns: ["zzz"] }, [a]);
    expect(result.extra_items).toEqual([{ ...a, description: "the description" }]);
    const found = await run({ patterns: ["a"] }, [a]);
    expect(found.found_items).toEqual([{ ...a, description: "the description" }]);
  });
  test("a late match in a long list is found, and the first match wins", async () => {
    const items = Array.from({ length: 9000 }, (_, i) => item(i === 5000 || i === 8000 ? "hit" : `v${i}`));
    const result = await run({ patterns: ["hit"], extra: "info" }, items);
    expect(result.found_items[0]).toEqual({ ...items[5000], description: "the description" } as never);
    expect(result.extra_items).toHaveLength(8999);
    expect(result.status).toBe("PASS");
  });
  test("extra: info reports other items without failing", async () => {
    const items = [item("a"), item("other")];
    expect((await run({ patterns: ["a"] }, items)).status).toBe("FAIL");
    const info = await run({ patterns: ["a"], extra: "info" }, items);
    expect(info.status).toBe("PASS");
    expect(values(info.extra_items)).toEqual(["other"]);
    expect((await run({ patterns: ["zz"], extra: "info" }, items)).status).toBe("FAIL");
  });
  test("no pattern and no item passes at this level", async () => {
    expect((await run({ patterns: [], required: 1 }, [])).status).toBe("PASS");
    expect((await run({ patterns: [], required: 1 }, [item("a")])).status).toBe("FAIL");
  });
});

describe("types 1 and 4", () => {
  test("found_items is the complete evidence of Atom C", async () => {
    const items = [item("a"), item("b")];
    const result = await run({}, items);
    expect(result).toEqual({
      status: "PASS",
      found_items: items.map((i) => ({ ...i, description: "the description" })),
      missing_items: [],
    });
  });
  test("no item gives exactly one ghost", async () => {
    for (const waived of [null, 1]) {
      const result = await run({ waived }, []);
      expect(result.status).toBe("FAIL");
      expect(result.found_items).toEqual([]);
      expect(result.missing_items).toEqual([ghostOf("Existence check failed")]);
    }
  });
  test("the result of Atom C decides, not the number of items", async () => {
    const { matcher } = recordingMatcher();
    const denies = async () => ({ is_match: false, reason: "", evidence: [] });
    const result = await judge(config({}), [item("a")], searched, matcher, denies);
    expect(result.status).toBe("FAIL");
    expect(result.missing_items).toEqual([ghostOf("Existence check failed")]);
  });
});

describe("expect: absent", () => {
  test("types 1 and 4 pass when no item was found", async () => {
    for (const waived of [null, 1]) {
      const clean = await run({ expect: "absent", waived }, []);
      expect(clean).toMatchObject({ status: "PASS", found_items: [], missing_items: [] });
      const dirty = await run({ expect: "absent", waived }, [item("err")]);
      expect(dirty.status).toBe("FAIL");
      expect(values(dirty.found_items)).toEqual(["err"]);
      expect(dirty.missing_items).toEqual([]);
    }
  });
  test("items denied by Atom C are still violations", async () => {
    const { matcher } = recordingMatcher();
    const denies = async () => ({ is_match: false, reason: "", evidence: [] });
    const result = await judge(config({ expect: "absent" }), [item("a")], searched, matcher, denies);
    expect(result.status).toBe("FAIL");
  });
  test("in types 2 and 3 every item that a pattern matches is a violation, with the pattern as expected", async () => {
    const items = [item("use b1"), item("fine"), item("use a1"), item("use a2 b2")];
    const result = await run(
      { patterns: ["a", "b"], expect: "absent" },
      items.map((i) => i),
    );
    expect(result.found_items.map((f) => [f.value, f.expected])).toEqual([
      ["use b1", "b"],
      ["use a1", "a"],
      ["use a2 b2", "a"],
    ]);
    expect(values(result.extra_items)).toEqual(["fine"]);
    expect(result.missing_items).toEqual([]);
    expect(result.status).toBe("FAIL");
  });
  test("other items do not fail the check", async () => {
    const result = await run({ patterns: ["dont"], expect: "absent" }, [item("x"), item("y")]);
    expect(result).toMatchObject({ status: "PASS", found_items: [], missing_items: [] });
    expect(values(result.extra_items)).toEqual(["x", "y"]);
  });
  test("selective waivers match the value and move the item out of found_items", async () => {
    const result = await run(
      { patterns: ["x"], expect: "absent", waivers: ["x1", "x"], reasons: ["known"] },
      [item("x1"), item("x2")],
    );
    expect(values(result.found_items)).toEqual(["x2"]);
    expect(result.waived).toEqual([
      {
        ...item("x1"),
        description: "the description",
        expected: "x",
        waiver_pattern: "x1",
        waiver_reason: "known",
        tag: "[WAIVER]",
      },
    ]);
    expect(result.unused_waivers).toEqual([{ pattern: "x", reason: "Not matched" }]);
    expect(result.status).toBe("FAIL");
    const type4 = await run({ expect: "absent", waivers: ["x1"] }, [item("x1")]);
    expect(type4).toMatchObject({ status: "PASS", found_items: [], missing_items: [], unused_waivers: [] });
    expect(values(type4.waived)).toEqual(["x1"]);
  });
  test("a global waiver marks the violation in place", async () => {
    for (const patterns of [undefined, ["x"]]) {
      const shape: ConfigShape = { expect: "absent", waivers: ["comment"], waived: 0 };
      const result = await run(patterns ? { ...shape, patterns } : shape, [item("x1")]);
      expect(result.status).toBe("PASS");
      expect(result.found_items).toEqual([
        expect.objectContaining({ value: "x1", severity: "INFO", tag: "[WAIVED_AS_INFO]" }),
      ]);
      expect(result.waived).toHaveLength(1);
    }
  });
});

describe("result keys are exact", () => {
  const shapes: [number, ConfigShape, string[]][] = [
    [1, {}, []],
    [2, { patterns: ["a"] }, ["extra_items"]],
    [3, { patterns: ["a"], waivers: [], waived: 0 }, ["extra_items", "waived", "unused_waivers"]],
    [3, { patterns: ["a"], waivers: ["w"] }, ["extra_items", "waived", "unused_waivers"]],
    [4, { waivers: [], waived: 0 }, ["waived", "unused_waivers"]],
    [4, { waivers: ["w"] }, ["waived", "unused_waivers"]],
  ];
  for (const [type, shape, more] of shapes) {
    for (const items of [[], [item("a")]]) {
      for (const expected of ["present", "absent"] as const) {
        test(`type ${type}, ${items.length} items, ${expected}, ${JSON.stringify(shape)}`, async () => {
          const result = await run({ ...shape, expect: expected }, items);
          const keys = ["status", "found_items", "missing_items", ...more];
          expect(Object.keys(result)).toEqual(keys);
        });
      }
    }
  }
});
