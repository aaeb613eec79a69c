// Sentences of which a word or two could be bound, but not what they ask: these are doubts; and sentences that look like a
// restriction and ask nothing that the records do not fulfil.

import { expect, test } from "bun:test";
import { hintsOf, lettersLeft, lineRule } from "./support.ts";

const LINES = [
  "* > alder 2.1 Early Departure [MissCargoNote] waits 4",
  "*   birch 2.1.3 Late Departure [MissCrewNote] waits 0",
  "*   cedar 3 Early Arrival [LooseRope] waits 0",
  "* > drift 4.4 Late Arrival [LooseChain] waits 9",
  "    elm ? ? ? adrift at sea",
];

const FIELDS = ["mark", "boat", "number", "type", "rule"];
const RULE = lineRule(
  "^(?<mark>\\*(?: >)?) +(?<boat>\\w+) (?<number>[\\d.]+) (?<type>\\w+ \\w+) \\[(?<rule>\\w+)\\] waits \\d+$",
  "boat",
  FIELDS,
  LINES[0],
);
const GROUP = hintsOf("boat", FIELDS);

const left = (said: string): string => lettersLeft(`Moves of the boats.\n\n- ${said}`, RULE, GROUP, LINES);

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
