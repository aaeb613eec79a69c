// What the page rules out and some records have, and what it quotes as wanted and no rule reads: doubts of every kind
// of rule.
import { expect, test } from "bun:test";
import { mentioned } from "../../../src/author/offline/doubts/mentioned.ts";
import { type Page, readPage } from "../../../src/author/offline/page/page.ts";
import type { BlockRule, LineRule } from "../../../src/author/offline/program/ir.ts";

function doubtsOf(rule: LineRule | BlockRule, page: Page, lines: string[]): string[] {
  const [group] = page.groups;
  if (group === undefined) throw new Error("the page names no record");
  return mentioned([rule], group, page, lines);
}

function lineRule(pattern: string, example: string): LineRule {
  const projection = { value: { from: "group" as const, group: "name" }, fields: [] };
  return { kind: "line", alternatives: [{ pattern, projection, example }], unless: [], filters: [] };
}

test("an option in brackets that the page rules out", () => {
  const page = readPage(
    "Each shelf has a place and, in parentheses, its options. Extract the shelves whose options do not include noheat. Value is the name of the shelf.",
    "",
  );
  const rule = lineRule(String.raw`^shelf (?<name>\S+) at \S+ \(`, "");
  const shelves = ["shelf s1 at north (lit,noheat)", "shelf s2 at north (lit,dry)"];
  expect(doubtsOf(rule, page, shelves)[0]).toContain('"noheat"');
  expect(doubtsOf(rule, page, ["shelf s2 at north (lit,dry)", "shelf s3 at east (dry,lit)"])).toEqual([]);
});

const RECIPES = readPage(
  [
    "Recipes with a single tool.",
    "",
    "- A recipe:",
    "  ```",
    "  Recipe: bread",
    "  Tool:",
    "    oven",
    "  ```",
    "- Recipes with several have the heading `Tools:` instead of `Tool:`; these are not wanted.",
    "- **value**: the name of the recipe.",
  ].join("\n"),
  "",
);

test("what a sentence says of the one before it: 'these are not wanted'", () => {
  expect(RECIPES.unwanted).toEqual(["Tools:"]);
  const more = readPage(
    'Each jar has a label. Jars on the shelf "for display" are empty. Those are not findings.',
    "",
  );
  expect(more.unwanted).toEqual(["for display"]);
});

test("a heading inside a record of several lines that the page rules out", () => {
  const rule: BlockRule = {
    kind: "block",
    start: "^Recipe: (?<name>.+)$",
    startExample: "Recipe: bread",
    keys: [],
    keyLine: "^(?<key>[^:]+):(?<value>.*)$",
    ends: "start",
    lineOf: "start",
    valueGroup: "name",
    filters: [],
    required: ["name"],
    projection: { value: { from: "group", group: "name" }, fields: [] },
  };
  const bread = ["Recipe: bread", "Tool:", "  oven"];
  const soup = ["Recipe: soup", "Tools:", "  pot", "  spoon"];
  expect(doubtsOf(rule, RECIPES, [...bread, ...soup])[0]).toContain('"Tools:"');
  expect(doubtsOf(rule, RECIPES, [...bread, "Recipe: cake", "Tool:", "  oven"])).toEqual([]);
});

test("lines in another form with the text that the page quotes for wanted lines", () => {
  const page = readPage(
    'The door writes key=value pairs or JSON. A refusal has the message "card is not known". Value is the door.',
    "",
  );
  const rule = lineRule(String.raw`^at=\S+ msg="card is not known" door=(?<name>\S+)$`, "");
  const pairs = ['at=9 msg="card is not known" door=west', 'at=10 msg="opened" door=west'];
  expect(doubtsOf(rule, page, [...pairs, '{"msg":"card is not known","door":"east"}'])[0]).toContain(
    "not read",
  );
  expect(doubtsOf(rule, page, [...pairs, '{"msg":"opened","door":"east"}'])).toEqual([]);
});

test("a kind of record that the page does not need", () => {
  const page = readPage(
    "The table of a gym has the columns Kind, Room and Hour. Take the rows about weights, light and heavy; the rows about the sauna are not needed. Value is the room. Fields: kind.",
    "",
  );
  const rule = lineRule(String.raw`^(?<kind>\w+ \w+) +(?<name>r\d+) +\d+$`, "");
  for (const one of rule.alternatives) {
    one.projection = {
      ...one.projection,
      fields: [{ name: "kind", source: { from: "group", group: "kind" } }],
    };
  }
  const rows = [
    "Light weights  r1  9",
    "Heavy weights  r2  9",
    "Light weights  r3  10",
    "Heavy weights  r4  11",
  ];
  expect(doubtsOf(rule, page, [...rows, "Big sauna  r9  9"])[0]).toContain('"sauna"');
  expect(doubtsOf(rule, page, rows)).toEqual([]);
});

test("a file that another check reads is none of ours", () => {
  const page = readPage(
    "",
    "`lint.txt`. The scanner's `safety.txt` is in the same directory and is checked elsewhere.",
  );
  expect(page.files).toEqual([
    { glob: "lint.txt", wanted: true },
    { glob: "safety.txt", wanted: false },
  ]);
});

test("names in brackets that add nothing, and marks that are wanted as well", () => {
  expect(readPage("Other record types (OPEN, CWD and so on) add nothing.", "").unwanted).toEqual([
    "OPEN",
    "CWD",
  ]);
  const page = readPage(
    "Notes of the tuner. Notes marked `Flat` instead of `Sharp` are wanted as well. Value is the note.",
    "",
  );
  const rule = lineRule(String.raw`^Sharp (?<name>\w)$`, "Sharp c");
  expect(doubtsOf(rule, page, ["Sharp c", "Sharp d", "Flat e"])[0]).toContain('"Flat"');
  expect(doubtsOf(rule, page, ["Sharp c", "Sharp d"])).toEqual([]);
});
