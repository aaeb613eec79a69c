// What the sentences of a page restrict, and what shows in the records that a part was cut at the wrong place.
import { describe, expect, test } from "bun:test";
import { inconsistencies } from "../../../src/author/offline/doubts/consistency.ts";
import { unrealised } from "../../../src/author/offline/doubts/rules.ts";
import { vetoes } from "../../../src/author/offline/doubts/vetoes.ts";
import { holds, readConditions } from "../../../src/author/offline/page/conditions.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";
import type { LineRule } from "../../../src/author/offline/program/ir.ts";

const read = (text: string) => readConditions({ text, start: 0 });

describe("conditions of a page", () => {
  test("a field and its words", () => {
    const deny = { name: "action", equals: ["deny"], negate: false };
    expect(read("Only records with action deny.")).toEqual([deny]);
    expect(read("Only requests whose action is `deny`.")).toEqual([deny]);
    expect(read("Only blocks of severity Violation, not Caution.")).toEqual([
      { name: "severity", equals: ["Violation"], negate: false },
    ]);
    expect(read("Only nets whose status is VIOLATED.")).toEqual([
      { name: "status", equals: ["VIOLATED"], negate: false },
    ]);
    expect(read("Only objects with kind `audit` whose outcome is `denied`.").map((one) => one.name)).toEqual([
      "outcome",
      "kind",
    ]);
    expect(read("Only interfaces with link state down.")).toEqual([
      { name: "link state", equals: ["down"], negate: false },
    ]);
    expect(read("Levels ERROR and FATAL only.")).toEqual([
      { name: "Levels", equals: ["ERROR", "FATAL"], negate: false },
    ]);
    expect(read("Only FAILED and ERROR lines of the list.")).toEqual([
      { name: "", equals: ["FAILED", "ERROR"], negate: false },
    ]);
  });

  test("the beginning of a field, and anything but a dash", () => {
    expect(read("their status begins with Up.")).toEqual([
      { name: "status", equals: ["Up"], negate: false, match: "prefix" },
    ]);
    expect(read("Take the rows where WHEN_FAILED is anything but a dash.")).toEqual([
      { name: "WHEN_FAILED", equals: ["-"], negate: true },
    ]);
    expect(holds({ equals: ["Up"], negate: false, match: "prefix" }, "Up 3 weeks")).toBe(true);
    expect(holds({ equals: ["Up"], negate: false, match: "prefix" }, "Exited")).toBe(false);
  });

  test("sentences that describe restrict nothing", () => {
    expect(read("Values with blanks are quoted.")).toEqual([]);
    expect(read("The report ends with a lone number.")).toEqual([]);
  });
});

function lineRule(pattern: string): LineRule {
  const projection = { value: { from: "group" as const, group: "device" }, fields: [] };
  return { kind: "line", alternatives: [{ pattern, projection, example: "" }], unless: [], filters: [] };
}

describe("signs of a wrong reading", () => {
  const page = readPage("Only errors of kind hard. **value**: the device.", "`a.log`");
  const group = page.groups[0] as (typeof page.groups)[number];
  const lines = ["kind=hard dev sda, sector 1", "kind=soft dev sdb, sector 2"];

  test("a separator at the end of every value", () => {
    expect(vetoes(lineRule("dev (?<device>\\S+)"), group, lines)).toHaveLength(1);
    expect(vetoes(lineRule("dev (?<device>\\w+)"), group, lines)).toEqual([]);
  });

  test("an open bracket, the own name, a line without the bracketed part", () => {
    expect(vetoes(lineRule("(?<device>\\[\\w+)"), group, ["x [sda] y"])).toHaveLength(1);
    expect(vetoes(lineRule("(?<device>device=\\w+)"), group, ["x device=sda y"])).toHaveLength(1);
    const tests = ["a.py::t[x] FAILED", "a.py::u FAILED"];
    expect(vetoes(lineRule("\\[(?<device>\\w+)\\] FAILED"), group, tests)).toHaveLength(1);
  });

  test("a condition that a record does not fulfil", () => {
    expect(unrealised(lineRule("dev (?<device>\\w+)"), page, lines)).toHaveLength(1);
    expect(unrealised(lineRule("kind=hard dev (?<device>\\w+)"), page, lines)).toEqual([]);
  });
});

test("a value where the example has only a placeholder, the same in every record, is a doubt", () => {
  const page = readPage(
    [
      "Pumps that run dry.",
      "",
      "- `10:00 HOST valve[7]: pump north.line3 runs dry`",
      "- **value**: the name of the host.",
    ].join("\n"),
    "",
  );
  const rule: LineRule = {
    kind: "line",
    alternatives: [
      {
        pattern: String.raw`^\d+:\d+ (?<host>\S+) valve\[\d+\]: pump \S+ runs dry`,
        projection: { value: { from: "group", group: "host" }, fields: [] },
        example: "",
      },
    ],
    unless: [],
    filters: [],
  };
  const [group] = page.groups;
  if (group === undefined) throw new Error("the page has no group");
  const lines = (hosts: readonly string[]): string[] =>
    hosts.map((host, index) => `1${index}:30 ${host} valve[4]: pump east.line${index} runs dry`);
  const doubts = (hosts: readonly string[]): string[] =>
    inconsistencies(rule, group, page, lines(hosts)).filter((one) => one.includes("shows only HOST"));
  expect(doubts(["hub", "hub", "hub"])).toHaveLength(1);
  expect(doubts(["hub", "yard", "hub"])).toEqual([]);
});
