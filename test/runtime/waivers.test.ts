// L4: every sentence of contract section 4 about waivers, and properties of the engine on generated cases.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ResultItem } from "../../src/contract/results.ts";
import { judge } from "../../src/runtime/index.ts";
import { type ConfigShape, config, exister, item, recordingMatcher, validateLogic } from "./judge-helpers.ts";

const searched = ["/logs/a.log"];
const run = async (shape: ConfigShape, found: string[]) =>
  judge(
    config(shape),
    found.map((v) => item(v)),
    searched,
    recordingMatcher().matcher,
    exister,
  );
const texts = (list: readonly object[] | undefined) =>
  (list ?? []).map((entry) => (entry as ResultItem).expected ?? (entry as ResultItem).value);

describe("global waiver", () => {
  test("violations stay in place and are marked; waive items are notes; the status is PASS", async () => {
    const result = await run({ patterns: ["a", "b"], waivers: ["why", "who"], waived: 0 }, ["a", "x"]);
    expect(result.status).toBe("PASS");
    const mark = { severity: "INFO", tag: "[WAIVED_AS_INFO]" };
    expect(result.missing_items).toEqual([expect.objectContaining({ expected: "b", ...mark })]);
    expect(result.extra_items).toEqual([expect.objectContaining({ value: "x", ...mark })]);
    expect(result.found_items[0]).not.toHaveProperty("tag");
    expect(result.waived).toEqual([
      { waiver_pattern: "why", waiver_reason: "Global Waiver", tag: "[WAIVED_INFO]" },
      { waiver_pattern: "who", waiver_reason: "Global Waiver", tag: "[WAIVED_INFO]" },
    ]);
    expect(result.unused_waivers).toEqual([]);
  });
  test("the ghost of type 4 is marked", async () => {
    const result = await run({ waivers: [], waived: 0 }, []);
    expect(result.status).toBe("PASS");
    expect(result.missing_items[0]).toMatchObject({ severity: "INFO", tag: "[WAIVED_AS_INFO]" });
    expect(result.waived).toEqual([]);
  });
  test("with extra: info the extra items are not violations and stay unmarked", async () => {
    const result = await run({ patterns: ["a"], waivers: [], waived: 0, extra: "info" }, ["a", "x"]);
    expect(result.extra_items?.[0]).not.toHaveProperty("tag");
  });
  test("no matcher is called", async () => {
    const { matcher, calls } = recordingMatcher();
    await judge(config({ waivers: ["*"], waived: 0 }), [], searched, matcher, exister);
    expect(calls).toEqual([]);
  });
});

describe("selective waiver", () => {
  test("matched missing and extra items move with pattern, reason and tag, and the status is recomputed", async () => {
    const result = await run(
      { patterns: ["a", "gone"], waivers: ["x*", "gone"], reasons: ["known tool bug"] },
      ["a", "x2", "x1"],
    );
    expect(result.waived).toEqual([
      expect.objectContaining({
        expected: "gone",
        waiver_pattern: "gone",
        waiver_reason: "N/A",
        tag: "[WAIVER]",
      }),
      expect.objectContaining({
        value: "x2",
        waiver_pattern: "x*",
        waiver_reason: "known tool bug",
        tag: "[WAIVER]",
      }),
      expect.objectContaining({
        value: "x1",
        waiver_pattern: "x*",
        waiver_reason: "known tool bug",
        tag: "[WAIVER]",
      }),
    ]);
    expect(result).toMatchObject({ status: "PASS", missing_items: [], extra_items: [], unused_waivers: [] });
  });
  test("remaining violations still fail", async () => {
    const result = await run({ patterns: ["a"], waivers: ["x1"] }, ["a", "x1", "x2"]);
    expect(result.status).toBe("FAIL");
    expect(texts(result.extra_items)).toEqual(["x2"]);
  });
  test("the call is validate_logic(text, pattern, null, exact, match), with expected as text, else the value", async () => {
    const { matcher, calls } = recordingMatcher();
    await judge(config({ patterns: ["p"], waivers: ["w"] }), [item("v")], searched, matcher, exister);
    expect(calls.slice(1)).toEqual([
      { text: "p", pattern: "w", parsed_fields: null, default_match: "exact", regex_mode: "match" },
      { text: "v", pattern: "w", parsed_fields: null, default_match: "exact", regex_mode: "match" },
    ]);
  });
  test("matching is exact by default, and at the start for a regex", async () => {
    const part = await run({ patterns: ["a"], waivers: ["x"] }, ["a", "x1"]);
    expect(part.unused_waivers).toEqual([{ pattern: "x", reason: "Not matched" }]);
    const start = await run({ patterns: ["a"], waivers: ["regex:x"] }, ["a", "x1"]);
    expect(start.status).toBe("PASS");
    const later = await run({ patterns: ["a"], waivers: ["regex:1"] }, ["a", "x1"]);
    expect(later.status).toBe("FAIL");
  });
  test("the first matching waiver wins", async () => {
    const result = await run({ patterns: ["a"], waivers: ["x*", "x1"], reasons: ["r1", "r2"] }, ["a", "x1"]);
    expect(result.waived).toEqual([expect.objectContaining({ waiver_pattern: "x*", waiver_reason: "r1" })]);
    expect(result.unused_waivers).toEqual([{ pattern: "x1", reason: "Not matched" }]);
  });
  test("in type 4 only the missing ghost is waived, by its expected text", async () => {
    const result = await run({ waivers: ["Existence check failed"] }, []);
    expect(result).toMatchObject({ status: "PASS", missing_items: [], found_items: [], unused_waivers: [] });
    expect(result.waived).toEqual([
      expect.objectContaining({ expected: "Existence check failed", tag: "[WAIVER]" }),
    ]);
    const found = await run({ waivers: ["*"] }, ["v"]);
    expect(found.status).toBe("PASS");
    expect(found.unused_waivers).toEqual([{ pattern: "*", reason: "Not matched" }]);
    expect(texts(found.found_items)).toEqual(["v"]);
  });
  test("with extra: info only missing items are waived", async () => {
    const result = await run({ patterns: ["a"], waivers: ["*"], extra: "info" }, ["a", "x"]);
    expect(texts(result.extra_items)).toEqual(["x"]);
    expect(result.unused_waivers).toHaveLength(1);
  });
  test("without waive items nothing moves, whatever the value", async () => {
    const result = await run({ patterns: ["a"], waivers: [], waived: 3 }, ["x"]);
    expect(result).toMatchObject({ status: "FAIL", waived: [], unused_waivers: [] });
  });
});

describe("properties", () => {
  const word = fc.constantFrom("a", "b", "c", "ab", "bc", "abc");
  const pattern = fc.constantFrom("a", "b", "c", "abc", "a*", "?b", "regex:b", "a|c", "zz");
  const shape = fc.record({
    patterns: fc.option(fc.array(pattern, { maxLength: 5 }), { nil: undefined }),
    waivers: fc.array(pattern, { maxLength: 5 }),
    expect: fc.constantFrom<"present" | "absent">("present", "absent"),
    extra: fc.constantFrom<"fail" | "info">("fail", "info"),
    values: fc.array(word, { maxLength: 8 }),
  });
  const judged = async (
    s: {
      patterns: string[] | undefined;
      waivers: string[];
      expect: "present" | "absent";
      extra: "fail" | "info";
      values: string[];
    },
    waived: number | null,
  ) => {
    const items = s.values.map((v, i) => item(v, { line_number: i + 1 }));
    const made = config({
      expect: s.expect,
      extra: s.extra,
      waivers: s.waivers,
      waived,
      required: s.patterns === undefined ? null : Math.max(1, s.patterns.length),
      patterns: s.patterns ?? [],
    });
    return judge(made, items, searched, recordingMatcher().matcher, exister);
  };
  const id = (entry: object) => {
    const r = entry as ResultItem;
    return `${r.value ?? ""}/${r.expected ?? ""}/${r.line_number}`;
  };
  const all = (r: Awaited<ReturnType<typeof judge>>) => [
    ...r.found_items,
    ...r.missing_items,
    ...(r.extra_items ?? []),
  ];

  const expectFirstWaiver = (s: { expect: string; waivers: string[] }, entry: ResultItem) => {
    const text = s.expect === "absent" ? (entry.value ?? "") : (entry.expected ?? entry.value ?? "");
    const hits = s.waivers.filter(
      (pattern) =>
        validateLogic({ text, pattern, parsed_fields: null, default_match: "exact", regex_mode: "match" })
          .is_match,
    );
    expect(entry.waiver_pattern).toBe(hits[0] ?? "nothing");
    expect(entry.tag).toBe("[WAIVER]");
  };

  /** Returns whether `part` is a subsequence of `order`. */
  const isInOrder = (order: string[], part: string[]) => {
    let position = 0;
    for (const one of part) {
      position = order.indexOf(one, position) + 1;
      if (position === 0) return false;
    }
    return true;
  };

  test("selective waivers lose and duplicate nothing, keep the order and recompute the status", async () => {
    await fc.assert(
      fc.asyncProperty(shape, async (s) => {
        const plain = await judged(s, null);
        const waived = await judged(s, Math.max(1, s.waivers.length));
        const moved = waived.waived ?? [];
        expect([...all(waived), ...moved].map(id).sort()).toEqual(all(plain).map(id).sort());
        // The remaining and the moved entries are subsequences of the original ones.
        const order = all(plain).map(id);
        expect(isInOrder(order, all(waived).map(id))).toBe(true);
        expect(isInOrder(order, moved.map(id))).toBe(true);
        for (const entry of moved as ResultItem[]) expectFirstWaiver(s, entry);
        const violations =
          s.expect === "absent"
            ? waived.found_items
            : [...waived.missing_items, ...(s.extra === "info" ? [] : (waived.extra_items ?? []))];
        expect(waived.status).toBe(violations.length === 0 ? "PASS" : "FAIL");
        const usedPatterns = new Set((moved as ResultItem[]).map((m) => m.waiver_pattern));
        for (const unused of waived.unused_waivers ?? []) expect(unused.reason).toBe("Not matched");
        for (const w of s.waivers) {
          const unused = (waived.unused_waivers ?? []).some((u) => u.pattern === w);
          expect(unused || usedPatterns.has(w)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
  });

  test("a global waiver moves nothing and always passes", async () => {
    await fc.assert(
      fc.asyncProperty(shape, async (s) => {
        const plain = await judged(s, null);
        const waived = await judged(s, 0);
        expect(waived.status).toBe("PASS");
        expect(all(waived).map(id)).toEqual(all(plain).map(id));
        expect(waived.waived).toHaveLength(s.waivers.length);
        expect(waived.unused_waivers).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test("every item is found or extra exactly once, and every pattern found or missing exactly once", async () => {
    await fc.assert(
      fc.asyncProperty(shape, async (s) => {
        if (s.patterns === undefined || s.expect === "absent") return;
        const result = await judged(s, null);
        expect(result.found_items.length + (result.extra_items?.length ?? 0)).toBe(s.values.length);
        expect(result.found_items.length + result.missing_items.length).toBe(s.patterns.length);
      }),
      { numRuns: 200 },
    );
  });
});
