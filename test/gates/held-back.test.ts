// Lines that are not records while other records exist: sums below a table are right, a limit is not.
import { expect, test } from "bun:test";
import type { GateReport } from "../../src/contract/gates.ts";
import type { LoadedText } from "../../src/logio/text.ts";
import type { WorkedExample } from "../../src/spec/index.ts";
import { type CorrectSet, correctSets } from "../mutation/suite.ts";
import { codes, gates, log } from "./helpers.ts";

function setOf(name: string): CorrectSet {
  const set = correctSets().find((one) => one.name === name);
  if (!set) throw new Error(`no set ${name}`);
  return set;
}

const power = setOf("power-groups");
const EXISTS = "requirements: {value: N/A}\nwaivers: {value: N/A}\n";
const run = (logs: LoadedText[], examples: readonly WorkedExample[], code?: string): Promise<GateReport> =>
  gates({ ...power.sources, config: EXISTS, ...(code && { atom_a: code }) }, { logs, examples });
const one = power.logs.filter(({ path }) => path.endsWith("slow.rpt"));
const three = power.logs.filter(({ path }) => path.endsWith("fast.rpt"));

test("sums below a table of one row: an example that says none of them decides", async () => {
  const none = power.examples.filter(({ records }) => records.length === 0);
  expect(codes(await run(one, []))).toEqual(["gate4_evidence only_one"]);
  expect(codes(await run(one, none))).toEqual([]);
  // The same words with other numbers are the same line.
  const other = none.map((example) => ({ ...example, text: example.text.replace(/\d/g, "7") }));
  expect(codes(await run(one, other))).toEqual([]);
});

test("sums below a table of several rows need no example: they come in no row's place", async () => {
  const report = await run(three, []);
  expect(report.errors).toEqual([]);
});

test("an example that says none of another line excuses no limit", async () => {
  const sequential = { text: "Sequential       1.96e-05   4.03e-07   19.8%", records: [] };
  const capped = power.sources.atom_a.replace("if (!open ||", "if (items.length >= 2 || !open ||");
  expect(capped).not.toBe(power.sources.atom_a);
  const found = codes(await run(three, [{ text: "Total  1.0e-05  1.3e-06  9.0%", records: [] }], capped));
  expect(found).toContain("gate4_evidence capped");
  // Records of the log differ from this line in their numbers only: it is a form of its own.
  const more = log(`${three[0]?.text ?? ""}Macro            1.00e+00   0.00e+00    3.0%\n`);
  const found2 = codes(await run([more], [{ ...sequential, text: "Macro  1.0e-05  1.3e-06  9.0%" }], capped));
  expect(found2).toContain("gate4_evidence capped");
});
