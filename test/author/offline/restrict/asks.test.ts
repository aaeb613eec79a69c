// What pieces of sentences ask, whatever it may be bound to.

import { expect, test } from "bun:test";
import { type Ask, asksOf } from "../../../../src/author/offline/restrict/asks.ts";

const said = ({ how, texts, negate, of }: Ask): string =>
  `${negate ? "not " : ""}${how} ${texts.join("|")}${of === undefined ? "" : ` of ${of}`}`.trim();

const TABLE: [string, string[]][] = [
  ["pumps of less than 40 bar", ["below 40"]],
  ["pumps with 12 or more turns", ["least 12"]],
  ["lines from line 30 on", ["least 30 of line"]],
  ["hints that stand above line 60", ["below 60 of line"]],
  ["hints behind line 12", ["above 12 of line"]],
  ["shares below half", ["below 50"]],
  ["trips that end at 10:00:00 or later", ["since 10:00:00"]],
  ["trips before 6:30", ["before 6:30"]],
  ["trips between 08:00 and 09:30", ["since 08:00", "until 09:30"]],
  ["drivers older than 1.10.2", ["before 1.10.2"]],
  ["moorings not later than 2031-04-05", ["until 2031-04-05"]],
  ["laps of more than 0:00.00", ["after 0:00.00"]],
  ["clients from 10.x.x.x", ["is 10.x.x.x"]],
  ["clients in 10.7.0.0/16", ["is 10.7.0.0/16"]],
  ["guests without a badge that has expired", ["blank  of badge"]],
  ["guests with an empty badge", ["blank  of badge"]],
  ["guests with no badge number cannot be found", ["blank  of badge number"]],
  ["berths other than those with KX-77", ["not is KX-77"]],
  ["berths with an underscore in the code", ["contains _ of code"]],
  ["berths without square brackets", ["not contains ["]],
  ["berths with a blank code", ["blank  of code"]],
  ["names ending in a digit", ["like \\d$"]],
  ["berths below priority 4", ["below 4 of priority"]],
  ["berths with smtp or imap in the name", ["contains smtp|imap of name"]],
  ["berths of class 4 (5 is the worst)", ["is 4"]],
  ["pumps that ran exactly once", ["number 1"]],
];

for (const [piece, asks] of TABLE)
  test(piece, () => {
    expect(asksOf(piece, []).map(said)).toEqual(asks);
  });

test("a month is asked as logs write it", () => {
  const [ask] = asksOf("tides in February", []);
  const regex = new RegExp(ask?.texts[0] ?? "never");
  for (const line of ["2031-02-07 low", "Feb  7 10:00", "07/Feb/2031", "2031/02/07"])
    expect(line).toMatch(regex);
  for (const line of ["2031-03-02 low", "Mar  7", "2031/12/02"]) expect(line).not.toMatch(regex);
});

test("a number goes with the word in front of it", () => {
  expect(asksOf("drawers in Cabinet 0", []).map(({ phrase }) => phrase)).toContain("Cabinet 0");
});

test("an ask may be of several parts at once", () => {
  const [ask] = asksOf("at least one of the three counts is more than 1", []);
  expect(ask?.among).toEqual({ how: "any", noun: "counts", count: 3 });
});
