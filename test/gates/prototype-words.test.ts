// Names that every object inherits, in place of words of a log: what reads otherwise is refused, what is only lost is a
// warning, and code that reads all words alike passes. Sets with whole logs are in the mutation suite.
import { describe, expect, test } from "bun:test";
import type { GateReport } from "../../src/contract/gates.ts";
import { gates, log, VERSIONS } from "./helpers.ts";

const put = (from: string, to: string): Promise<GateReport> => {
  if (!VERSIONS.atom_a.includes(from)) throw new Error(`no ${from} in the atom`);
  return gates({ atom_a: VERSIONS.atom_a.replace(from, () => to) });
};
const summary = ({ errors, warnings }: GateReport) => ({
  errors: [...new Set(errors.map(({ code }) => code))],
  lost: warnings.some(({ code }) => code === "prototype_word_lost"),
});

describe("names that every object inherits", () => {
  test("a record that is left out is a warning", async () => {
    expect(summary(await put("if (m) items", "if (m && !(m[1] in {})) items"))).toEqual({
      errors: [],
      lost: true,
    });
  });

  test("a field that is left out is a warning", async () => {
    const fields = "parsed_fields: Object.fromEntries([[m[1], m[2]]])";
    expect(summary(await put("parsed_fields: { tool: m[1], version: m[2] }", fields))).toEqual({
      errors: [],
      lost: false,
    });
    const assigned = "parsed_fields: (() => { const all = {}; all[m[1]] = m[2]; return all; })()";
    expect(summary(await put("parsed_fields: { tool: m[1], version: m[2] }", assigned))).toEqual({
      errors: [],
      lost: true,
    });
  });

  test("an inherited function in place of a text is an error", async () => {
    const table = "tool: String(({ alpha: 'first' })[m[1]] ?? m[1])";
    expect(summary(await put("tool: m[1]", table)).errors).toContain("prototype_word_read");
  });

  test("a log that has such a name itself, in any case, is read as it is", async () => {
    const text = "start\nTool: alpha version 1.4\nTool: beta version 2.0\nTool: ToString version 3\nend\n";
    expect(summary(await gates({}, { logs: [log(text)] }))).toEqual({ errors: [], lost: false });
  });

  test("a table without inherited names is right", async () => {
    const table = "tool: ({ __proto__: null, alpha: 'first' })[m[1]] ?? m[1]";
    expect(summary(await put("tool: m[1]", table))).toEqual({ errors: [], lost: false });
  });
});
