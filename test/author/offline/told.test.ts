// What the page tells in so many words: who of all is wanted, which line counts, two forms of a record, other texts of a
// part than in the example.
import { expect, test } from "bun:test";
import { told } from "../../../src/author/offline/doubts/told.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";
import { interpretRule } from "../../../src/author/offline/program/interpret.ts";
import type { LineRule, Rule, TableRule, TreeRule } from "../../../src/author/offline/program/ir.ts";

function doubtsOf(rule: Rule, prose: string, lines: string[]): string[] {
  const page = readPage(prose, "");
  const [group] = page.groups;
  if (group === undefined) throw new Error("the page names no record");
  return told([rule], group, page, lines);
}

function lineRule(pattern: string, fields: string[] = []): LineRule {
  const projection = {
    value: { from: "group" as const, group: "name" },
    fields: fields.map((name) => ({ name, source: { from: "group" as const, group: name } })),
  };
  return { kind: "line", alternatives: [{ pattern, projection, example: "" }], unless: [], filters: [] };
}

const BOATS = ["Boat   Berth  Crew", "Ada    B1     ?", "Bea    B2     4"];

const TABLE: TableRule = {
  kind: "table",
  header: "^Boat\\s+Berth\\s+Crew$",
  headerExample: BOATS[0] ?? "",
  ruler: "^[- ]+$",
  row: { by: "pattern", pattern: "^(?<name>\\S+)\\s+(?<berth>\\S+)\\s+(?<crew>\\S+)$" },
  ends: "blank",
  unless: [],
  filters: [],
  required: ["name"],
  projection: { value: { from: "group", group: "name" }, fields: [] },
  example: BOATS[1] ?? "",
};

test("a table of which the page wants some rows, and all are taken", () => {
  const columns = "The list has the columns Boat, Berth and Crew. Value is the boat.";
  expect(doubtsOf(TABLE, `${columns} Extract the boats that do have a crew.`, BOATS)[0]).toContain(
    "takes all",
  );
  expect(doubtsOf(TABLE, `${columns} Extract every row of that list.`, BOATS)).toEqual([]);
  // In prose a page has to say that it wants them all.
  expect(doubtsOf(TABLE, `${columns} Extract the moored boats.`, BOATS)[0]).toContain("takes all");
});

test("the line that the page tells is not the one of the records", () => {
  const lines = [
    "Opening lock for gate G1",
    "done: gate G1 level 3",
    "Opening lock for gate G2",
    "done: gate G2 level 4",
  ];
  const prose =
    "Each gate is reported in turn. Value is the gate. Take the line that tells the opening as the line of the record.";
  expect(doubtsOf(lineRule(String.raw`^done: gate (?<name>\S+)`), prose, lines)[0]).toContain(
    "which line counts",
  );
  expect(doubtsOf(lineRule(String.raw`^Opening lock for gate (?<name>\S+)$`), prose, lines)).toEqual([]);
});

test("a text that the page shows for a part beside that of the example", () => {
  const page = [
    "Parts compared.",
    "",
    "- `bolt_3 (14) | bolt_3 (14)`",
    "- **value**: the part.",
    "- **Fields**: `left`: the number on the left, `14` or `120->1` where some were merged.",
  ].join("\n");
  const narrow = lineRule(String.raw`^(?<name>\S+) \((?<left>\d+)\) \|`, ["left"]);
  const wide = lineRule(String.raw`^(?<name>\S+) \((?<left>[^)]+)\) \|`, ["left"]);
  const lines = ["bolt_3 (14) | bolt_3 (14)", "nut_1 (678->1) | nut_1 (678->1)"];
  expect(doubtsOf(narrow, page, lines)[0]).toContain("120->1");
  expect(doubtsOf(wide, page, lines)).toEqual([]);
});

test("two forms of a record, and one is read", () => {
  const rule: TreeRule = {
    kind: "tree",
    syntax: "json_lines",
    record: ["door"],
    parts: [{ group: "name", up: 0, down: [], take: "text" }],
    line: { up: 0, down: [] },
    filters: [],
    required: ["name"],
    projection: { value: { from: "group", group: "name" }, fields: [] },
    example: "",
  };
  const prose =
    "A record is either a JSON object or a line of text with the door at its end. Value is the door.";
  const objects = ['{"at":1,"door":"west"}', '{"at":2,"door":"east"}'];
  expect(interpretRule(rule, objects).map((one) => one.value)).toEqual(["west", "east"]);
  expect(doubtsOf(rule, prose, [...objects, "3 door north"])[0]).toContain("two forms");
  expect(doubtsOf(rule, prose, objects)).toEqual([]);
});
