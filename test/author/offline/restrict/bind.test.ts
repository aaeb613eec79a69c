// Pieces of sentences bound to the records of a small log: which of them are left.

import { expect, test } from "bun:test";
import { interpretRule } from "../../../../src/author/offline/program/interpret.ts";
import { apply } from "../../../../src/author/offline/restrict/bind.ts";
import { hintsOf, lineRule } from "./support.ts";

const LINES = [
  "07:58:10 ferry a12 Berth 0, Row 3 crew=4 guests=120 length=18 m tie=10.7.1.9 mode=rope__slack_ keep open",
  "09:15:00 ferry b2 Berth 0, Row 4 crew=12 guests=0 length=44 m tie=10.8.1.9 mode=chain__taut_ - sealed",
  "10:00:00 barge c7 Berth 1, Row 3 crew=12 guests=12 length=25 m tie=2001:db8::7 mode=rope__taut_ keep open",
  "23:01:59 yacht d9 Berth 1, Row 9 crew=2 guests=8 length=9 m tie=10.7.2.3 mode=rope__slack_ - sealed",
];

const NAMES = ["boat", "berth", "crew", "guests", "length", "tie", "mode", "note"];
const RULE = lineRule(
  "^\\S+ (?<boat>\\S+) (?<code>\\S+) (?<berth>Berth \\d+, Row \\d+) crew=(?<crew>\\d+) guests=(?<guests>\\d+) length=(?<length>\\d+ m) tie=(?<tie>\\S+) mode=(?<mode>\\S+) (?:-|(?<note>\\w+)) \\w+$",
  "code",
  NAMES,
  LINES[0],
);
const GROUP = hintsOf("code", NAMES);

const ALL = "abcd";
/** A piece, whether what it asks is wanted, quoted texts, and the first letters of the codes that are left. */
const TABLE: [string, boolean, string[], string][] = [
  ["boats longer than 20 m", true, [], "bc"],
  ["boats longer than 20 m", false, [], "ad"],
  ["boats that came before 9:30", false, [], "cd"],
  ["boats that came at 10:00 or later", true, [], "cd"],
  ["boats in Berth 0", false, [], "cd"],
  ["boats with a tie in 10.7.0.0/16", true, [], "ad"],
  ["boats without a note", false, [], "ac"],
  ["boats with no guests", false, [], "acd"],
  ["boats whose crew and guests are the same", false, [], "abd"],
  ["boats with fewer guests than crew", true, [], "b"],
  ["boats with a tie over IPv6", false, [], "abd"],
  ["boats whose line ends ‹0›", false, ["sealed"], "ac"],
  ["slack boats", false, [], "bc"],
  ["ferries", false, [], "cd"],
  ["boats with a crew of 12 or with more than 100 guests", true, [], "abc"],
  ["boats with a crew of more than 3 and without a note", false, [], "acd"],
  ["boats with a crew of more than 3 and boats without a note", false, [], ""],
  ["boats where at least one of crew and guests is pink", true, [], ALL],
];

for (const [text, keep, quoted, left] of TABLE)
  test(`${keep ? "only" : "no"} ${text}`, () => {
    const { rules, doubt } = apply({ keep, isOrder: false, text }, quoted, {
      rules: [RULE],
      group: GROUP,
      lines: LINES,
    });
    if (left === "") {
      expect(doubt).toBeDefined();
      return;
    }
    const records = (rules ?? [RULE]).flatMap((rule) => interpretRule(rule, LINES));
    expect({ left: records.map(({ value }) => value.charAt(0)).join(""), doubt }).toEqual({
      left,
      doubt: undefined,
    });
  });
