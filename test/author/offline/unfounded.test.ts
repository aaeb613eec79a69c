// Lines that a rule leaves out for words or marks that only one line of the log has are a doubt; lines that the page
// itself tells apart are none.
import { expect, test } from "bun:test";
import { unfounded } from "../../../src/author/offline/doubts/unfounded.ts";
import { type Group, readPage } from "../../../src/author/offline/page/page.ts";
import type { LineRule } from "../../../src/author/offline/program/ir.ts";

const PAGE = [
  "Complaints of the panel checker.",
  "",
  "- `(hall 2) door.pan:7: complaint: hinge is loose {loose-part}`",
  "- **value**: the complaint's name in braces.",
  "- **Fields**: `hall`, `file`.",
  "- Remarks are not wanted.",
].join("\n");

const LINES = [
  "(hall 1) gate.pan:12: complaint: bolt and nut of unequal size {unequal-size}",
  "(hall 1) gate.pan:19: complaint: paint is thin {thin-paint}",
  "(hall 2) roof.pan:3: remark: paint is fresh {fresh-paint}",
];

function rule(pattern: string, filters: LineRule["filters"] = []): LineRule {
  const projection: LineRule["alternatives"][0]["projection"] = {
    value: { from: "group", group: "name" },
    fields: [{ name: "hall", source: { from: "group", group: "hall" } }],
  };
  return {
    kind: "line",
    alternatives: [{ pattern, projection, example: LINES[0] ?? "" }],
    unless: [],
    filters,
  };
}

const GROUP: Group = { value: undefined, fields: [], examples: [], wanted: [], only: [], prose: "" };
const HEAD = String.raw`\(hall\s+(?<hall>\d+)\)\s+(?<file>[^\s:]+):\d+:\s+complaint:\s+`;
const TAIL = String.raw`\s+\{(?<name>[^}]+)\}`;

test("a wanted line that only words of one log line keep out is a doubt that shows it", () => {
  const doubts = unfounded(rule(`${HEAD}bolt\\s+and\\s+nut.*?${TAIL}`), GROUP, readPage(PAGE, ""), LINES);
  expect(doubts).toHaveLength(1);
  expect(doubts[0]).toContain("thin-paint");
});

test("what the page tells apart is no doubt, nor is a rule that takes all", () => {
  expect(unfounded(rule(`${HEAD}.*?${TAIL}`), GROUP, readPage(PAGE, ""), LINES)).toEqual([]);
});

test("a line that a condition of the page leaves out is no doubt", () => {
  const only = rule(`${HEAD}bolt\\s+and\\s+nut.*?${TAIL}`, [{ group: "name", equals: ["unequal-size"] }]);
  expect(unfounded(only, GROUP, readPage(PAGE, ""), LINES)).toEqual([]);
});

test("expressions with look-aheads or alternatives at the top are left alone", () => {
  for (const pattern of [`${HEAD}(?!paint).*?${TAIL}`, `${HEAD}bolt.*?${TAIL}|never`])
    expect(unfounded(rule(pattern), GROUP, readPage(PAGE, ""), LINES)).toEqual([]);
});
