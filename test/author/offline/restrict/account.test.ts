// Sentences that restrict the records of a small log: each is done, held by what the log shows, or a doubt; none ends unsaid.

import { expect, test } from "bun:test";
import { hintsOf, lettersLeft, lineRule } from "./support.ts";

const LINES = [
  "Mon lane-1 kiln amber E fired 90 s, 1 crack: glaze ran over the rim",
  "Tue lane_2 kiln birch W fired 30 s, 0 cracks: cone bent",
  "Sun lane-3 kiln cedar W fired 600 s, 4 cracks: glaze ran over the rim",
  "Sun lane_4 kiln drift N fired 45 s, 2 cracks: shelf chipped",
  "Sun lane-5 oven elm idle, door open",
];

const NAMES = ["day", "lane", "kind", "seconds", "cracks", "remark"];
const RULE = lineRule(
  "^(?<day>\\w+) (?<lane>\\S+) kiln (?<kiln>\\S+) (?<kind>\\w) fired (?<seconds>\\d+) s, (?<cracks>\\d+) cracks?: (?<remark>.*)$",
  "kiln",
  NAMES,
  LINES[0],
);
const GROUP = hintsOf("kiln", NAMES, { seconds: "in seconds" });

const left = (said: string): string =>
  lettersLeft(
    `Firings of the kilns.\n\n- Kinds are errors (E), warnings (W) and notes (N).\n- ${said}`,
    RULE,
    GROUP,
    LINES,
  );

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
