// What the reading of prose by its words leans on: borders that the page names, values that come twice, the marks that
// all lines have, and parts carried from one line to the others.

import { describe, expect, test } from "bun:test";
import { borders } from "../../../src/author/offline/doubts/borders.ts";
import { doubles } from "../../../src/author/offline/doubts/doubles.ts";
import { spoken } from "../../../src/author/offline/doubts/spoken.ts";
import { makeHint } from "../../../src/author/offline/page/make-hint.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";
import type { LineRule } from "../../../src/author/offline/program/ir.ts";
import { carry, sourceOf } from "../../../src/author/offline/readers/worded/recipes.ts";
import { sampleOf } from "../../../src/author/offline/readers/worded/sample.ts";
import { slotsOf } from "../../../src/author/offline/readers/worded/skeleton.ts";

function rule(pattern: string): LineRule {
  return {
    kind: "line",
    alternatives: [
      { pattern, projection: { value: { from: "group", group: "v" }, fields: [] }, example: "" },
    ],
    unless: [],
    filters: [],
  };
}

function texts(line: string, part: string, hint = makeHint("name", ""), others: string[] = []): string[] {
  const start = line.indexOf(part);
  const sample = sampleOf([line, ...others]);
  const carried = carry(line, { start, end: start + part.length }, hint, sample);
  return (carried?.spans ?? []).map((span, at) =>
    span === undefined ? "" : (sample.lines[at] ?? "").slice(span.start, span.end),
  );
}

describe("parts in all lines of a set", () => {
  test("a word in front tells the part, though its place differs", () => {
    const others = ["gate refused port 7: bad hello", "peer 10.0.0.9 left early on port 81"];
    expect(texts("gate closed by peer port 4022 early", "4022", makeHint("port", ""), others)).toEqual([
      "4022",
      "7",
      "81",
    ]);
  });

  test("a part that some lines lack is not read by its place", () => {
    const hint = { ...makeHint("user", ""), optional: true };
    expect(texts("left: user mia 10.0.0.1", "mia", hint, ["left: peer tcp 10.0.0.2"])).toEqual(["mia", ""]);
  });

  test("a part between marks that the page names", () => {
    const hint = makeHint("part", "the name between `\\047` and `\\047`");
    expect(texts("part \\047fan2\\047 lost", "fan2", hint, ["part \\047psu-left\\047 lost"])).toEqual([
      "fan2",
      "psu-left",
    ]);
  });

  test("the expression of a part has its group", () => {
    const sample = sampleOf(["rate=4 a", "rate=5 b"]);
    const carried = carry("rate=4 a", { start: 5, end: 6 }, makeHint("rate", ""), sample);
    expect(carried === undefined ? "" : sourceOf(carried.recipe, "rate")).toContain("(?<rate>");
  });

  test("the parts between the marks that all lines have", () => {
    const lines = [
      "a.c:1: long name: use less",
      "b.c:22: dead branch, twice: drop it",
      "c.c:3: order: sort (once)",
    ];
    const slots = slotsOf(lines[1] ?? "", sampleOf(lines)) ?? [];
    expect(slots.map(({ start, end }) => (lines[1] ?? "").slice(start, end))).toEqual([
      "b.c",
      "22",
      "dead branch, twice",
      "drop it",
    ]);
  });
});

describe("signs of a wrong reading", () => {
  const page = readPage("The value is the name of the mark. Fields: none.", "`a.txt`");

  test("values that are others with a mark behind them", () => {
    const lines = ["n v1", "n v1^!", "n v2", "n v2^!", "n v3", "n v3^!", "n v4"];
    expect(doubles([rule("^n (?<v>\\S+)$")], page, lines)).toHaveLength(1);
    expect(doubles([rule("^n (?<v>\\w+)$")], page, lines)).toEqual([]);
  });

  test("a part that does not stand behind the text that the page names", () => {
    const hint = makeHint("name", 'the name as written after "End of"');
    const lines = ["End of sweep; 4 done", "End of late sweep; 5 done"];
    expect(borders(rule("(?<v>\\w+); \\d"), hint, [], lines)).toHaveLength(1);
    expect(borders(rule("End of (?<v>[^;]+);"), hint, [], lines)).toEqual([]);
  });

  test("records that differ in a code of the page", () => {
    const told = readPage(
      "A start leaves a GO record with step number 44. The value is the tool. Fields: none.",
      "`a.txt`",
    );
    const [group] = told.groups;
    if (group === undefined) throw new Error("the page has no value");
    const lines = ["kind=GO step=44 tool=ld", "kind=END step=44 tool=ld", "kind=GO step=44 tool=as"];
    expect(spoken(rule("tool=(?<v>\\w+)"), group, told, lines)).toHaveLength(1);
    expect(spoken(rule("kind=GO .*tool=(?<v>\\w+)"), group, told, lines)).toEqual([]);
  });
});
