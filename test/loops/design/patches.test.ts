// RFC 6902 and 6901: the standard's own test cases, and rules that are stricter here.
import { describe, expect, test } from "bun:test";
import appendix from "json-patch-test-suite/spec_tests.json";
import cases from "json-patch-test-suite/tests.json";
import type { JsonValue } from "../../../src/core/json.ts";
import { readDirective } from "../../../src/loops/design/directive.ts";
import { applyPatch, differenceOf, tokensOf, valueAt } from "../../../src/loops/design/patches.ts";
import { operationSchema } from "../../../src/loops/design/schemas.ts";

interface Case {
  comment?: string;
  doc: JsonValue;
  patch?: unknown[];
  expected?: JsonValue;
  error?: string;
  disabled?: boolean;
}

/** The result of a directive with this patch on a document: the checks of form, then the operations. */
function outcome({ doc, patch = [] }: Case): { value: JsonValue } | { problem: string } {
  const reading = readDirective(JSON.stringify({ assistant_message: "x", proposed_patches: patch }), []);
  if (!reading.ok) return { problem: reading.problem };
  return (({ ok, ...rest }) => rest as never)(applyPatch(doc, reading.directive.proposed_patches));
}

describe.each([
  ["tests", cases as Case[]],
  ["appendix A of RFC 6902", appendix as Case[]],
])("%s", (_name, all) => {
  const active = all.filter(({ patch, disabled }) => patch !== undefined && disabled !== true);
  test.each(
    active.map((one, at) => [`${at} ${one.comment ?? JSON.stringify(one.patch).slice(0, 60)}`, one] as const),
  )("%s", (_what, one) => {
    const result = outcome(one);
    const whole = (one.patch as { path?: string; from?: string }[]).some(
      ({ path, from }) => path === "" || from === "",
    );
    if (one.error !== undefined || whole) expect(result).toHaveProperty("problem");
    else if (one.expected !== undefined) expect(result).toEqual({ value: one.expected });
    else expect(result).toHaveProperty("value");
  });
});

test("the test suite of the standard is complete", () => {
  expect(cases.length + appendix.length).toBeGreaterThan(90);
});

describe("stricter than the library", () => {
  const spec = { items: { a: { list: [1, 2] } } };
  const apply = (...operations: object[]) =>
    applyPatch(
      spec,
      operations.map((one) => operationSchema.parse(one)),
    );

  test.each([
    ["leading zero", { op: "replace", path: "/items/a/list/00", value: 1 }],
    ["- in replace", { op: "replace", path: "/items/a/list/-", value: 1 }],
    ["- as the target of a move", { op: "move", from: "/items/a/list/0", path: "/items/a/list/-" }],
    ["~2", { op: "add", path: "/items/~2", value: 1 }],
    ["inherited name", { op: "replace", path: "/items/toString", value: 1 }],
    ["inherited parent", { op: "add", path: "/constructor/x", value: 1 }],
    ["__proto__", { op: "add", path: "/__proto__/x", value: 1 }],
    ["into itself", { op: "move", from: "/items", path: "/items/a" }],
    ["beyond the end", { op: "add", path: "/items/a/list/3", value: 1 }],
    [
      "beyond the end of a list that gives one away",
      { op: "move", from: "/items/a/list/0", path: "/items/a/list/2" },
    ],
    ["whole document", { op: "add", path: "", value: 1 }],
  ])("%s", (_what, operation) => {
    expect(apply(operation)).toMatchObject({ ok: false });
    expect(spec).toEqual({ items: { a: { list: [1, 2] } } });
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  test("a failing patch applies nothing and does not modify the document", () => {
    const result = apply(
      { op: "remove", path: "/items/a/list/0" },
      { op: "test", path: "/items/a/list/0", value: 1 },
    );
    expect(result).toEqual({
      ok: false,
      problem: "operation 2 (test /items/a/list/0): the value there is another one",
    });
    expect(spec.items.a.list).toEqual([1, 2]);
  });

  test("a name of an Object.prototype member is data when it exists", () => {
    const result = applyPatch({ items: {} }, [{ op: "add", path: "/items/hasOwnProperty", value: 1 }]);
    expect(result).toEqual({ ok: true, value: { items: { hasOwnProperty: 1 } } });
  });
});

test("a difference lists the smallest changed paths with old and new values", () => {
  const before = { a: 1, b: { c: [1, 2], "x/y~z": 0 }, gone: null };
  const after = { a: 1, b: { c: [1, 3, 4], "x/y~z": 0, d: {} } };
  const difference = differenceOf(before, after);
  expect(difference).toEqual([
    { pointer: "/b/c/1", op: "replace", old: 2, new: 3 },
    { pointer: "/b/c/2", op: "add", new: 4 },
    { pointer: "/b/d", op: "add", new: {} },
    { pointer: "/gone", op: "remove", old: null },
  ]);
  expect(tokensOf("/b/x~1y~0z")).toEqual(["b", "x/y~z"]);
  expect(valueAt(before, "/b/x~1y~0z")).toBe(0);
  expect(differenceOf({ x: 1, y: 2 }, { y: 2, x: 1 })).toEqual([]);
});
