// Sentences of which a word or two could be bound, but not what they ask: these are doubts; and sentences that look like a
// restriction and ask nothing that the records do not fulfil.

import { expect, test } from "bun:test";
import { makeHint } from "../../../../src/author/offline/page/make-hint.ts";
import type { Group, Page } from "../../../../src/author/offline/page/page.ts";
import { statementsOf } from "../../../../src/author/offline/page/text.ts";
import { interpretRule } from "../../../../src/author/offline/program/interpret.ts";
import type { LineRule } from "../../../../src/author/offline/program/ir.ts";
import { restrain } from "../../../../src/author/offline/restrict/index.ts";

const LINES = [
  "* > alder 2.1 Early Departure [MissCargoNote] waits 4",
  "*   birch 2.1.3 Late Departure [MissCrewNote] waits 0",
  "*   cedar 3 Early Arrival [LooseRope] waits 0",
  "* > drift 4.4 Late Arrival [LooseChain] waits 9",
  "    elm ? ? ? adrift at sea",
];

const NAMES = ["boat", "number", "type", "rule"];
const RULE: LineRule = {
  kind: "line",
  alternatives: [
    {
      pattern:
        "^(?<mark>\\*(?: >)?) +(?<boat>\\w+) (?<number>[\\d.]+) (?<type>\\w+ \\w+) \\[(?<rule>\\w+)\\] waits \\d+$",
      projection: {
        value: { from: "group", group: "boat" },
        fields: ["mark", ...NAMES].map((name) => ({ name, source: { from: "group", group: name } })),
      },
      example: LINES[0] ?? "",
    },
  ],
  unless: [],
  filters: [],
};
const GROUP: Group = {
  value: makeHint("boat", ""),
  fields: ["mark", ...NAMES].map((name) => makeHint(name, "")),
  examples: [],
} as unknown as Group;

function left(said: string): string {
  const statements = statementsOf(`Moves of the boats.\n\n- ${said}`);
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
  // One of two signs is half of what is asked.
  ["Boats marked with an asterisk and a greater-than sign; only these are wanted.", "doubt"],
  // Words in capitals that are together the text of a part are one text.
  ["Only boats of the types Early Departure and Late Departure are wanted.", "ab"],
  ["Moves of the type Late Arrival do not count.", "abc"],
  // What a text is made of is no amount of it.
  ["Numbers with three parts or more are too fine; drop them.", "doubt"],
  ["Numbers of more than two components are not wanted.", "doubt"],
  ["Whatever the rule `Miss...Note` finds is tolerated.", "cd"],
  ["Find the boats that never waited; their wait is 0.", "doubt"],
  ["Boats that did not answer at all show three question marks; they are skipped.", "abcd"],
  ['"adrift at sea" is our own trouble and not a move.', "abcd"],
  ["Fields `boat` (small letters only) and `number` stand in front of the brackets.", "abcd"],
  ["Late arrivals are wanted too.", "abcd"],
];

for (const [said, letters] of TABLE)
  test(said, () => {
    expect(left(said)).toBe(letters);
  });
