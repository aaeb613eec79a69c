// What a page says about which records are wanted and which are not: how sentences are read, and that the filters of the
// code compare as the interpreter does.
import { describe, expect, test } from "bun:test";
import { readClaims } from "../../../src/author/offline/page/claims.ts";
import { holds } from "../../../src/author/offline/page/conditions.ts";
import { readPlaces } from "../../../src/author/offline/page/place-claims.ts";
import { statementsOf } from "../../../src/author/offline/page/text.ts";
import { emitFilters } from "../../../src/author/offline/program/emit.ts";
import type { GroupFilter } from "../../../src/author/offline/program/ir.ts";

/** Each claim as one text: sign, part, how, texts. */
function claims(text: string): string[] {
  return readClaims(statementsOf(text)).map(({ wanted, tests }) =>
    tests
      .map(
        (one) =>
          `${wanted ? "+" : "-"}${one.negate ? "!" : ""}${one.of} ${one.how}${one.relation ?? ""} ${one.texts.join("|")}${one.over === undefined ? "" : ` ${one.over}${one.count ?? ""}`}`,
      )
      .join("; "),
  );
}

describe("claims of a page", () => {
  test("amounts in many wordings", () => {
    expect(claims("Only rows whose %LOAD is not 0.00.")).toEqual(["+!%LOAD amount= 0.00"]);
    expect(claims("Rules with 0 hits are not wanted.")).toEqual(["-hits amount= 0"]);
    expect(claims("Slots that are not used at all (0) are of no interest.")).toEqual(["-used amount= 0"]);
    expect(claims("Only alarms of level 7 and above.")).toEqual(["+level amount>= 7"]);
    expect(claims("Only pages with `Dirty` above 0.")).toEqual(["+Dirty amount> 0"]);
    expect(claims("Lines where both counters are 0 are not wanted.")).toEqual(["- amount= 0 all2"]);
    expect(claims("Only lines where at least one of the three counters is not 0.")).toEqual([
      "+! amount= 0 any3",
    ]);
  });

  test("several numbers, and ranges of them", () => {
    expect(claims("Only grades 4 and 5.")).toEqual(["+grades amount= 4|5"]);
    expect(claims("Alarms of grade 1, 2 or 3 are not wanted.")).toEqual(["-grade amount= 1|2|3"]);
    expect(claims("Only calls with a time of 5 or longer.")).toEqual(["+time amount>= 5"]);
    expect(claims("Only answers with a code between 400 and 499.")).toEqual([
      "+code amount>= 400; +code amount<= 499",
    ]);
  });

  test("one of the letters of a part, and several cases behind a colon", () => {
    expect(claims("Only open hatches (`x` among the flags) of a ship.")).toEqual(["+flags contains x"]);
    expect(
      claims("Only own berths: the owner is filled in, and the name does not start with a tilde."),
    ).toEqual(["+!owner blank ", "+!name prefix ~"]);
  });

  test("marks in words and without quotes", () => {
    expect(claims("Only berths with the asterisk are free.")).toEqual(["+ is *"]);
    expect(claims("Only berths marked ✖; those marked ⚠ are of no interest.")).toEqual(["+ is ✖", "- is ⚠"]);
    expect(claims("Soundings with a question mark are guesses of the pilot and not wanted.")).toEqual([
      "- is ?",
    ]);
    expect(claims("The phases moored and afloat, with or without an asterisk, are wanted.")).toEqual([]);
  });

  test("texts of a part, of the record, and how they begin", () => {
    expect(claims("Only routes with the flags `!n`.")).toEqual(["+flags is !n"]);
    expect(claims("Only sockets in the state `0A` (listen).")).toEqual(["+state is 0A"]);
    expect(claims("Only files whose type has the word `executable`.")).toEqual(["+type contains executable"]);
    expect(claims("Level `error` only.")).toEqual(["+Level is error"]);
    expect(claims("All severities except `Info`.")).toEqual(["-severities is Info"]);
    expect(claims("Options called `asked_...` only say what was asked for; leave them out.")).toEqual([
      "-Options prefix asked_",
    ]);
    expect(claims("Only calls whose code is not SIGNAL.")).toEqual(["+!code is SIGNAL"]);
    expect(claims("Memory disks (ram0, ram1) are skipped.")).toEqual(["-Memory disks is ram0|ram1"]);
    expect(claims("An entry with an empty model is skipped.")).toEqual(["-model blank "]);
  });

  test("one kind that is not wanted, in many wordings", () => {
    const wordings = [
      "Entries of grade TIN can be ignored.",
      "Do not bother with entries of grade TIN.",
      "Pay no attention to entries of grade TIN.",
      "Pass over entries of grade TIN.",
      "Entries of grade TIN are noise.",
      "Entries of grade TIN play no role.",
      "Entries of grade TIN should not appear.",
      "Entries of grade TIN must be skipped.",
      "Entries of grade TIN stay out.",
      "Entries of grade TIN are not our concern.",
      "Entries of grade TIN belong elsewhere.",
      "Entries of grade TIN aside, everything is wanted.",
      "Take no entries of grade TIN.",
      "There are also entries of grade TIN; we do not need these.",
      "There are also entries of grade TIN, which we do not need.",
      "All entries, minus those of grade TIN.",
      "We want all entries, except for those of grade TIN.",
      "Not: entries of grade TIN.",
      "Excluded: entries of grade TIN.",
      "Not wanted: entries of grade TIN.",
      "Entries of grade TIN: skip.",
      "An entry is ignored if its grade is TIN.",
      "If its grade is TIN, leave the entry out.",
      "The grade must not be TIN.",
      "The grade cannot be TIN.",
    ];
    for (const text of wordings)
      expect({ text, claims: claims(text) }).toEqual({ text, claims: ["-grade is TIN"] });
  });

  test("one kind that alone is wanted, in many wordings", () => {
    const wordings = [
      "Restrict yourself to entries of grade OAK.",
      "Limit this to entries of grade OAK.",
      "We are interested in entries of grade OAK alone.",
      "We only care about entries of grade OAK.",
      "Nothing but entries of grade OAK.",
      "Entries of grade OAK and nothing else.",
      "Entries of grade OAK are the ones we want.",
      "What counts are entries of grade OAK.",
      "Of all entries just those of grade OAK.",
      "The grade has to be OAK.",
      "An entry counts only if its grade is OAK.",
      "It is an item when its grade is OAK.",
      "Skip it unless the grade is OAK.",
    ];
    for (const text of wordings)
      expect({ text, claims: claims(text) }).toEqual({ text, claims: ["+grade is OAK"] });
  });

  test("cases: several of them, missing parts, texts of the line", () => {
    expect(claims("Leave a line out if its berth is missing or not plain, or if its code is 5.")).toEqual([
      "-berth blank ",
      "- is whose|berth|not|plain",
      "-code amount= 5",
    ]);
    expect(claims("If no berth is named at the end, leave it out.")).toEqual(["-berth blank "]);
    expect(claims('If "(idle)" is printed instead of a number, the entry is ignored.')).toEqual([
      "- contains (idle)",
    ]);
    expect(claims("A line is an item if it has both `from=` and `to=`.")).toEqual([
      "+ contains from=",
      "+ contains to=",
    ]);
    expect(claims("The category must not begin with `paint/`.")).toEqual(["-category prefix paint/"]);
    expect(claims('The line has to end with the remark "not moored".')).toEqual(["+ contains not moored"]);
    expect(claims("Messages with I (idle), E (error) or F (fatal) do not count.")).toEqual(["- is I|E|F"]);
    expect(claims("A haul counts only when its end is negative.")).toEqual(["+end amount< 0"]);
    // A kind of its own says nothing of the others, and what may be is no case.
    expect(claims('A REQUEST counts only with "no berth" at its end.')).toEqual([]);
    expect(claims("The name may contain `x`.")).toEqual([]);
    expect(claims("Keep the flag if it has one.")).toEqual([]);
  });

  test("what a page says of its parts, or wants as well, claims nothing", () => {
    expect(claims("- **Fields**: `size` (the number only), `owner`.")).toEqual([]);
    expect(claims("Those marked `Err` are wanted as well.")).toEqual([]);
  });

  test("what is kept when the rest is left out", () => {
    const wordings = [
      "Please keep the planks whose grade is `OAK` and leave out the rest.",
      "Take the planks whose grade is OAK and ignore all others.",
      "Planks with the grade OAK and nothing else.",
      "Report planks of grade OAK, skipping everything else.",
    ];
    for (const text of wordings)
      expect({ text, claims: claims(text) }).toEqual({ text, claims: ["+grade is OAK"] });
    expect(claims("Leave out huts whose door's last component is shut or stuck.")).toEqual([
      "-door suffix /shut|/stuck",
    ]);
    expect(claims("Only planks with the wet flag, the `W` at the start of the marks.")).toEqual([
      "+marks prefix W",
    ]);
    expect(claims("Only huts with a count above zero.")).toEqual(["+count amount> 0"]);
  });

  test("the rest of a file, and lists that are announced", () => {
    const places = (text: string) => readPlaces(statementsOf(text)).map(({ said: _, ...rest }) => rest);
    const end = (wanted: boolean) => [{ wanted, title: "Totals", toEnd: true as const }];
    for (const text of [
      "Stop at the line `Totals`.",
      "Everything after `Totals` is left out.",
      "Everything behind the line `Totals` repeats it; ignore that.",
      "Take nothing from below `Totals`.",
      "Only lines up to `Totals` count.",
    ])
      expect({ text, places: places(text) }).toEqual({ text, places: end(false) });
    for (const text of [
      "What comes before the heading `Totals` is not wanted.",
      "Only from the line `Totals` on.",
      "Records start after the line `Totals`.",
    ])
      expect({ text, places: places(text) }).toEqual({ text, places: end(true) });
    expect(places("The list announced by `Sound planks:` is to be skipped.")).toEqual([
      { wanted: false, title: "Sound planks:" },
    ]);
    expect(places("The part that starts with `BEGIN ROT` and ends with `END ROT` is what we want.")).toEqual([
      { wanted: true, title: "BEGIN ROT", upTo: "END ROT" },
    ]);
  });

  test("places with a title", () => {
    const places = (text: string) => readPlaces(statementsOf(text)).map(({ said: _, ...rest }) => rest);
    expect(places('The list "These failed" repeats them and is not wanted.')).toEqual([
      { wanted: false, title: "These failed" },
    ]);
    expect(places('Only the lines between "Final values" and RESULTS.')).toEqual([
      { wanted: true, title: "Final values", upTo: "RESULTS" },
    ]);
    expect(places("In the section RULE RESULTS: `RULE A = 4`")).toEqual([
      { wanted: true, title: "RULE RESULTS" },
    ]);
    expect(places("- **value**: the name after `to=`.")).toEqual([]);
  });
});

describe("filters", () => {
  const texts = ["", "-", "0", "0.00", "7", "12%", "1,024 kB", "x7", "NMI", "Glycol", "1e3"];
  const filters: GroupFilter[] = [
    { group: "a", equals: ["0"], match: "number" },
    { group: "a", equals: ["7"], match: "least" },
    { group: "a", equals: ["7"], match: "above", negate: true },
    { group: "a", equals: ["12"], match: "below" },
    { group: "a", equals: ["1024"], match: "most" },
    { group: "a", equals: [], match: "letters" },
    { group: "a", equals: ["gly"], match: "prefix", fold: true },
    { group: "a", equals: ["7", "-"] },
    { group: "a", also: ["b"], equals: ["0"], match: "number", negate: true },
  ];

  test("the code compares as the interpreter does", () => {
    for (const filter of filters) {
      const [guard = ""] = emitFilters([filter], "groups", "", "return false");
      const code = new Function("groups", `${guard}\nreturn true;`) as (
        groups: Record<string, string>,
      ) => boolean;
      for (const text of texts) {
        const groups = { a: text, b: "0" };
        const own = [groups.a, ...(filter.also === undefined ? [] : [groups.b])];
        const keeps = own.some((one) => holds({ negate: false, ...filter }, one));
        expect([filter, text, code(groups)]).toEqual([filter, text, keeps]);
      }
    }
  });
});
