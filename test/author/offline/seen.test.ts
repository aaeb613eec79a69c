// Would a stranger who sees only the page and the records believe them? For each sign a reading that has it and one that has not.
import { expect, test } from "bun:test";
import { implausible } from "../../../src/author/offline/doubts/seen/index.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";
import type { LineRule } from "../../../src/author/offline/program/ir.ts";

/** Doubts about one expression; its groups are called like the fields, `value` is the value. */
function doubtsOf(page: string, pattern: string, lines: string[]): string[] {
  const [group] = readPage(page, "").groups;
  if (group === undefined) throw new Error("the page names no record");
  const projection = {
    value: { from: "group" as const, group: "value" },
    fields: group.fields
      .filter(({ name }) => pattern.includes(`(?<${name}>`))
      .map(({ name }) => ({ name, source: { from: "group" as const, group: name } })),
  };
  const rule: LineRule = {
    kind: "line",
    alternatives: [{ pattern, projection, example: "" }],
    unless: [],
    filters: [],
  };
  return implausible([rule], group, lines);
}

interface Sign {
  sign: string;
  page: string;
  lines: string[];
  wrong: string;
  right: string;
  says: string;
}

const SIGNS: Sign[] = [
  {
    sign: "a line that is a path",
    page: "Hints of the checker.\n\n- **value**: the code.\n- **Fields**: `file`, `line`.",
    lines: ['H7 ["src/a.k" 12] late', 'H9 ["src/b.k" 40] late'],
    wrong: '^(?<value>\\w+) \\["(?<line>(?<file>[^"]+))" \\d+\\]',
    right: '^(?<value>\\w+) \\["(?<file>[^"]+)" (?<line>\\d+)\\]',
    says: "the line is announced as a number, and reads: src/a.k",
  },
  {
    sign: "a label taken for a number",
    page: "Paths.\n\n- **value**: the end.\n- **Fields**: `slack`.",
    lines: ["From: a to b 3.1", "From: c to d 2.0", "From: e to f 0.4"],
    wrong: "^(?<slack>\\w+): \\w+ to (?<value>\\w+)",
    right: "^\\w+: \\w+ to (?<value>\\w+) (?<slack>\\S+)",
    says: "the slack is announced as a number",
  },
  {
    sign: "an address cut at its first colon",
    page: "Answers.\n\n- **value**: the address that answered.\n- **Fields**: `ms`.",
    lines: ["from 10.0.0.1: 3 ms", "from 10.0.0.2: 3 ms", "from fe80::9:1%e0: 3 ms"],
    wrong: "^from (?<value>[^:]+):.*? (?<ms>\\d+) ms",
    right: "^from (?<value>\\S+): (?<ms>\\d+) ms",
    says: "fe80",
  },
  {
    sign: "the hours of a time",
    page: "Cells.\n\n- **value**: the name.\n- **Fields**: `remark` (everything behind the comma).",
    lines: ["Cell A: loading, 01:20:11 left", "Cell B: loading, 02:09:00 left"],
    wrong: "^(?<value>Cell \\w): \\w+, (?<remark>\\d+):",
    right: "^(?<value>Cell \\w): \\w+, (?<remark>.*)",
    says: "the remark is cut out of a longer text: 01",
  },
  {
    sign: "a name with an at sign, cut",
    page: "Logins.\n\n- **value**: the account behind `for`.\n- **Fields**: `try`.",
    lines: ["try 1 for ann@hill.example", "try 2 for bob@hill.example"],
    wrong: "^try (?<try>\\d+) for (?<value>[^@]+)@",
    right: "^try (?<try>\\d+) for (?<value>\\S+)",
    says: "the value is cut out of a longer text: ann",
  },
  {
    sign: "cut inside a word",
    page: "Pads.\n\n- **value**: the pad.\n- **Fields**: `side`.",
    lines: ["pad_4_north open", "pad_5_south open"],
    wrong: "^(?<value>pad_\\d_)(?<side>\\w+) open",
    right: "^(?<value>(?<side>\\w+)) open",
    says: "the value is cut inside a word: pad_4_",
  },
  {
    sign: "what the page leaves out",
    page: 'Logins.\n\n- **value**: the port.\n- **Fields**: `user` (without the words "unknown user").',
    lines: ["refused unknown user ann port 81", "refused bob port 82"],
    wrong: "^refused (?<user>\\S.*?)(?: \\S+?)? port (?<value>\\d+)",
    right: "^refused (?:unknown user )?(?<user>\\S+) port (?<value>\\d+)",
    says: "the page leaves unknown user out of the user",
  },
  {
    sign: "outside of the brackets",
    page: "Runs.\n\n- **value**: the run.\n- **Fields**: `suite` (first word in the brackets).",
    lines: ["Run 'a' [Alpha x] done", "Run 'b' [Beta y] done"],
    wrong: "^(?<suite>\\w+) '(?<value>\\w+)'",
    right: "^Run '(?<value>\\w+)' \\[(?<suite>\\w+)",
    says: "the page says that the suite stands in brackets, and it reads: Run",
  },
  {
    sign: "none of the listed texts",
    page: "Jobs.\n\n- **value**: the job.\n- **Fields**: `state` (Waiting, Running, Done).",
    lines: ["j1 Running on n4", "j2 Done on n5"],
    wrong: "^(?<value>\\w+) \\w+ on (?<state>\\w+)",
    right: "^(?<value>\\w+) (?<state>\\w+) on",
    says: "the page lists Waiting, Running, Done for the state, and it reads: n4",
  },
  {
    sign: "a cell of its own, read with its folder",
    page: "Blocks.\n\n- **value**: the name of the block (`alu`).\n- **Fields**: `area`.",
    lines: ["/top/lib/alu,alu,31", "/top/lib/mul,mul,44"],
    wrong: "^(?<value>[^,]+),\\w+,(?<area>\\d+)",
    right: "^[^,]+,(?<value>\\w+),(?<area>\\d+)",
    says: "the page shows alu for the value",
  },
  {
    sign: "other keys inside",
    page: "Rules.\n\n- **value**: the number of the rule.\n- **Fields**: `chain`.",
    lines: ["1 chain=in do=drop via=e1", "2 chain=out do=pass via=e2"],
    wrong: "^(?<value>\\d+) chain=(?<chain>.*)",
    right: "^(?<value>\\d+) chain=(?<chain>\\S+)",
    says: "other keys stand in the chain: in do=drop via=e1",
  },
  {
    sign: "nothing but marks",
    page: "Shares.\n\n- **value**: the share.\n- **Fields**: `user`.",
    lines: ["share a user []\\[ann]", "share b user []\\[bob]"],
    wrong: "^share (?<value>\\w+) user (?<user>\\S+?)\\[\\w+\\]",
    right: "^share (?<value>\\w+) user \\[\\]\\\\\\[(?<user>\\w+)\\]",
    says: "the user is nothing but marks",
  },
  {
    sign: "one part goes on where the other ends",
    page: "Cards.\n\n- **value**: the card.\n- **Fields**: `slot`.",
    lines: ["Slot: 0, AX10", "Slot: 1, AX20"],
    wrong: "^Slot: (?<slot>(?<value>\\w+), .*)",
    right: "^Slot: (?<slot>\\w+), (?<value>\\w+)",
    says: "the slot begins with the value: 0, AX10",
  },
  {
    sign: "a key that is passed over",
    page: "Measures.\n\n- **value**: the name.\n- **Fields**: `result`, `at` (where printed).",
    lines: ["peak = 1.2 at= 3.1", "low = 0.2 at= 4.0", "sum = 9.1"],
    wrong: "^(?<value>\\w+) = (?<result>\\S+)",
    right: "^(?<value>\\w+) = (?<result>\\S+)(?: at= (?<at>\\S+))?",
    says: "the key of at stands in a line that is read without it: peak",
  },
];

SIGNS.push({
  sign: "further numbers behind the last one",
  page: "Areas.\n\n- `[A-1] Unit: 1000`\n- **value**: the name.\n- **Fields**: `amount` as printed.",
  lines: ["[A-2] Size: 460 2720", "[A-3] Low: 0 0", "[A-4] Unit: 1000"],
  wrong: "^\\[A-\\d\\] (?<value>\\w+): (?<amount>\\d+)",
  right: "^\\[A-\\d\\] (?<value>\\w+): (?<amount>\\d.*)",
  says: "the amount ends the page's example, and lines have further numbers behind it: [A-2] Size: 460 2720",
});

SIGNS.push({
  sign: "a name that is a number",
  page: "Chains.\n\n- **value**: the name of the cell.\n- **Fields**: `chain`.",
  lines: ["chain c1 has 3 cells like u_a", "chain c2 has 5 cells like u_b"],
  wrong: "^chain (?<chain>\\w+) has (?<value>\\d+)",
  right: "^chain (?<chain>\\w+) has \\d+ cells like (?<value>\\w+)",
  says: "the value is announced as a name, and reads: 3",
});

SIGNS.push({
  sign: "a piece of the text that the page shows",
  page: 'Keys.\n\n- `.k:12 The db-host key has a wrong sign`\n- **value**: the key.\n- **Fields**: `problem` ("has a wrong sign").',
  lines: [".k:3 The a-b key has a wrong sign", ".k:9 The c-d key is there twice"],
  wrong: "The (?<value>\\S+) key .*?(?<problem>\\w+)$",
  right: "The (?<value>\\S+) key (?<problem>.*)",
  says: "only a piece of it is read: sign",
});

SIGNS.push({
  sign: "nothing but the mark that ends the sentence",
  page: "Leaks.\n\n- **value**: the pipe.\n- **Fields**: `column`.",
  lines: ["p1 (4|26): leaks into(cellar) .", "p2 (7|30): leaks into(yard) ."],
  wrong: "^(?<value>\\w+) \\(\\d+\\|\\d+\\): leaks into\\(\\w+\\) (?<column>\\S+)",
  right: "^(?<value>\\w+) \\(\\d+\\|(?<column>\\d+)\\): leaks into",
  says: "the column is nothing but marks: .",
});

SIGNS.push({
  sign: "a part that is a piece of another one, or all of it",
  page: "Leaks.\n\n- **value**: the number of the pipe.\n- **Fields**: `column` (given now and then).",
  lines: ["leak #12-D: wet", "leak #5: wet", "leak (col 4) #31-D: wet"],
  wrong: "^leak.*#(?<value>(?<column>\\d+).*?):",
  right: "^leak(?: \\(col (?<column>\\d+)\\))? #(?<value>.*?):",
  says: "the column is a piece of the value: 12 of 12-D",
});

for (const { sign, page, lines, wrong, right, says } of SIGNS) {
  test(sign, () => {
    expect(doubtsOf(page, wrong, lines).join("\n")).toContain(says);
    expect(doubtsOf(page, right, lines)).toEqual([]);
  });
}

test("a piece that the page asks for may be cut out", () => {
  const lines = ["try 1 for ann@hill.example", "try 2 for bob@hill.example"];
  const page = "Logins.\n\n- **value**: the account before the at sign.\n- **Fields**: `try`.";
  expect(doubtsOf(page, "^try (?<try>\\d+) for (?<value>[^@]+)@", lines)).toEqual([]);
  const both = "Logins.\n\n- **value**: the account.\n- **Fields**: `try`, `domain`.";
  expect(doubtsOf(both, "^try (?<try>\\d+) for (?<value>[^@]+)@(?<domain>\\S+)", lines)).toEqual([]);
});

test("the same value everywhere is odd where it names the records", () => {
  const lines = ["step a7 ok", "step a8 ok", "step a9 ok", "step b1 ok"];
  const page = "Steps.\n\n- **value**: the step.";
  expect(doubtsOf(page, "^step \\w+ (?<value>\\w+)", lines)).toEqual(["every record has the same value: ok"]);
  expect(doubtsOf(page, "^step (?<value>\\w+)", lines)).toEqual([]);
});

test("the value of the one line that the page shows is read on the record's line", () => {
  const page = "Variables.\n\n- `Int_2: 19`\n- **value**: the variable (`Int_2`).\n- **Fields**: `content`.";
  const [group] = readPage(page, "").groups;
  if (group === undefined) throw new Error("the page names no record");
  const projection = {
    value: { from: "group" as const, group: "value" },
    fields: [{ name: "content", source: { from: "group" as const, group: "content" } }],
  };
  const rule: LineRule = {
    kind: "line",
    alternatives: [{ pattern: "^ +(?<content>\\S+)$", projection, example: "" }],
    above: [{ pattern: "^(?<value>\\w+): \\d+", example: "" }],
    unless: [],
    filters: [],
  };
  const lines = ["Int_1: 5", "  should-be-5", "Int_3: 7", "  should-be-7"];
  expect(implausible([rule], group, lines).join("\n")).toContain("on the line of the record");
});

test("the text that the page shows is what a document has there in its example", () => {
  const page =
    'Refusals.\n\n- `{"at":"7","user":"ada","level":"BAD"}`\n- **value**: the user (`ada`).\n- **Fields**: `at`.';
  const [group] = readPage(page, "").groups;
  if (group === undefined) throw new Error("the page names no record");
  const doubts = (key: string): string[] =>
    implausible(
      [
        {
          kind: "tree",
          syntax: "json_lines",
          record: [key],
          parts: [{ group: "value", up: 0, down: [], take: "text" }],
          line: { up: 0, down: [] },
          filters: [],
          required: [],
          projection: { value: { from: "group", group: "value" }, fields: [] },
          example: "",
        },
      ],
      group,
      ['{"at":"8","user":"bea","level":"BAD"}', '{"at":"9","user":"cleo","level":"BAD"}'],
    );
  expect(doubts("level").join("\n")).toContain("the page shows ada for the value");
  expect(doubts("user")).toEqual([]);
});

test("a mark that the page leaves out, with a blank behind it", () => {
  const page = "Decks.\n\n- **value**: the deck without the leading marks.\n- **Fields**: `berths`.";
  const pattern = "^(?<value>[^|]*\\S)\\s*\\| (?<berths>\\d+)";
  const says = "the page leaves a mark out of the value";
  const marked = ["- Deck 1 | 40", "+ Deck 1.1 | 12", "++ Deck 1.1.1 | 6"];
  expect(doubtsOf(page, pattern, marked).join("\n")).toContain(says);
  const plain = marked.map((line) => line.replace(/^\S+ /, ""));
  expect(doubtsOf(page, pattern, plain).join("\n")).not.toContain(says);
});
