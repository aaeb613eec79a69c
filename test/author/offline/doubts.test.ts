// Doubts that go by the page and the records alone. Each with a rule that goes wrong on a page and its lines, and a right one.
import { expect, test } from "bun:test";
import { doubtsOf } from "../../../src/author/offline/doubts/index.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";
import type {
  BlockRule,
  GroupFilter,
  LineRule,
  Rule,
  TableRule,
} from "../../../src/author/offline/program/ir.ts";

interface Sign {
  sign: string;
  page: string;
  lines: string[];
  wrong: Rule;
  right: Rule;
  says: string;
}

/** A rule for lines; its groups are called like the fields, `value` is the value. */
function line(pattern: string, filters: GroupFilter[] = []): LineRule {
  const names = [...pattern.matchAll(/\(\?<(\w+)>/g)].map((match) => match[1] ?? "");
  const projection = {
    value: { from: "group" as const, group: "value" },
    fields: names
      .filter((name) => name !== "value")
      .map((name) => ({ name, source: { from: "group" as const, group: name } })),
  };
  return {
    kind: "line",
    alternatives: [{ pattern, projection, example: "" }],
    unless: [],
    filters,
  };
}

/** A rule for rows below the heading `Name  Size`. */
function table(more: Partial<TableRule> = {}): TableRule {
  return {
    kind: "table",
    header: "^Name\\s+Size$",
    headerExample: "Name  Size",
    row: { by: "pattern", pattern: "^(?<value>\\w+)\\s+(?<size>\\d+)$" },
    ruler: "^-+$",
    ends: "blank",
    filters: [],
    unless: [],
    required: ["value"],
    projection: {
      value: { from: "group", group: "value" },
      fields: [{ name: "size", source: { from: "group", group: "size" } }],
    },
    example: "a  1",
    ...more,
  };
}

/** A rule for records that begin with `Boat: ...`, with one further line. */
function block(inner: string): BlockRule {
  return {
    kind: "block",
    start: "^Boat: (?<value>\\w+)$",
    startExample: "Boat: Anna",
    keys: [],
    keyLine: "",
    inner: [{ pattern: inner, example: "" }],
    ends: "start",
    lineOf: "start",
    valueGroup: "value",
    filters: [],
    required: ["value"],
    projection: {
      value: { from: "group", group: "value" },
      fields: [{ name: "port", source: { from: "group", group: "port" } }],
    },
  };
}

const SIGNS: Sign[] = [
  {
    sign: "a condition that knows one of two numbers",
    page: "Complaints of the checker.\n\n- **value**: the text.\n- **Fields**: `grade`.\n- Only grade 4 and 5.",
    lines: ["[3] too long", "[4] too deep", "[5] never used", "[5] no name"],
    wrong: line("^\\[(?<grade>\\d)\\] (?<value>.+)$", [{ group: "grade", equals: ["4"], match: "number" }]),
    right: line("^\\[(?<grade>\\d)\\] (?<value>.+)$", [{ group: "grade", equals: ["4", "5"] }]),
    says: "the page names 4, 5 together, and the condition knows no 5",
  },
  {
    sign: "a word of the sentence taken for a text",
    page: "Take the knobs whose setting is not the default.\n\n- **value**: the knob.\n- **Fields**: `setting`.",
    lines: ["depth 3", "width 4", "name 4"],
    wrong: line("^(?<value>\\w+) (?<setting>\\d)$", [{ group: "setting", equals: ["the"], negate: true }]),
    right: line("^(?<value>\\w+) (?<setting>\\d)$", [{ group: "setting", equals: ["3"], negate: true }]),
    says: 'a condition of the page was read as "not the", which no record is',
  },
  {
    sign: "lines with either of two signs",
    page: "Complaints.\n\n- **value**: the rule.\n- Only those marked ✗; those marked ⚑ are hints and not wanted.",
    lines: ["  ✗ no-tabs", "  ⚑ no-dots", "  ✗ no-bars"],
    wrong: line("^ +\\S+ (?<value>\\S+)$"),
    right: line("^ +✗ (?<value>\\S+)$"),
    says: "the page tells records apart by ✗, and 2 of 3 records have it",
  },
  {
    sign: "a value that the page rules out",
    page: "Sensors.\n\n- **value**: the name.\n- **Fields**: `level`.\n- Sensors printed as Spare or Unfitted are not wanted.",
    lines: ["Inlet 20", "Spare 0", "Outlet 31"],
    wrong: line("^(?<value>\\w+) (?<level>\\d+)$"),
    right: line("^(?<value>\\w+) (?<level>\\d+)$", [{ group: "value", equals: ["Spare"], negate: true }]),
    says: "the page rules out Spare, and it is the value of a record",
  },
  {
    sign: "a dash for the value",
    page: "Calls.\n\n- **value**: the verb.\n- **Fields**: `code`.\n- Calls without a verb are left out.",
    lines: ["PUT 400", "- 400", "GET 404"],
    wrong: line("^(?<value>\\S+) (?<code>\\d+)$"),
    right: line("^(?<value>\\w+) (?<code>\\d+)$"),
    says: "the page leaves records without something out, and 1 records have no value",
  },
  {
    sign: "the opposite of what is asked for",
    page: "People whose sign-in failed.\n\n- `sign-in refused for bob`\n- **value**: the name.",
    lines: ["sign-in refused for ann", "sign-in successful for eve", "sign-in refused for ida"],
    wrong: line("^sign-in \\w+ for (?<value>\\w+)$"),
    right: line("^sign-in refused for (?<value>\\w+)$"),
    says: "a record says the opposite of what the page asks for: sign-in successful for eve",
  },
  {
    sign: "a field that no record has, glued to the value",
    page: "Clocks.\n\n- **value**: the clock.\n- **Fields**: `sign` (may be missing), `delay`.",
    lines: [1, 2, 3].flatMap((at) => [`+north${at} 3`, `-south${at} 4`, ` east${at} 3`]),
    wrong: line("^ ?(?<value>\\S+) (?<delay>\\d)$"),
    right: line("^(?<sign>[-+])? ?(?<value>\\w+) (?<delay>\\d)$"),
    says: "no record has the field sign",
  },
  {
    sign: "several marks in front of the value",
    page: "Clocks.\n\n- **value**: the clock.\n- **Fields**: `delay`.",
    lines: ["+north 3", "#south 4", " east 3"],
    wrong: line("^ ?(?<value>\\S+) (?<delay>\\d)$"),
    right: line("^[+# ](?<value>\\w+) (?<delay>\\d)$"),
    says: "several marks stand in front of the value: + #, +north",
  },
  {
    sign: "records from above the heading that the page names",
    page: "Counters of the lists headed FINAL COUNTS.\n\n- **value**: the counter.\n- **Fields**: `count`.",
    lines: ["FIRST COUNTS", "a 1", "b 3", "c 3", "d 5", "FINAL COUNTS", "a 2", "b 4"],
    wrong: line("^(?<value>[a-z]) (?<count>\\d)$"),
    right: {
      ...line("^(?<value>[a-z]) (?<count>\\d)$"),
      scope: { open: "^FINAL COUNTS$", close: "^$", openExample: "FINAL COUNTS" },
    },
    says: "the page names the heading FINAL COUNTS, and a record stands above it: a 1",
  },
  {
    sign: "tables left out for a title of which the page says nothing",
    page: "Files of all stores, from `ls_*.txt`; `ls_north.txt` is not needed.\n\n- **value**: the name.\n- **Fields**: `size`.",
    lines: ["north:", "Name  Size", "a  1", "", "south:", "Name  Size", "b  2"],
    wrong: table({ sections: { heading: "^(?<title>\\w+):$", wanted: ["north"], example: "north:" } }),
    right: table(),
    says: "1 rows of such tables stand below other titles than north",
  },
  {
    sign: "a part of several words",
    page: "What the compiler says.\n\n- `Note: roof.k, line 7: eaves`\n- **value**: the file.\n- **Fields**: `severity`, the text before the first colon.",
    lines: [
      "Note: roof.k, line 7: eaves",
      "Hint: wall.k, line 2: door",
      "Grave mistake: door.k, line 4: hinge",
    ],
    wrong: line("^\\s*(?<severity>[^\\s:]+):\\s+(?<value>[^\\s,]+),\\s+line\\s+\\d+:"),
    right: line("^\\s*(?<severity>[^:]+):\\s+(?<value>[^\\s,]+),\\s+line\\s+\\d+:"),
    says: "1 lines are not read for the words of severity alone, e.g. Grave mistake: door.k",
  },
  {
    sign: "a part in brackets that some lines lack",
    page: "Checks that failed.\n\n- `roof check: Failed (rain)`\n- **value**: the check.\n- **Fields**: `reason`.",
    lines: [
      "roof check: Failed (rain)",
      "wall check: Passed",
      "door check: Failed",
      "loft check: Failed (wind)",
    ],
    wrong: line("^(?<value>\\S.*?):\\s+Failed\\s+\\((?<reason>[^)]+)\\)"),
    right: line("^(?<value>\\S.*?):\\s+Failed(?:\\s+\\((?<reason>[^)]+)\\))?"),
    says: "1 lines are not read for a reason alone, e.g. door check: Failed",
  },
  {
    sign: "a run of words that some lines lack",
    page: "Fixed pieces.\n\n- `- roof tin + SENT DIST + FIXED ( 3 4 ) N ;`\n- **value**: the piece.\n- **Fields**: `x`.",
    lines: [
      "- roof tin + SENT DIST + FIXED ( 3 4 ) N ;",
      "- wall oak + FIXED ( 7 1 ) S ;",
      "- door oak + PLACED ( 7 2 ) S ;",
    ],
    wrong: line("^-\\s+(?<value>\\S+)\\s+\\S+\\s+\\+\\s+SENT\\s+\\S+\\s+\\+\\s+FIXED\\s+\\(\\s*(?<x>\\d+)"),
    right: line(
      "^-\\s+(?<value>\\S+)\\s+\\S+\\s+(?:\\+\\s+SENT\\s+\\S+\\s+)?\\+\\s+FIXED\\s+\\(\\s*(?<x>\\d+)",
    ),
    says: "1 lines are not read for",
  },
  {
    sign: "a name of which the last word is read",
    page: "Cards.\n\n- **value**: the card.\n- **Fields**: `kind`.",
    lines: [
      "Wire card Green Upper Deck:",
      "Wire card Deck:",
      "Radio card Lower Deck:",
      "Wire card Red Deck:",
    ],
    wrong: line("^(?<kind>\\S+)\\s+card\\s+(?:\\S.*?\\s)?(?<value>[^\\s:]+):$"),
    right: line("^(?<kind>\\S+)\\s+card\\s+(?<value>[^:]+):$"),
    says: "some lines have more words beside the value than others, which are not read: Green Upper",
  },
  {
    sign: "a word that all values begin with",
    page: "Layers.\n\n- **value**: the layer.\n- **Fields**: `count`.",
    lines: ["LAYER tin 4", "LAYER oak 5", "LAYER zinc 7"],
    wrong: line("^(?<value>LAYER \\S+) (?<count>\\d+)$"),
    right: line("^LAYER (?<value>\\S+) (?<count>\\d+)$"),
    says: "the value begins with LAYER in all records",
  },
  {
    sign: "a name cut at its first dot",
    page: "Zones.\n\n- **value**: the zone.\n- **Fields**: `count`.",
    lines: ["tin.roof.org 4", "oak.wall.net 5", "zinc.door.com 7"],
    wrong: line("^(?<value>[^.]+)\\.\\S+ (?<count>\\d+)$"),
    right: line("^(?<value>\\S+) (?<count>\\d+)$"),
    says: "the value is cut at a mark: tin, in tin.roof.org 4",
  },
  {
    sign: "an address with its port",
    page: "Callers.\n\n- **value**: the address of the caller (198.51.100.7).\n- **Fields**: `verb`.",
    lines: ["192.0.2.1:4001 PUT", "192.0.2.7:4002 GET"],
    wrong: line("^(?<value>\\S+) (?<verb>\\w+)$"),
    right: line("^(?<value>[^:]+):\\d+ (?<verb>\\w+)$"),
    says: "the page shows 198.51.100.7 for the value, and it reads: 192.0.2.1:4001",
  },
  {
    sign: "what stands in the brackets in place of what stands behind them",
    page: "Notes.\n\n- **value**: the mill.\n- **Fields**: `text` (the text after the name in square brackets).",
    lines: ["m1 [roof] leaks", "m2 [door] creaks"],
    wrong: line("^(?<value>\\w+) \\[(?<text>\\w+)\\]"),
    right: line("^(?<value>\\w+) \\[\\w+\\] (?<text>.+)$"),
    says: "the page says that the text stands behind brackets, and it reads: roof",
  },
  {
    sign: "records below a title that the page rules out",
    page: "Stones of the full list. Not wanted: the later lists below `Sparse Stones:` and `Rare Stones:`.\n\n- **value**: the stone.\n- **Fields**: `weight`.",
    lines: ["Stones:", "flint 3", "", "Rare Stones:", "2 of 9", "opal 1"],
    wrong: line("^(?<value>[a-z]+) (?<weight>\\d)$"),
    right: {
      ...line("^(?<value>[a-z]+) (?<weight>\\d)$"),
      scope: { open: "^Stones:", close: "^$", openExample: "Stones:" },
    },
    says: "a record stands below a title that the page rules out: opal 1",
  },
  {
    sign: "rows that only some words of the page tell apart",
    page: "A bin is quiet if its level is 0. Other bins are not wanted.\n\n- **value**: the bin.\n- **Fields**: `size`.",
    lines: ["Name  Size", "a  1", "b  0"],
    wrong: table(),
    right: table({ filters: [{ group: "size", equals: ["0"], match: "number" }] }),
    says: "the page leaves the others out, and nothing in the rule does: Other bins",
  },
  {
    sign: "a field that is what the page rules out",
    page: "Jobs.\n\n- **value**: the job.\n- **Fields**: `state`.\n- Jobs that are Running or Done are left out.",
    lines: ["sort Running", "copy Stuck", "wipe Done"],
    wrong: line("^(?<value>\\w+) (?<state>\\w+)$"),
    right: line("^(?<value>\\w+) (?<state>\\w+)$", [
      { group: "state", equals: ["Running", "Done"], negate: true },
    ]),
    says: "the page rules out Running, and it is the state of a record",
  },
  {
    sign: "an amount of nothing that the page rules out",
    page: "Tanks.\n\n- **value**: the tank.\n- **Fields**: `leaks`.\n- Tanks with 0 leaks are not wanted.",
    lines: ["north 0", "south 4", "east 0"],
    wrong: line("^(?<value>\\w+) (?<leaks>\\d+)$"),
    right: line("^(?<value>\\w+) (?<leaks>[1-9]\\d*)$"),
    says: "the page rules out what has 0, and the leaks of 2 records is",
  },
  {
    sign: "records without a value",
    page: "Keys.\n\n- **value**: the user.\n- **Fields**: `door`.",
    lines: ["door=3 user=ann", "door=4", "door=5 user=eve"],
    wrong: line("^door=(?<door>\\d)(?: user=(?<value>\\w+))?"),
    right: line("^door=(?<door>\\d) user=(?<value>\\w+)"),
    says: "a record has no value: door=4",
  },
  {
    sign: "a part cut inside a word on a further line of the record",
    page: "Boats.\n\n- **value**: the boat.\n- **Fields**: `port`.",
    lines: ["Boat: Anna", "  lies in harbour12", "Boat: Berta", "  lies in harbour13"],
    wrong: block("^  lies in harb(?<port>\\w+)$"),
    right: block("^  lies in (?<port>\\w+)$"),
    says: "the port is cut inside a word: our12",
  },
  {
    sign: "words in brackets that most lines lack",
    page: "Parcels turned down.\n\n- `rule=door, to=<ann>, from=mill [m1] (may be late), reject=5 wet`\n- **value**: the mill in brackets.\n- **Fields**: `to`.",
    lines: [
      "rule=door, to=<ann>, from=mill [m1] (may be late), reject=5 wet",
      "rule=door, to=<eve>, from=mill [m2], reject=5 wet",
      "rule=door, to=<ida>, from=mill [m4], reject=7 torn",
    ],
    wrong: line("to=<(?<to>[^>]+)>,\\s+.*?\\[(?<value>[^\\]]+)\\]\\s+\\(may\\s+be\\s+late\\),\\s+reject=\\d"),
    right: line("to=<(?<to>[^>]+)>,\\s+.*?\\[(?<value>[^\\]]+)\\].*?,\\s+reject=\\d"),
    says: "2 lines are not read for a remark in brackets alone",
  },
  {
    sign: "one blank in place of two",
    page: "Ports.\n\n- `7   Fixed    | Send Alarm            Enabled`\n- **value**: the port.\n- **Fields**: `action`.",
    lines: ["7   Fixed    | Send Alarm            Enabled", "8   Fixed    | Send Alarm, Shut Port Enabled"],
    wrong: line("^\\s*(?<value>\\d+)\\s+\\S+\\s+\\|\\s+(?<action>\\S.*?)\\s{2,}Enabled"),
    right: line("^\\s*(?<value>\\d+)\\s+\\S+\\s+\\|\\s+(?<action>\\S.*?)\\s+Enabled"),
    says: "1 lines are not read for wide blanks alone",
  },
  {
    sign: "what is said to have an ending",
    page: "Sizes.\n\n- **value**: the file.\n- **Fields**: `size`.\n- Bundles are the files that end in `.zip`; all else is left out.",
    lines: ["3 a.zip", "4 b.txt", "5 c.zip"],
    wrong: line("^(?<size>\\d) (?<value>\\S+)$"),
    right: line("^(?<size>\\d) (?<value>\\S+\\.zip)$"),
    says: 'the page says which are meant by ".zip", and 2 of 3 records have it',
  },
  {
    sign: "another word that counts, too",
    page: "Remarks.\n\n- `roof.k: Msg(3) eaves`\n- **value**: the file.\n- Hard ones have `Err(9...)` in place of `Msg(...)`. They count, too.",
    lines: ["roof.k: Msg(3) eaves", "wall.k: Err(9) gone"],
    wrong: line("^(?<value>\\S+): Msg\\("),
    right: line("^(?<value>\\S+): (?:Msg|Err)\\("),
    says: 'the page wants lines with "Err(9" as well, and none is read',
  },
  {
    sign: "a bound read as a number",
    page: "Pipes with a length of 100 m or more.\n\n- **value**: the pipe.\n- **Fields**: `length`.",
    lines: ["p1 100", "p2 140", "p3 30"],
    wrong: line("^(?<value>\\w+) (?<length>\\d+)$", [{ group: "length", equals: ["100"], match: "number" }]),
    right: line("^(?<value>\\w+) (?<length>\\d+)$", [{ group: "length", equals: ["100"], match: "least" }]),
    says: "the page sets a bound, and the condition asks for just 100",
  },
  {
    sign: "the heading of another table",
    page: "Files.\n\n- **value**: the name.\n- **Fields**: `size`.",
    lines: ["----", "Name  Size", "----", "a  1", "b  2", "----", "Door  Kind", "----", "c  3", "d  4"],
    wrong: table({ row: { by: "pattern", pattern: "^(?<value>\\w+)\\s+(?<size>\\w+)$" }, ends: "file" }),
    right: table({ ends: "ruler" }),
    says: "a heading row of another table is taken for a record: Door",
  },
];

for (const { sign, page, lines, wrong, right, says } of SIGNS) {
  test(`a doubt: ${sign}`, () => {
    const whole = readPage(page, "");
    const [group] = whole.groups;
    if (group === undefined) throw new Error("the page names no record");
    const about = (rule: Rule): string[] => doubtsOf([rule], { group, page: whole, whole, lines });
    expect(about(wrong).some((doubt) => doubt.startsWith(says))).toBe(true);
    expect(about(right).some((doubt) => doubt.startsWith(says.slice(0, 20)))).toBe(false);
  });
}
