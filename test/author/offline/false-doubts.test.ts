// What must not become a doubt: sentences that explain, say how the log is or count; ties that the log settles.

import { describe, expect, test } from "bun:test";
import { readExpect } from "../../../src/author/offline/config/expect.ts";
import { nextLines, oneWording, shownShapes } from "../../../src/author/offline/doubts/shown-shapes.ts";
import { plainCuts } from "../../../src/author/offline/page/cuts.ts";
import { isAmount, isThisOnly, rulesOut } from "../../../src/author/offline/page/facts.ts";
import { readValue } from "../../../src/author/offline/page/hints.ts";
import { type Group, type Hint, type Page, readPage } from "../../../src/author/offline/page/page.ts";
import { isRival } from "../../../src/author/offline/parts/rivals.ts";
import { isSettled } from "../../../src/author/offline/parts/settled.ts";
import type { Extracted, Rule } from "../../../src/author/offline/program/ir.ts";

describe("sentences that rule records out, and those that say how the log is", () => {
  const OUT = [
    "Berths that are closed are not wanted",
    "Do not take the rows of the old pier",
    "Notes are not findings",
    "Rows without an owner are not printed and not wanted",
    "The totals are no items",
  ];
  const FACTS = [
    "The port is not printed when it is the usual one",
    "Rows are not sorted",
    "The names of the two lists do not overlap",
    "Some berths do not have an owner",
    "The counter is not reset over night",
    "The time does not include the way to the pier",
    "The lines are not in any particular order",
    "A berth never has more than one owner",
    "It does not matter in which order they come, no matter how long",
    "The number is not always given",
  ];
  for (const text of OUT) test(text, () => expect(rulesOut(text)).toBe(true));
  for (const text of FACTS.filter((one) => !/does not matter/.test(one)))
    test(text, () => expect(rulesOut(text)).toBe(false));
});

describe("only so many have it", () => {
  for (const text of [
    "Only one berth or none has the star.",
    "Only some rows have an owner.",
    "Only a few boats carry a second flag.",
    "Only the owner can change the flag.",
    "Only the log itself is read, no other file.",
  ])
    test(text, () => expect(isAmount(text)).toBe(true));
  for (const text of [
    "Only the two last rows are wanted.",
    "Only rows that have an owner.",
    "Only one berth counts.",
  ])
    test(text, () => expect(isAmount(text)).toBe(false));
  test("what was just shown", () => {
    expect(isThisOnly("Only this table.")).toBe(true);
    expect(isThisOnly("Only this year's boats.")).toBe(false);
  });
});

describe("lines that are shown by the way are no examples", () => {
  const shown = (...said: string[]): number =>
    readPage(
      [
        "Boats in the harbour.",
        "- `9 12.5 Anna pier:31`",
        "- **value**: the place (`pier:31`).",
        "- **Fields**: `name` (Anna), `number` (9).",
        ...said.map((one) => `- ${one}`),
      ].join("\n"),
      "`x.log`",
    ).groups[0]?.examples.length ?? 0;
  for (const text of [
    "Between the records stand lines such as `8 11.2 tide turned at:3`.",
    "The tool also prints `8 11.2 tide turned at:3`.",
    "The log begins with `Boats as of 8 11.2 at:3`.",
    "At the very end stands `8 boats in all:3`.",
    "The first lines (`Boats as of 8 11.2 at:3` and the like) only say how the tool was called.",
  ])
    test(text, () => expect(shown(text)).toBe(1));
  test("another form is one", () => {
    expect(shown("Older logs have the form `9 Anna pier:31`.")).toBe(2);
  });
});

describe("explanations are no conditions", () => {
  const rulesOf = (...said: string[]): string[] =>
    readPage(
      [
        "Boats in the harbour.",
        "- `9 12.5 Anna pier:31`",
        "- **value**: the place.",
        "- **Fields**: `state`, `number`.",
        ...said.map((one) => `- ${one}`),
      ].join("\n"),
      "`x.log`",
    ).rules.map((rule) => `${rule.name}: ${rule.equals.join(", ")}`);
  for (const text of [
    "A place is given with its pier and contains blanks.",
    "Each row ends with the boats whose masts are numbered from 0.",
    "Most rows are boats of class LOG.",
    "Where there are guests, the row of the pier is longer.",
    "The list comes with it and is sorted.",
  ])
    test(text, () => expect(rulesOf(text)).toEqual([]));
  test("what asks is one", () => {
    expect(rulesOf("Only rows whose state is `open`.")).toEqual(["state: open"]);
  });
  test("nor are plain words for the value", () => {
    const { rules } = readPage(
      "Calls of the harbour.\n- **value**: the boat whose call is dropped, as quoted.\n",
      "`x.log`",
    );
    expect(rules).toEqual([]);
  });
});

describe("rivals", () => {
  const hint = (name: string, description = "", kind?: Hint["kind"]): Hint => ({
    name,
    description,
    kind,
    literals: [],
    choices: [],
    optional: false,
    wholeLine: false,
    basename: false,
  });
  const spanOf = (line: string, text: string): { start: number; end: number } => ({
    start: line.indexOf(text),
    end: line.indexOf(text) + text.length,
  });
  const rival = (line: string, best: string, other: string, of: Hint): boolean =>
    isRival(line, of, spanOf(line, best), spanOf(line, other));

  test("a label is none", () => {
    const line = "Boats run: 18, Lost: 0";
    expect(rival(line, "18", "run:", hint("boats"))).toBe(false);
    expect(rival(line, "18", "0", hint("boats"))).toBe(true);
  });
  test("the text beside the words that the page names, the first of several", () => {
    const line = "pier.c:(.quay+0x10): undefined boat `anna'";
    const place = hint("place", "what stands in front of `: undefined boat`");
    expect(rival(line, "pier.c:(.quay+0x10)", ".quay+0x10", place)).toBe(false);
    const times = "3 pier 1.2 ms 1.4 ms";
    expect(rival(times, "1.2", "1.4", hint("way", "the first time"))).toBe(false);
    expect(rival(times, "1.2", "1.4", hint("way", "the time"))).toBe(true);
  });
  test("a piece that other lines do not have", () => {
    const line = "pier:4: Missing rope.";
    const of = hint("message", "", "text");
    const settled = (texts: string[], best: string, other: string): boolean =>
      isSettled(line, of, spanOf(line, best), spanOf(line, other), {
        texts,
        lines: texts.map((text) => `pier:4: ${text}`),
      });
    const texts = ["Missing rope.", "A rope is too long here.", "Two ropes."];
    expect(settled(texts, "Missing rope.", "Missing")).toBe(true);
    expect(settled(["Missing rope.", "Lost anchor.", "No flag."], "Missing rope.", "Missing")).toBe(false);
    // A word of all lines is no text of a part that differs.
    expect(settled(texts, "Missing rope.", "pier")).toBe(true);
  });
});

describe("values that the page tells by a clause", () => {
  const NAMES: [string, string][] = [
    ["what the harbour master says, up to the semicolon", "message"],
    ["what was hauled: the rope and, where there is one, its knot", "rope"],
    ["what the crew runs: program and arguments, i.e. the rest of the line", "program"],
    ["who tried to board; drop the quotes around the name", "user"],
    ["what the boat gives as `mail`, which need not be an address", "mail"],
    ["the berth or buoy named as landing", "landing"],
    ["which rule was broken, e.g. `no-rope`", "rule"],
    ["how often the pier was hit", "count"],
    ["why the boarding failed", "reason"],
    ["whatever the master calls the place", "place"],
    ["the thing complained about: the mast name", "mast_name"],
    ["the part before the slash, i.e. the mailbox", "mailbox"],
    ["the complete command line starting with `haul`, nothing cut off", "command_line"],
    ["the boat that asked", "boat"],
    ["the text behind the colon", "text"],
  ];
  for (const [said, name] of NAMES) test(said, () => expect(readValue(said).name).toBe(name));
  test("texts of columns and beginnings are not the value's", () => {
    expect(readValue("the name, from the column `boat_name` (not the path in `boat`)").literals).toEqual([]);
    expect(readValue("the text; it begins with the name of a task (`$haul`, `$moor`)").literals).toEqual([]);
  });
});

describe("what does not belong to a part", () => {
  const CUTS: [string, string][] = [
    ["the name; the quotes do not belong to it", "the name; without the quotes"],
    ["the boat, what follows in parentheses is dropped", "the boat, without what follows in parentheses"],
    ["the boat; drop the kind that is appended in parentheses", "the boat; without the kind in parentheses"],
    ["the place, in parentheses as printed", "the place, with its parentheses"],
    ["the call whose result is dropped", "the call whose result is dropped"],
    ["the command, nothing cut off", "the command, nothing cut off"],
    ["the command, quotes removed", "the command, without quotes"],
  ];
  for (const [said, plain] of CUTS) test(said, () => expect(plainCuts(said)).toBe(plain));
});

describe("prose that a careful reader would doubt", () => {
  const record = (line: number, value: string, content: string): Extracted => ({
    line,
    value,
    content,
    fields: {},
  });
  const groupOf = (text: string): { group: Group; page: Page } => {
    const page = readPage(text, "`x.log`");
    const [group] = page.groups;
    if (group === undefined) throw new Error("no group");
    return { group, page };
  };
  const lineRule: Rule = {
    kind: "line",
    alternatives: [
      {
        pattern: "^(?<n>\\S+)$",
        projection: { value: { from: "group", group: "n" }, fields: [] },
        example: "",
      },
    ],
    unless: [],
    filters: [],
  };
  test("a form that the page shows is in no record", () => {
    const { group } = groupOf("Take the ropes. Value is the rope as numbered, such as rope_12 or t45.");
    const lines = ["1.4 rope_7 (a)", "1.5 rope_8 (b)", "1.6 t99"];
    const records = [record(1, "rope_7", "1.4 rope_7 (a)"), record(2, "rope_8", "1.5 rope_8 (b)")];
    expect(shownShapes(records, group, lines)).toHaveLength(1);
    expect(shownShapes([...records, record(3, "t99", "1.6 t99")], group, lines)).toEqual([]);
    expect(shownShapes(records, group, lines.slice(0, 2))).toEqual([]);
  });
  test("parts on the next line, any wording", () => {
    const next = groupOf(
      "A rope begins with its number, with the settings in the next line. Value is the rope.",
    );
    expect(nextLines([lineRule], next.group, next.page)).toHaveLength(1);
    const words = groupOf("Take the calls that name a boat, whatever their wording. Value is the boat.");
    expect(oneWording([lineRule], words.group, words.page)).toHaveLength(1);
    const plain = groupOf("Take the calls that name a boat. Value is the boat.");
    expect([
      ...nextLines([lineRule], plain.group, plain.page),
      ...oneWording([lineRule], plain.group, plain.page),
    ]).toEqual([]);
  });
});

describe("section 2", () => {
  for (const text of [
    "Not a single lost boat is tolerated.",
    "Lost boats are not acceptable.",
    "The check passes only if not a single boat with a leak is found.",
  ])
    test(text, () => expect(readExpect(text)).toBe("absent"));
});
