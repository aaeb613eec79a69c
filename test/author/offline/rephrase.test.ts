// Restricting sentences in many wordings: put into the words that all readers know, or left as they are; and two parts of a
// record compared with one another.
import { describe, expect, test } from "bun:test";
import { comparedParts } from "../../../src/author/offline/page/comparisons.ts";
import { inPlainWords, rephrased } from "../../../src/author/offline/page/rephrase.ts";
import { statementsOf } from "../../../src/author/offline/page/text.ts";

const KEPT = [
  "Berths with another phase than `MOORED` are not wanted.",
  "Berths whose phase is other than `MOORED` are skipped.",
  "Those with any phase other than `MOORED` are of no interest.",
  "Unless the phase is `MOORED`, a line does not count.",
  "All others than those with phase `MOORED` are ignored.",
  "Those with phase `MOORED` are wanted, the others are not.",
  "Berths are only of interest if `MOORED` is their phase.",
  "Any phase but `MOORED` is to be left out.",
  "The phase has to be `MOORED`, or the line is skipped.",
  "Wanted are those that show `MOORED` as their phase.",
  "Report just those printed with `MOORED` as phase.",
  "Leave out everything that does not have the phase `MOORED`.",
  "Ignore berths whose phase differs from `MOORED`.",
  "Berths not in phase `MOORED` are skipped.",
  "Do not take berths whose phase is anything but `MOORED`.",
];
const LEFT_OUT = [
  "Berths where the phase reads `MOORED` are no findings.",
  "Where the phase is `MOORED` there is nothing to report.",
  "A berth in order has the phase `MOORED` and is left out.",
  "A phase of `MOORED` means that nothing is wrong; such berths are skipped.",
  "Berths, unless their phase is `MOORED`, are wanted.",
  "Berths count whatever their phase is, except `MOORED`.",
  "Berths without a proper phase, printed as `MOORED`, are not wanted.",
  "Those given as `MOORED` in the phase are not counted.",
  "Berths with phase `MOORED` belong to another item.",
  "There is nothing to report when the phase is `MOORED`.",
];

describe("restricting sentences in plain words", () => {
  test("what is kept", () => {
    for (const text of KEPT)
      expect([text, inPlainWords(text)]).toEqual([
        text,
        expect.stringMatching(/^Only \w+ whose phase is `MOORED`\.$/),
      ]);
  });

  test("what is kept with a not", () => {
    for (const text of [
      "We want the berths that do not have the phase `MOORED`.",
      "Every berth whose phase differs from `MOORED`.",
    ])
      expect(inPlainWords(text)).toMatch(/^Only berths? whose phase is not `MOORED`\.$/);
  });

  test("what is left out", () => {
    for (const text of LEFT_OUT)
      expect([text, inPlainWords(text)]).toEqual([
        text,
        expect.stringMatching(/^\w+ whose phase is `MOORED` are not wanted\.$/),
      ]);
  });

  test("beginnings, amounts with a unit, absence, and what a clause explains", () => {
    const all: [string, string][] = [
      ["Unless the name ends with `.q`, a quay does not count.", "Only records whose name ends with `.q`."],
      [
        "Those with a depth of 12 or more are wanted, the others are not.",
        "Only records whose depth is 12 or more.",
      ],
      ["Ships without a flag were never cleared and are left out.", "Ships without a flag are not wanted."],
      [
        "Take the buoys that drift, that is with state lo (loose), ca (cast off) or si (sinking).",
        "Only records whose state is `lo`, `ca` or `si`.",
      ],
    ];
    for (const [text, plain] of all) expect(inPlainWords(text)).toBe(plain);
    expect(rephrased(statementsOf("Quays.\n\n- Only quays with a depth of 12 m or more."))[1]?.text).toBe(
      "Only quays with a depth of 12 or more.",
    );
  });

  test("plain words behind the name of a state are its text", () => {
    expect(inPlainWords("Unless its state is afloat, a berth does not count.")).toBe(
      "Only records whose state is `afloat`.",
    );
    expect(inPlainWords("Berths without a proper name, printed as Unnamed or Spare, are not wanted.")).toBe(
      "Berths whose name is `Unnamed` or `Spare` are not wanted.",
    );
  });

  test("what is known, says more, or something else stays", () => {
    for (const text of [
      "Only berths with phase `MOORED`.",
      "Berths with the phase `MOORED` are not wanted.",
      "The summary `harbour.txt` is not needed.",
      "The value is the name, unless the line has none.",
      "Only berths whose owner is known.",
      "Only the details of `TIDES`.",
      "Berths called `Spare` and the quays behind them are not wanted.",
    ])
      expect([text, inPlainWords(text)]).toEqual([text, undefined]);
  });
});

describe("two parts compared", () => {
  const read = (text: string): string | undefined => {
    const found = comparedParts(text, []);
    return found === undefined
      ? undefined
      : `${found.of} ${found.negate ? "not " : ""}${found.relation} ${found.than}`;
  };

  test("differences and relations", () => {
    expect(read("Extract the dials whose setting is not the default, as printed.")).toBe(
      "setting not = default",
    );
    expect(read("Only dials whose setting differs from the default.")).toBe("setting not = default");
    expect(read("Rows in which setting and default are equal are skipped.")).toBe("setting = default");
    expect(read("Only cranes whose load exceeds the limit.")).toBe("load > limit");
    expect(read("Cranes whose load is not above their limit are not wanted.")).toBe("load not > limit");
    expect(read("Only quays with fewer ready than ordered.")).toBe("ready < ordered");
  });

  test("texts and numbers are no parts", () => {
    expect(read("Only cranes whose load is above 5.")).toBeUndefined();
    expect(read("Only cranes whose state is not down.")).toBeUndefined();
    expect(read("Only cranes with more than three hooks.")).toBeUndefined();
  });
});
