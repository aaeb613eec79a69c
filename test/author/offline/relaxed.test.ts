// Rules that miss records, as a stranger would see them: each time a rule that leaves lines out for one place of it, and
// the same rule where the page rules these lines out or the rule takes them.

import { expect, test } from "bun:test";
import { instead } from "../../../src/author/offline/doubts/instead.ts";
import { relaxed, widened } from "../../../src/author/offline/doubts/relaxed/index.ts";
import { relaxedFrom } from "../../../src/author/offline/doubts/relaxed/lines.ts";
import { implausible } from "../../../src/author/offline/doubts/seen/index.ts";
import { shownButOut } from "../../../src/author/offline/doubts/shown-out.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";
import { interpretRule } from "../../../src/author/offline/program/interpret.ts";
import type { BlockRule, LineRule, Rule, TableRule } from "../../../src/author/offline/program/ir.ts";

function doubts(rules: readonly Rule[], said: string, lines: readonly string[]): string {
  const page = readPage(said, "`x.log`");
  const [group] = page.groups;
  if (group === undefined) throw new Error("the page names no record");
  return relaxed(rules, { group, page, whole: page, lines }).join("; ");
}

function projected(value: string, fields: readonly string[]): LineRule["alternatives"][number]["projection"] {
  return {
    value: { from: "group", group: value },
    fields: fields.map((name) => ({ name, source: { from: "group", group: name } })),
  };
}

function lineRule(value: string, fields: readonly string[], ...patterns: string[]): LineRule {
  return {
    kind: "line",
    alternatives: patterns.map((pattern) => ({ pattern, projection: projected(value, fields), example: "" })),
    unless: [],
    filters: [],
  };
}

const CRATES = "Crates that were weighed.\n\n- **value**: the crate.\n- **Fields**: `row`, `weight`.";

const HALL = [
  "crate k1 in row 7. See shelf 4 of hall B. (Weight: 12)",
  "crate k2 in row 9. See shelf 5 of hall B. (Weight: 15)",
  "crate k3 in row 2. Standing on the floor. (Weight: 90)",
];
const TIGHT =
  "crate (?<crate>\\w+) in row (?<row>\\d+)\\.\\s+See\\s+shelf \\d+ of hall B\\.\\s+\\(Weight: (?<weight>\\d+)\\)";

test("lines with another text between two parts", () => {
  const wide = "crate (?<crate>\\w+) in row (?<row>\\d+)\\..*\\(Weight: (?<weight>\\d+)\\)";
  const parts = ["row", "weight"];
  expect(doubts([lineRule("crate", parts, TIGHT)], CRATES, HALL)).toContain(
    "1 lines differ from the records",
  );
  expect(doubts([lineRule("crate", parts, wide)], CRATES, HALL)).toBe("");
  const said = `${CRATES}\n- Only crates on a shelf count.`;
  expect(doubts([lineRule("crate", parts, TIGHT)], said, HALL)).toBe("");
});

test("lines that one place alone keeps out are taken where nothing else is in doubt", () => {
  const page = readPage(
    "Crates that were weighed.\n\n- `crate k9 in row 7. See shelf 4 of hall B. (Weight: 12)`\n- **value**: the crate.\n- **Fields**: `row`, `weight`.",
    "`x.log`",
  );
  const [group] = page.groups;
  if (group === undefined) throw new Error("the page names no record");
  const rules = [lineRule("crate", ["row", "weight"], TIGHT)];
  const judged = { group, page, whole: page, lines: HALL };
  const wide = widened(rules, relaxed(rules, judged), judged) ?? [];
  expect(wide.flatMap((rule) => interpretRule(rule, HALL)).map(({ value }) => value)).toEqual([
    "k1",
    "k2",
    "k3",
  ]);
  expect(widened(rules, ["another doubt"], judged)).toBeUndefined();
});

test("lines with the other word that the page names are taken", () => {
  const lines = [
    "hall 2: crate k1 lifted by ann, refused",
    "hall 2: crate k2 lifted by bob, refused",
    "hall 3: small barrel k3 lifted by eve, refused",
    "hall 3: ladder k4 lifted by ida, refused",
  ];
  const rules = [
    lineRule("what", ["by"], "^hall \\d+: crate\\s+(?<what>\\w+)\\s+lifted\\s+by\\s+(?<by>\\w+), refused$"),
  ];
  const taken = (title: string): string[] => {
    const page = readPage(
      `${title}\n\n- \`hall 1: crate k9 lifted by tom, refused\`\n- **value**: the mark of the thing.\n- **Fields**: \`by\`.`,
      "`x.log`",
    );
    const [group] = page.groups;
    if (group === undefined) throw new Error("the page names no record");
    const judged = { group, page, whole: page, lines };
    const wide = widened(rules, relaxed(rules, judged), judged) ?? [];
    return wide.flatMap((rule) => interpretRule(rule, lines)).map(({ value }) => value);
  };
  for (const title of [
    "Workers whose crate or small barrel was refused.",
    "Refused small barrels or crates.",
    "Crates and small barrels that were refused.",
    "Every crate, or small barrel, that was refused.",
  ])
    expect({ title, taken: taken(title) }).toEqual({ title, taken: ["k1", "k2", "k3"] });
  expect(taken("Crates that were refused.")).toEqual([]);
});

test("two expressions that read another value", () => {
  const lines = ["--- LOST: crate7 (0.50kg)", "--- LOST: crate9 (0.75kg)"];
  const wrong = "LOST:.*?\\((?<crate>(?<weight>[\\d.]+)\\S+)\\)";
  const right = "LOST:\\s+(?<crate>\\S+)\\s+\\((?<weight>[\\d.]+)";
  const said = "Lost crates.\n\n- **value**: the crate.\n- **Fields**: `weight`.";
  expect(doubts([lineRule("crate", ["weight"], wrong, right)], said, lines)).toContain("two expressions");
  expect(doubts([lineRule("crate", ["weight"], right, "LOST: (?<crate>\\S+)")], said, lines)).toBe("");
});

test("rows of the table whose last cell is of another kind", () => {
  const lines = ["Crate  Row  Load  State", "k1  7  12  40", "k2  9  15  Idle (full)", "k3  2  90  7", ""];
  const rule = (state: string): TableRule => ({
    kind: "table",
    header: "^Crate\\s+Row",
    headerExample: "",
    row: { by: "pattern", pattern: `^(?<crate>\\S+)\\s+(?:\\d+)\\s+(?:\\d+)\\s+(?<state>${state})\\s*$` },
    ruler: "^-+$",
    ends: "blank",
    filters: [],
    unless: [],
    required: ["crate"],
    projection: projected("crate", ["state"]),
    example: "",
  });
  const said = "Crates.\n\n- **value**: the crate.\n- **Fields**: `state`.";
  expect(doubts([rule("\\d+")], said, lines)).toContain("no rows for the rule");
  expect(doubts([rule("\\S.*?")], said, lines)).toBe("");
});

const BLOCK: BlockRule = {
  kind: "block",
  start: "^crate (?<crate>\\w+) in row (?<row>\\d+)",
  startExample: "",
  keys: [],
  keyLine: "",
  inner: [
    { pattern: "^\\s*weight: (?<weight>\\d+)\\s*$", example: "" },
    { pattern: "^\\s*colour: (?<colour>\\w+)", example: "" },
  ],
  ends: "dedent",
  lineOf: "start",
  valueGroup: "crate",
  filters: [],
  required: ["crate", "weight"],
  projection: projected("crate", ["weight", "colour"]),
};

test("records that are begun and dropped although other parts of them are there", () => {
  const full = ["crate k1 in row 7", "  weight: 12", "  colour: red"];
  const said = "Crates.\n\n- **value**: the crate.\n- **Fields**: `weight`, `colour`.";
  const lacking = [...full, "crate k2 in row 9", "  colour: blue", ...full];
  expect(doubts([BLOCK], said, lacking)).toContain("1 records are begun and left out");
  expect(doubts([BLOCK], said, [...full, ...full])).toBe("");
  // The part stands on the first line itself.
  expect(doubts([BLOCK], said, [...full, "crate k2 in row 9 weight: 40", ...full])).toContain(
    "left out for a part",
  );
  const other = `${said}\n- Skip crates in \`row 9\`.`;
  expect(doubts([BLOCK], other, lacking)).toBe("");
});

test("a condition that leaves out the record of several lines that the page shows", () => {
  const page = readPage(
    "Crates:\n\n```\ncrate k1 in row 7\n  weight: 12\n  colour: red\n```\n\n- **value**: the crate.\n- **Fields**: `weight`, `colour`.",
    "`x.log`",
  );
  const [group] = page.groups;
  if (group === undefined) throw new Error("the page names no record");
  const on = (text: string): BlockRule => ({ ...BLOCK, filters: [{ group: "colour", equals: [text] }] });
  expect(shownButOut([on("blue")], group).join()).toContain("the record that the page shows");
  expect(shownButOut([on("red")], group)).toEqual([]);
});

function said(text: string): {
  page: ReturnType<typeof readPage>;
  group: ReturnType<typeof readPage>["groups"][number];
} {
  const page = readPage(text, "`x.log`");
  const [group] = page.groups;
  if (group === undefined) throw new Error("the page names no record");
  return { page, group };
}

test("a word that the page does not want in the place of one that it wants", () => {
  const { page, group } = said(
    "Warnings of the crane.\n\n- `// Warning: (CR7) load swings (seen:4)`\n- **value**: the rule.\n- **Fields**: `seen`.\n- Notes are not wanted.",
  );
  const rule = lineRule("rule", ["seen"], "\\((?<rule>\\w+)\\).*\\(seen:(?<seen>\\d+)\\)");
  const lines = ["// Warning: (CR1) rope is old (seen:2)", "// Note: (CR2) rope is new (seen:1)"];
  expect(instead([rule], group, page, lines).join()).toContain("does not want in place");
  expect(instead([rule], group, page, lines.slice(0, 1))).toEqual([]);
});

test("records that are counted by another line than the page says", () => {
  const { page, group } = said(
    "Bays:\n\n```\nBay 4\n  weight: 12\n  colour: red\n```\n\n- **value**: the colour.\n- **Fields**: `weight`.\n- Line number: the Bay line.",
  );
  const lines = ["Bay 1", "  weight: 12", "  colour: red", "Bay 2", "  weight: 13", "  colour: blue"];
  const bay = (lineOf: "start" | "value"): BlockRule => ({
    ...BLOCK,
    start: "^Bay \\d+",
    inner: [{ pattern: "^\\s*weight: (?<weight>\\d+)", example: "" }],
    keys: [{ label: "colour", group: "colour" }],
    keyLine: "^\\s*(?<key>\\w+): (?<text>.*)$",
    lineOf,
    valueGroup: "colour",
    required: ["colour"],
    projection: projected("colour", ["weight"]),
  });
  expect(instead([bay("value")], group, page, lines).join()).toContain("they stand elsewhere");
  expect(instead([bay("start")], group, page, lines)).toEqual([]);
});

test("a text at its edges, and a word that goes on behind a mark", () => {
  const lines = ["- bay: 'k-1 (lot 7/a)", "- bay: 'k-2 (lot 8/b)", "- bay: 'k-3 (lot 9/c)"];
  const { group } = said("Bays.\n\n- **value**: the bay.\n- **Fields**: `lot`.");
  const rule = (value: string, lot: string): LineRule =>
    lineRule("bay", ["lot"], `bay: ${value} \\(lot ${lot}`);
  const doubt = (one: LineRule): string => implausible([one], group, lines).join("; ");
  expect(doubt(rule("(?<bay>\\S+)", "(?<lot>[^)]+)"))).toContain("at its edge");
  expect(doubt(rule("'(?<bay>\\S+)", "(?<lot>\\d+)"))).toContain("goes on behind a mark");
  expect(doubt(rule("'(?<bay>\\S+)", "(?<lot>[^)]+)"))).toBe("");
});

test("a condition on the whole line is never let go with the text around it", () => {
  const page = readPage(CRATES, "`x.log`");
  const patterns = [
    "^(?:(?=.*?(?<told>\\d\\d:\\d\\d))|)(?!.*hall C).*?crate (?<crate>\\w+) weighs (?<weight>\\d+)",
    "^\\d+ (?!.*hall C)seen: crate (?<crate>\\w+) weighs (?<weight>\\d+)",
  ];
  for (const pattern of patterns) {
    const opened = relaxedFrom(pattern, page).map((one) => one.pattern);
    expect(opened.length).toBeGreaterThan(0);
    expect(opened.filter((one) => !one.includes("(?!.*hall C)"))).toEqual([]);
  }
});
