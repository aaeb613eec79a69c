// Single rules of judgement: differences between kinds of lines, columns, headings, files.
import { describe, expect, test } from "bun:test";
import { recordSnippets } from "../../../src/author/offline/index.ts";
import { clusterLines } from "../../../src/author/offline/logs/clusters.ts";
import { filePatterns } from "../../../src/author/offline/logs/files.ts";
import { isSimilarHeading } from "../../../src/author/offline/logs/headings.ts";
import { placesOf } from "../../../src/author/offline/logs/places.ts";
import { parseDocument } from "../../../src/author/offline/logs/tree.ts";
import { runProgram } from "../../../src/author/offline/program/program.ts";
import {
  columns_of,
  is_rule,
  keep_records,
  read_headings,
  read_json,
  read_xml,
  words_of,
} from "../../../src/author/offline/runtime/index.ts";
import { solve } from "../../../src/author/offline/solve.ts";
import type { WorkedExample } from "../../../src/spec/example.ts";
import { ex, one } from "../../support/offline.ts";

/** The fate of each line of a log: read, left out, or asked about. */
function judgeLines(
  lines: readonly string[],
  examples: readonly WorkedExample[],
  said: readonly string[] = [],
) {
  const outcome = solve(examples, [{ path: "a.log", lines }], said);
  if (outcome.kind === "question") return { asked: lines[outcome.place.line] };
  if (outcome.kind === "contradiction") return outcome.message;
  return { read: runProgram(outcome.program, lines).map(({ line }) => lines[line]) };
}

const A = "09:00:01 db: query orders took 12 ms on node 3";
const B = "09:00:02 db: query users took 700 ms on node 1";
const QUERY = [one(A, "orders", { ms: "12" }), one(B, "users", { ms: "700" })];

describe("a line that differs from the examples", () => {
  test.each([
    ["in time, numbers and texts of parts", "11:59:59 db: query carts took 5 ms on node 99"],
    ["behind the last part, by text that is longer than a few words", `${A} after a retry of the pool`],
  ])("%s is read", (_, line) => {
    expect(judgeLines([A, B, line], QUERY)).toEqual({ read: [A, B, line] });
  });

  test.each([
    ["in one word of several", "09:00:03 db: query carts spent 12 ms on node 3"],
    ["by text in front without a time", `replica ${A}`],
  ])("%s is asked about", (_, line) => {
    expect(judgeLines([A, B, line], QUERY)).toEqual({ asked: line });
  });

  test.each([
    ["in most words", "09:00:03 web: page carts sent 12 kB on node 3"],
    ["in everything", "shutting down"],
  ])("%s is left out", (_, line) => {
    expect(judgeLines([A, B, line], QUERY)).toEqual({ read: [A, B] });
  });

  test("an answer decides it, either way", () => {
    const line = "09:00:03 db: query carts took 0 ms on node 3";
    expect(judgeLines([A, B, line], [...QUERY, one(line)])).toEqual({ read: [A, B] });
    expect(judgeLines([A, B, line], [...QUERY, one(line, "carts", { ms: "0" })])).toEqual({
      read: [A, B, line],
    });
  });

  test("a time at the start of the line does not count as a difference", () => {
    const lines = [
      "query orders took 12 ms",
      "query users took 700 ms",
      "2024-01-01 09:00:03 query carts took 9 ms",
    ];
    const [a = "", b = ""] = lines;
    expect(judgeLines(lines, [one(a, "orders"), one(b, "users")])).toEqual({ read: lines });
  });

  test("zero is accepted where the examples may lack it by chance, else asked about", () => {
    const line = (n: number): string => `09:00:0${n} db: query carts took 0 ms on node 3`;
    expect(judgeLines([A, B, line(3)], QUERY)).toEqual({ read: [A, B, line(3)] });
    const many = [3, 4, 5, 6, 7].map(line);
    expect(judgeLines([A, B, ...many], QUERY)).toEqual({ asked: many[0] });
    // An excluding example elsewhere shows that the examples were chosen to show exclusions.
    const start = "08:00:00 start of the log";
    expect(judgeLines([start, A, B, ...many], [...QUERY, one(start)])).toEqual({ read: [A, B, ...many] });
  });

  test("a text that the page shows and all examples contain is required", () => {
    const line = "09:00:03 db: insert carts took 12 ms on node 3";
    expect(judgeLines([A, B, line], QUERY)).toEqual({ asked: line });
    expect(judgeLines([A, B, line], QUERY, ["query"])).toEqual({ read: [A, B] });
    expect(judgeLines([A, B, line], QUERY, ["orders"])).toEqual({ asked: line });
  });
});

describe("rows of a table", () => {
  const table = [
    "Block      Cells    Area",
    "-------    -----    -------",
    "alu          120     55.25",
    "fpu         4410    990.00",
    "dec           31      8.50",
    "-------    -----    -------",
    "all         4561   1053.75",
  ];
  const rows = [
    one("alu          120     55.25", "alu", { cells: "120" }),
    one("fpu         4410    990.00", "fpu", { cells: "4410" }),
  ];

  test("the last row below a rule is not a record unless an example shows it", () => {
    expect(judgeLines(table, rows)).toEqual({ read: table.slice(2, 5) });
    const all = one("all         4561   1053.75", "all", { cells: "4561" });
    expect(judgeLines(table, [...rows, all])).toEqual({ read: [...table.slice(2, 5), table[6] ?? ""] });
  });

  test("a blank cell in a column of numbers is read, a heading row is not", () => {
    const log = ["name\tsize\towner", "a.o\t12\tmia", "b.o\t\tjo", "c.o\t99\tlee"];
    const [, a = "", b = "", c = ""] = log;
    const examples = [
      one(a, "a.o", { size: "12", owner: "mia" }),
      one(c, "c.o", { size: "99", owner: "lee" }),
    ];
    expect(judgeLines(log, examples)).toEqual({ read: [a, b, c] });
  });

  test("an example without the part shows how a cell without it looks", () => {
    const log = ["a | 1 | x", "b | n/a | y", "c | 3 | z", "d | n/a | w"];
    const examples = [
      one("a | 1 | x", "a", { n: "1" }),
      one("c | 3 | z", "c", { n: "3" }),
      one("b | n/a | y", "b"),
    ];
    const outcome = solve(examples, [{ path: "a.log", lines: log }]);
    if (outcome.kind !== "program") throw new Error(JSON.stringify(outcome));
    expect(runProgram(outcome.program, log).map(({ texts }) => texts)).toEqual([
      { value: "a", n: "1" },
      { value: "b" },
      { value: "c", n: "3" },
      { value: "d" },
    ]);
  });

  test("a word belongs to the column above it, or else to the preceding word", () => {
    const cells = columns_of(words_of("Name      Size   Note"), "a b       12     of two words");
    const row = "a b       12     of two words";
    expect(cells.map((cell) => cell && row.slice(cell.start, cell.end))).toEqual([
      "a b",
      "12",
      "of two words",
    ]);
    expect(columns_of(words_of("Name      Size   Note"), "a").slice(1)).toEqual([null, null]);
  });
});

describe("headings", () => {
  const headingsAbove = (lines: string[]): string[] =>
    read_headings(lines).under.map((text) => text.replace("\n", "/"));
  const headingLines = (lines: string[]): number[] =>
    read_headings(lines).own.flatMap((heading, line) => (heading ? [line] : []));

  test("framed, underlined and bracketed titles apply until the next title", () => {
    const lines = ["x", "=== One ===", "a", "", "Two", "---", "b", "[three]", "c"];
    expect(headingsAbove(lines)).toEqual([
      "",
      "One/",
      "One/",
      "One/",
      "Two/",
      "Two/",
      "Two/",
      "three/",
      "three/",
    ]);
  });

  test("the heading row of a table applies to its rows and ends with a blank line", () => {
    const lines = ["A   B", "-----", "1   2", "", "3   4"];
    expect(headingsAbove(lines)).toEqual(["/A B", "/A B", "/A B", "", ""]);
    expect(headingLines(lines)).toEqual([0, 1]);
  });

  test("the only row of a table between rules is not a heading", () => {
    const rule = "+---+---+";
    expect(headingLines([rule, "| a | b |", rule, "| 1 | 2 |", rule])).toEqual([0, 1, 2, 4]);
    expect(headingLines(["------", "A   B", "------", "1   2", "------"])).toEqual([0, 1, 2, 4]);
    // A heading over all columns and a repeated heading are headings too.
    expect(headingLines([rule, "| all |", rule, "| a | b |", rule, "| 1 | 2 |"])).toEqual([0, 1, 2, 3, 4]);
    expect(headingLines([rule, "| a | b |", rule, "| 1 | 2 |", rule, "| a | b |", rule])).toEqual([
      0, 1, 2, 4, 5, 6,
    ]);
  });

  test("a row that resembles the last one because of a heading row is kept", () => {
    const lines = ["+---+---+", "| a | b |", "+---+---+", "| 1 | 2 |", "+---+---+"];
    const records = [1, 3].map((line) => ({ line, texts: { value: String(line) } }));
    const kept = keep_records({ skip_headings: true, skip_closing: true }, records, lines);
    expect(kept.map(({ line }) => line)).toEqual([3]);
  });

  test.each([
    ["-----", true],
    ["+--+--+---+", true],
    ["====  ====", true],
    ["--", false],
    ["- - -", false],
    ["--- a", false],
    ["...", false],
  ])("%s", (line, rule) => {
    expect(is_rule(line)).toBe(rule);
  });

  test("two headings are similar when half of their words are equal", () => {
    expect(isSimilarHeading("Clock clk_a\n", "Clock clk_b\n")).toBe(true);
    expect(isSimilarHeading("Setup paths\n", "Hold checks\n")).toBe(false);
    expect(isSimilarHeading("Clock clk_a\n", "Clock clk a\n")).toBe(false);
  });
});

describe("documents", () => {
  test("JSON is read among other lines, and broken values are skipped", () => {
    const roots = read_json('noise\n{"a": 1}\n{"b": \n{"c": [true, "x"]}\nend');
    expect(roots.map(({ line, items }) => [line, items.map(({ name, text }) => [name, text])])).toEqual([
      [1, [["a", "1"]]],
      [3, [["c", null]]],
    ]);
  });

  test("XML is read with entities, comments, CDATA, unclosed elements and lines of text", () => {
    const [root] = read_xml("<a>\n<!-- <b/> --><b k='1 &amp; 2'>\n x &lt; y</b><c><d>z</a>");
    expect(root?.items.map(({ name, line, text_line }) => [name, line, text_line])).toEqual([
      ["b", 1, 2],
      ["c", 2, undefined],
    ]);
    expect(root?.items[0]?.text?.trim()).toBe("x < y");
    expect(root?.items[0]?.items[0]).toMatchObject({ name: "@k", text: "1 & 2" });
    expect(root?.items[1]?.items[0]?.text).toBe("z");
  });

  test("a log is a document when its lines begin as one", () => {
    const kind = (text: string): string | undefined =>
      parseDocument({ path: "", lines: text.split("\n") })?.tree;
    expect(kind('\n{"a":1}\n{"a":2}')).toBe("json");
    expect(kind("<?xml version='1.0'?>\n<a/>")).toBe("xml");
    expect(kind("[10:00] a\n[10:01] b")).toBeUndefined();
    expect(kind("plain\ntext")).toBeUndefined();
  });

  test("a member that is equal in all examples filters nodes only when an example requires it", () => {
    const node = (id: string, state: string): string => `{"id":"${id}","state":"${state}"}`;
    const lines = [node("a", "bad"), node("b", "bad"), node("c", "good"), node("d", "bad")];
    const [a = "", b = "", c = "", d = ""] = lines;
    const examples = [one(a, "a"), one(b, "b")];
    expect(judgeLines(lines, [...examples, one(c)])).toEqual({ read: [a, b, d] });
    expect(judgeLines(lines, [...examples, one(c, "c")])).toEqual({ read: lines });
  });
});

describe("text of the page", () => {
  test("texts in backticks that look like files are file patterns", () => {
    expect(filePatterns("`*.log`, `a/b.rpt`, `some words.txt`, `name`, ` x.gz `, `*`, `*.log`")).toEqual([
      "*.log",
      "a/b.rpt",
      "x.gz",
    ]);
  });

  test("short texts in backticks are parts of records, split at an ellipsis", () => {
    expect(recordSnippets("`slack` `a b c d` `from … to` `--` `VIOLATED ...`")).toEqual([
      "slack",
      "from",
      "VIOLATED",
    ]);
  });

  test("lines of an example are found one below the other, with other blanks at their ends", () => {
    const logs = [{ path: "", lines: ["a  ", "b", "a", "c", "a", "b\t"] }];
    expect(placesOf(["a", "b "], logs).map(({ line }) => line)).toEqual([0, 4]);
  });
});

test("numbers, paths and single words do not divide kinds of lines", () => {
  const lines = [
    "open /a/b took 3 ms",
    "open /c took 44 ms",
    "closed by peer",
    "",
    "open /x/y/z took 5 ms",
    "bye",
  ];
  const kinds = clusterLines([{ path: "a", lines }]).map(({ line, at, count }) => [line, at, count]);
  expect(kinds[0]).toEqual(["open /a/b took 3 ms", 0, 3]);
  expect(kinds.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(5);
});

test("a line above applies to several records, or to one only", () => {
  const log = ["file a.c", "  12: unused x", "  90: unused y", "file b.c", "  7: unused z", "  8: unused w"];
  const outcome = solve(
    [
      ex("file a.c\n  12: unused x\n---\nvalue: x\nfile: a.c\nrow: 12"),
      ex("file b.c\n  7: unused z\n---\nvalue: z\nfile: b.c\nrow: 7"),
    ],
    [{ path: "a.log", lines: log }],
  );
  if (outcome.kind !== "program") throw new Error(JSON.stringify(outcome));
  expect(runProgram(outcome.program, log).map(({ texts }) => texts["file"])).toEqual([
    "a.c",
    "a.c",
    "b.c",
    "b.c",
  ]);
});
