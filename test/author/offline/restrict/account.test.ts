// Sentences that restrict the records of a small log: each is done, held by what the log shows, or a doubt; none ends unsaid.

import { expect, test } from "bun:test";
import { makeHint } from "../../../../src/author/offline/page/make-hint.ts";
import type { Group, Page } from "../../../../src/author/offline/page/page.ts";
import { statementsOf } from "../../../../src/author/offline/page/text.ts";
import { interpretRule } from "../../../../src/author/offline/program/interpret.ts";
import type { LineRule } from "../../../../src/author/offline/program/ir.ts";
import { restrain } from "../../../../src/author/offline/restrict/index.ts";

const LINES = [
  "Mon lane-1 kiln amber E fired 90 s, 1 crack: glaze ran over the rim",
  "Tue lane_2 kiln birch W fired 30 s, 0 cracks: cone bent",
  "Sun lane-3 kiln cedar W fired 600 s, 4 cracks: glaze ran over the rim",
  "Sun lane_4 kiln drift N fired 45 s, 2 cracks: shelf chipped",
  "Sun lane-5 oven elm idle, door open",
];

const NAMES = ["day", "lane", "kind", "seconds", "cracks", "remark"];
const RULE: LineRule = {
  kind: "line",
  alternatives: [
    {
      pattern:
        "^(?<day>\\w+) (?<lane>\\S+) kiln (?<kiln>\\S+) (?<kind>\\w) fired (?<seconds>\\d+) s, (?<cracks>\\d+) cracks?: (?<remark>.*)$",
      projection: {
        value: { from: "group", group: "kiln" },
        fields: NAMES.map((name) => ({ name, source: { from: "group", group: name } })),
      },
      example: LINES[0] ?? "",
    },
  ],
  unless: [],
  filters: [],
};
const GROUP: Group = {
  value: makeHint("kiln", ""),
  fields: NAMES.map((name) => makeHint(name, name === "seconds" ? "in seconds" : "")),
  examples: [],
} as unknown as Group;

function left(said: string): string {
  const statements = statementsOf(
    `Firings of the kilns.\n\n- Kinds are errors (E), warnings (W) and notes (N).\n- ${said}`,
  );
  const page = {
    ...{ statements, sourceStatements: [], places: [], claims: [], files: [], unwanted: [], rules: [] },
    wishes: [],
    lists: [],
  } as unknown as Page;
  const { rules, doubts } = restrain([RULE], GROUP, page, LINES, new Set());
  if (doubts.length > 0) return "doubt";
  return rules
    .flatMap((rule) => interpretRule(rule, LINES))
    .map(({ value }) => value.charAt(0))
    .join("");
}

/** A bullet of the page and the first letters of what is left. */
const TABLE: [string, string][] = [
  ["Firings of less than a minute are left out.", "ac"],
  ["Firings of half a minute and below are skipped.", "acd"],
  ["Kilns with exactly one crack have been waived.", "bcd"],
  ["Whatever cracked at least twice is what we want to see.", "cd"],
  ["Lanes with a hyphen are not part of this.", "bd"],
  ["Only what was fired on a Sunday.", "cd"],
  ["Warnings do not count.", "ad"],
  ["The kilns amber and birch are old; spare us those.", "cd"],
  ["Kilns `cedar` and `drift` hold the tiles; only these matter.", "cd"],
  ["Firings whose operator was on leave are left out.", "doubt"],
  ["A ran glaze has been dealt with and is not counted.", "doubt"],
  // Ovens are read by nothing, and what explains restricts nothing.
  ["Ovens that are idle are not wanted.", "abcd"],
  ["A kiln that was fired more than once is an item each time.", "abcd"],
  ["The remark is too long to fit on some lines.", "abcd"],
];

for (const [said, letters] of TABLE)
  test(said, () => {
    expect(left(said)).toBe(letters);
  });
