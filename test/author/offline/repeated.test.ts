// What is read of a log besides its records: keys that stand again in one record, and headings taken for a record.
import { expect, test } from "bun:test";
import { vetoes } from "../../../src/author/offline/doubts/vetoes.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";
import type { BlockRule, LineRule } from "../../../src/author/offline/program/ir.ts";
import { repeatedKey } from "../../../src/author/offline/readers/block-again.ts";
import { inFigures } from "../../../src/author/offline/restrict/figures.ts";

const PAGE = "Faults of the locks.\n\n- **value**: the code.\n- **Fields**: `gate`, `state`, `since`.";

function groupOf(): NonNullable<ReturnType<typeof readPage>["groups"][number]> {
  const [group] = readPage(PAGE, "").groups;
  if (group === undefined) throw new Error("the page names no record");
  return group;
}

/** The repeated key line of records that start with the gate. */
function againIn(lines: readonly string[]): string | undefined {
  const group = groupOf();
  const { value } = group;
  if (value === undefined) throw new Error("no value");
  const [gate, , since] = group.fields;
  if (gate === undefined || since === undefined) throw new Error("fields are missing");
  const rule: BlockRule = {
    kind: "block",
    start: "^Gate:",
    startExample: "Gate: N1",
    keys: [],
    keyLine: "^(?<key>\\w+): (?<text>.*)$",
    ends: "start",
    lineOf: "value",
    valueGroup: "code",
    filters: [],
    required: ["code"],
    projection: { value: { from: "group", group: "code" }, fields: [] },
  };
  const keyLines = lines.flatMap((line, index) => {
    const key = /^(\w+):/.exec(line)?.[1];
    return key === undefined ? [] : [{ index, key, indent: 0 }];
  });
  const labels = new Map([
    [value, "Code"],
    [gate, "Gate"],
    [since, "Since"],
  ]);
  return repeatedKey(rule, lines, keyLines, value, labels);
}

test("the keys of a second fault stand below the same gate", () => {
  const lines = ["Gate: N1", "Code: F1", "Since: Monday", "", "Code: F2", "Since: Friday", "Gate: N2"];
  expect(againIn(lines)).toBe("Code: F2");
});

test("each gate has its own fault", () => {
  expect(
    againIn(["Gate: N1", "Code: F1", "Since: Monday", "Gate: N2", "Code: F2", "Since: x"]),
  ).toBeUndefined();
});

test("one key that stands again is no second record", () => {
  expect(againIn(["Gate: N1", "Code: F1", "Code: F2", "Since: Monday", "Gate: N2"])).toBeUndefined();
});

/** The doubts about lines of four parts between colons. */
function headingIn(lines: string[]): string[] {
  const rule: LineRule = {
    kind: "line",
    alternatives: [
      {
        pattern: "^(?<gate>[^:]+):(?<code>[^:]+):(?<state>[^:]+):(?<since>[^:]+)$",
        projection: {
          value: { from: "group", group: "code" },
          fields: ["gate", "state", "since"].map((name) => ({
            name,
            source: { from: "group", group: name },
          })),
        },
        example: "",
      },
    ],
    unless: [],
    filters: [],
  };
  return vetoes(rule, groupOf(), lines).filter((one) => one.startsWith("a heading row"));
}

test("half of the parts of a record are names of parts", () => {
  expect(headingIn(["Gate:State:Remark:Owner", "Gate:State:Remark:Owner"])).toHaveLength(1);
  expect(headingIn(["North:F:open:Monday", "South:G:shut:Friday"])).toEqual([]);
});

test("amounts of one in words", () => {
  expect(inFigures("Gates that carry a single lamp are left out.")).toContain("carry exactly 1 lamp");
  expect(inFigures("Gates with just one lamp.")).toContain("with exactly 1 lamp");
  expect(inFigures("Not a single gate is open.")).toBe("Not a single gate is open.");
});
