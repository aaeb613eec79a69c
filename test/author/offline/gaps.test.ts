// Lines of a rule without words that have all parts of the wanted ones and something more.

import { expect, test } from "bun:test";
import { gapDoubts } from "../../../src/author/offline/doubts/gaps.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";
import type { LineRule } from "../../../src/author/offline/program/ir.ts";

const PAGE = readPage(
  '- ` 4:  lock.canal.example   16.527m` - stage, lock, rise.\n- **value**: the lock.\n- **Fields**: `rise`.\n- Locks with "no water" are not wanted.',
  "`x.log`",
);
const rule = (pattern: string): LineRule => ({
  kind: "line",
  alternatives: [
    {
      pattern,
      projection: {
        value: { from: "group", group: "lock" },
        fields: [{ name: "rise", source: { from: "group", group: "rise" } }],
      },
      example: " 1:  a 4.063m",
    },
  ],
  unless: [],
  filters: [],
});
const LINES = [" 1:  a 4.063m", " 2:  b 3.1m", " 3:  c no water", " 4:  d tidal 3  0.390m", "stage two"];

test("a line with something more between its parts is a doubt where marks alone tell the lines", () => {
  const [group] = PAGE.groups;
  if (group === undefined) throw new Error("no group");
  const form = rule("^\\s*\\d+:\\s+(?<lock>\\S+)\\s+(?<rise>-?\\d+(?:\\.\\d+)?)m");
  expect(gapDoubts(form, group, PAGE, LINES)).toEqual([
    "1 lines with the same parts and something more are not read, e.g. 4:  d tidal 3  0.390m",
  ]);
  expect(
    gapDoubts(
      form,
      group,
      PAGE,
      LINES.filter((line) => !line.includes("tidal")),
    ),
  ).toEqual([]);
  const worded = rule("^\\s*\\d+:\\s+canal lock\\s+(?<lock>\\S+)\\s+(?<rise>\\S+)m");
  expect(gapDoubts(worded, group, PAGE, [" 1: canal lock a 2m", " 1: canal lock a tidal 2m"])).toEqual([]);
});
