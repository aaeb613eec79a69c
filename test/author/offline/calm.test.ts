// Doubts that a careful reader would not have: each time the same reading with a reason for the doubt, and without.
import { expect, test } from "bun:test";
import { inconsistencies } from "../../../src/author/offline/doubts/consistency.ts";
import { lackings } from "../../../src/author/offline/doubts/lacking.ts";
import { oddRows } from "../../../src/author/offline/doubts/odd-rows.ts";
import { unrealised } from "../../../src/author/offline/doubts/rules.ts";
import { vetoes } from "../../../src/author/offline/doubts/vetoes.ts";
import { likeness } from "../../../src/author/offline/page/names.ts";
import { type Group, type Page, readPage } from "../../../src/author/offline/page/page.ts";
import type { LineRule, TableRule } from "../../../src/author/offline/program/ir.ts";
import { toldScope } from "../../../src/author/offline/readers/told-scope.ts";

function read(text: string): { page: Page; group: Group } {
  const page = readPage(text, "");
  const [group] = page.groups;
  if (group === undefined) throw new Error("the page names no record");
  return { page, group };
}

function ruleOf(pattern: string, fields: string[]): LineRule {
  const projection = {
    value: { from: "group" as const, group: "value" },
    fields: fields.map((name) => ({ name, source: { from: "group" as const, group: name } })),
  };
  return { kind: "line", alternatives: [{ pattern, projection, example: "" }], unless: [], filters: [] };
}

test("a text that may be empty is there with its quotes", () => {
  const lines = ['guest "ria" at 7 with word "a" let in', 'guest "sol" at 8 without word sent off'];
  const rule = ruleOf('guest "(?<value>\\w+)" at (?<gate>\\d+) with word "(?<word>[^"]*)"', ["gate", "word"]);
  const doubts = (said: string): string[] => {
    const { page, group } = read(
      `Guests.\n\n- **value**: the guest.\n- **Fields**: \`gate\`, \`word\` (${said}).`,
    );
    return lackings(rule, group, page, lines);
  };
  expect(doubts("in quotes, can be empty")).toEqual([]);
  expect(doubts("in quotes, may be missing").join()).toContain("word may be missing");
});

test("the rest of a line may begin with a time", () => {
  const lines = ["Cell 1: 40, 01:43:14 left", "Cell 2: 50, 00:10:00 left"];
  const rule = ruleOf("^(?<value>Cell \\d): \\d+, (?<remark>.*)", ["remark"]);
  const doubts = (said: string): string[] =>
    vetoes(rule, read(`Cells.\n\n- **value**: the cell.\n- **Fields**: \`remark\` (${said}).`).group, lines);
  expect(doubts("the rest of the line")).toEqual([]);
  expect(doubts("behind the comma").join()).toContain("a time stamp and more");
});

test("the part of the file that a rule reads does what the page restricts", () => {
  const lines = ["[W] CELL_DOWN: 1", "  cell.7 is down", "[W] CELL_OLD: 1", "  cell.8 is old"];
  const { page } = read("Cells.\n\n- Only the details of `CELL_DOWN`.\n- **value**: the cell.");
  const rule = ruleOf("^\\s+(?<value>cell\\.\\d)", []);
  const scope = { open: "CELL_DOWN:", close: "^\\S", openExample: "" };
  expect(unrealised({ ...rule, scope }, page, lines)).toEqual([]);
  expect(unrealised(rule, page, lines).join()).toContain("CELL_DOWN");
});

test("the word in front of a field is no heading", () => {
  const lines = ["device a:/x mounted on /T", "device", "device b mounted on /U"];
  const { page } = read(
    'Mounts.\n\n- **value**: the place.\n- Fields:\n  - `device`: word after "device" (a:/x)',
  );
  expect(toldScope(page, lines)).toBeUndefined();
});

test("a dash or a blank cell is like any other", () => {
  const rule: TableRule = {
    kind: "table",
    header: "^Name",
    headerExample: "",
    row: { by: "pattern", pattern: "^(?<value>\\S+) +(?<size>\\S+) +(?<maker>\\S+)$" },
    ruler: "^-+$",
    ends: "file",
    filters: [],
    unless: [],
    required: [],
    projection: {
      value: { from: "group", group: "value" },
      fields: ["size", "maker"].map((name) => ({ name, source: { from: "group", group: name } })),
    },
    example: "",
  };
  const rows = ["Name Size Maker", "a 1 ada", "b 2 bea", "c 3 cleo", "d 4 dora", "e 5 eve", "f 6 fay"];
  expect(oddRows(rule, [...rows, "x - -"])).toEqual([]);
  expect(oddRows(rule, [...rows, "sum of 12"]).join()).toContain("sum of 12");
});

test("a column that a field is said to come from is its column", () => {
  const hint = { name: "load_percent", description: "(from %LOAD, here 0.50)" };
  expect(likeness(hint, "%LOAD")).toBe(1);
  expect(likeness(hint, "LOAD")).toBeLessThan(1);
});

test("one text shown for two parts is that of one of them", () => {
  const { page, group } = read(
    "Pins.\n\n- `pin a at (310.0um, 42.6um)`\n- **value**: the pin.\n- **Fields**: `x` then `y`, with the unit (`310.0um`).",
  );
  const lines = ["pin b at (1.0um, 2.0um)", "pin c at (3.0um, 4.0um)"];
  const rule = ruleOf("^pin (?<value>\\w) at \\((?<x>\\S+), (?<y>\\S+)\\)", ["x", "y"]);
  expect(inconsistencies(rule, group, page, lines)).toEqual([]);
  const other = ruleOf("^pin (?<x>\\w) at \\((?<value>\\S+), (?<y>\\S+)\\)", ["x", "y"]);
  expect(inconsistencies(other, group, page, lines).join()).toContain("310.0um");
});
