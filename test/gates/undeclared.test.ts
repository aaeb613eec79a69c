// A folder of which nothing is declared: what fits any legitimate declaration passes with a warning that says what was
// seen; what fits none is an error. With declarations the same code is judged by them.
import { describe, expect, test } from "bun:test";
import { silentDeclarations } from "../../src/contract/declarations.ts";
import type { GateReport } from "../../src/contract/gates.ts";
import { correctSets } from "../mutation/suite.ts";
import { codes, gates, log, VERSIONS } from "./helpers.ts";

const EXISTS = 'description: d\ninput_files: ["*.log"]\nrequirements: {value: N/A}\nwaivers: {value: N/A}\n';
const TWICE = log(
  "start\nTool: alpha version 1.4\nx\nTool: beta version 2.0\nTool: alpha version 1.4\nTool: gamma version 7\nend\n",
);
const put = (from: string, to: string): string => {
  const code = VERSIONS.atom_a.replace(from, to);
  if (code === VERSIONS.atom_a) throw new Error(`no ${from} in the atom`);
  return code;
};
const undeclared = (atom_a: string): Promise<GateReport> =>
  gates({ atom_a, config: EXISTS }, { logs: [TWICE], declarations: {} });
const seen = (report: GateReport): string[] =>
  report.warnings.filter(({ code }) => code === "undeclared").map(({ message }) => message);

const READINGS: [name: string, code: string, fits: string][] = [
  ["the first", put("if (m) items", "if (m && items.length === 0) items"), "`records: first`, `scope: file`"],
  ["the last", put("return items;", "return items.slice(-1);"), "`records: last`, `scope: file`"],
  [
    "each value once",
    put("if (m) items", "if (m && !items.some((r) => r.value === m[1] + ' ' + m[2])) items"),
    "`records: distinct`, `scope: file`",
  ],
  ["the header", put("if (m) items", "if (m && i < 60) items"), "`records: all`, `scope: header`"],
];

describe("what fits a legitimate declaration passes", () => {
  for (const [name, code, fits] of READINGS) {
    test(name, async () => {
      const report = await undeclared(code);
      expect(report.errors).toEqual([]);
      expect(seen(report).join()).toContain(fits);
      const silent = { logs: [TWICE], declarations: silentDeclarations("atom_a") };
      expect((await gates({ atom_a: code, config: EXISTS }, silent)).valid).toBe(false);
    });
  }

  test("all records: no warning", async () => {
    const report = await undeclared(VERSIONS.atom_a);
    expect([report.errors, seen(report)]).toEqual([[], []]);
  });

  for (const set of correctSets().filter(({ declarations }) => declarations.records?.value !== "all")) {
    test(`${set.name} without its declarations`, async () => {
      const { sources, logs, examples } = set;
      const report = await gates(sources, { logs, examples, searchRoot: "/", declarations: {} });
      expect(report.errors).toEqual([]);
      expect(seen(report)).toHaveLength(1);
    });
  }
});

describe("what fits none is refused", () => {
  const wrong: [string, string][] = [
    ["two of four", put("return items;", "return items.slice(0, 2);")],
    ["every second", put("if (m) items", "if (m && i % 2 === 0) items")],
    ["no later than line 4000", put("if (m) items", "if (m && i < 4000) items")],
    ["fifty at most", put("return items;", "return items.slice(0, 50);")],
  ];
  for (const [name, code] of wrong) {
    test(name, async () => expect(codes(await undeclared(code))).not.toEqual([]));
  }

  test("the first, where the config needs two", async () => {
    const first = READINGS[0]?.[1] ?? "";
    const report = await gates({ atom_a: first }, { declarations: {} });
    expect(codes(report)).toContain("gate4_evidence only_one");
  });
});
