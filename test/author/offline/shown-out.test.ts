// Signs that are told from the page's own example, and doubts that a log seen in part may not raise.

import { expect, test } from "bun:test";
import { misplacedPatterns } from "../../../src/author/offline/doubts/patterns.ts";
import { shownButOut } from "../../../src/author/offline/doubts/shown-out.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";
import { emitAtomA } from "../../../src/author/offline/program/emit.ts";
import type { LineRule } from "../../../src/author/offline/program/ir.ts";

const RULE: LineRule = {
  kind: "line",
  alternatives: [
    {
      pattern: "^tank (?<tank>\\S+) (?<used>\\S+) (?<use>\\S+)$",
      projection: {
        value: { from: "group", group: "tank" },
        fields: [{ name: "used", source: { from: "group", group: "used" } }],
      },
      example: "tank a 67 100%",
    },
  ],
  unless: [],
  filters: [],
};
const PAGE = readPage(
  "- `tank a 67 100%` - tank, used, use.\n- **value**: the tank.\n- **Fields**: `used`.",
  "`x.log`",
);
const [GROUP] = PAGE.groups;

test("a condition that leaves out the page's own example is a doubt", () => {
  if (GROUP === undefined) throw new Error("no group");
  const on = (group: string, negate?: true): LineRule => ({
    ...RULE,
    filters: [{ group, equals: ["100%"], ...(negate === true ? { negate } : {}) }],
  });
  expect(shownButOut([on("used")], GROUP)).toEqual([
    "a condition leaves out a line that the page shows: tank a 67 100%",
  ]);
  expect(shownButOut([on("use")], GROUP)).toEqual([]);
  expect(shownButOut([on("use", true)], GROUP)).toEqual([]);
});

test("a pattern that stands only in other lines of a log seen in part says nothing of the value", () => {
  const code = emitAtomA({ title: "Tanks", rules: [RULE] });
  const seen = (startLine: number, ...lines: string[]) => ({ path: "/x.log", startLine, lines });
  const head = seen(1, "tank a 67 100%", "note on tank north");
  expect(misplacedPatterns(["north"], code, [head])).toEqual(["north"]);
  expect(misplacedPatterns(["north"], code, [head, seen(90, "tank b 1 2%")])).toEqual([]);
  expect(misplacedPatterns(["67"], code, [head, seen(90, "tank b 1 2%")])).toEqual(["67"]);
});
