// Waivers of an accepted set by command: shown before they are written, proved by the config gates, stored with
// author and date, ended by their date, carried over to the next accepted set.
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waiveDocumentSchema } from "../../../src/contract/documents.ts";
import { verifyAtomSet } from "../../../src/runtime/atom-set.ts";
import { readItemConfig } from "../../../src/runtime/read-config.ts";
import { dayOf, isDay, withoutEnded } from "../../../src/runtime/waiver-days.ts";
import { removeRunningProjects, startProject } from "./project.ts";
import { AT_ONCE, LOG, pageOf, scriptedModel } from "./scripted.ts";

afterAll(removeRunningProjects);

/** Characters with a special meaning in YAML, shells and terminals. */
const REASON = `#1: "quoted" 'single' - [x], {y} | z \\ back\\n tab\tend – ünï 🙂 * & ! % @ \`tick\` N/A `;

/** An accepted item whose check fails: the log has a clock that no pattern matches. */
async function failingProject() {
  const project = startProject(scriptedModel(AT_ONCE), { env: { LOGNAME: "nightly" } });
  expect((await project.run("batch", "specs")).code).toBe(0);
  const more = LOG.replace("end of report", "CLOCK aux period 5.00 ns\nend of report");
  writeFileSync(join(project.logs, "clocks.rpt"), more);
  return project;
}

test("a waiver makes a failing check pass, with reason, author and date kept unchanged, and can be removed", async () => {
  const project = await failingProject();
  expect((await project.run("check")).code).toBe(7);
  const before = readFileSync(join(project.set, "config.yaml"), "utf8");
  const dry = await project.run("waive", "CLK-1", "aux", "--reason", REASON, "--dry-run");
  expect([dry.code, dry.document.written]).toEqual([0, false]);
  expect(readFileSync(join(project.set, "config.yaml"), "utf8")).toBe(before);

  const started = performance.now();
  const waived = await project.run("waive", "CLK-1", "aux", "--reason", REASON);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(waiveDocumentSchema.safeParse(waived.document).error).toBeUndefined();
  expect(waived.document).toMatchObject({ written: true, before: "fail", after: "pass", errors: [] });
  expect(waived.document.records).toMatchObject([{ value: "aux", line_number: 6 }]);
  const check = await project.run("check");
  expect(check.code).toBe(0);
  expect(check.document.results[0].result.waived[0].waiver_reason).toBe(REASON);

  const set = await verifyAtomSet(project.set);
  expect(set.state === "accepted" && set.manifest.waivers).toMatchObject([
    { pattern: "aux", reason: REASON, until: null, by: "nightly" },
  ]);
  const list = await project.run("waive", "list", "CLK-1");
  expect(list.document.waivers).toMatchObject([
    { pattern: "aux", reason: REASON, ended: false, by: "nightly" },
  ]);

  // The item is still up to date, no request is sent, and the gates do not compare the waiver with the page.
  expect((await project.run("validate", project.set)).document.results[0].gates.consistency).toBe(true);
  const twice = await project.run("waive", "CLK-1", "aux", "--reason", "again");
  expect([twice.code, twice.document.error.message]).toEqual([2, 'CLK-1 has the waiver "aux" already']);

  const removed = await project.run("waive", "remove", project.set, "aux");
  expect(removed.document).toMatchObject({ written: true, before: "pass", after: "fail" });
  expect((await project.run("check")).code).toBe(7);
}, 60_000);

test("an unused waiver is reported by waive and by each check; invalid waivers are refused", async () => {
  const project = await failingProject();
  const idle = await project.print("waive", "CLK-1", "nothing", "--reason", "r");
  expect(idle.stdout).toContain("matches no violation in these logs");
  const check = await project.print("check");
  expect(check.stdout).toContain("CLK-1: the waiver \u201cnothing\u201d matched nothing");
  const wrong = await project.run("waive", "CLK-1", "regex:a|regex:b", "--reason", "r");
  expect([wrong.code, wrong.document.written, wrong.document.errors[0].code]).toEqual([
    3,
    false,
    "regex_with_alternatives",
  ]);
  const missing = await project.run("waive", "CLK-2", "x", "--reason", "r");
  expect(missing.document.error.message).toContain("did you mean CLK-1?");
  for (const wrongUse of [
    ["waive", "CLK-1", "aux"],
    ["waive", "CLK-1", "aux", "--reason", " "],
    ["waive", "CLK-1", "aux", "--reason", "r", "--until", "2026-02-30"],
    ["waive", "CLK-1", "aux", "--reason", "r", "--until", "2001-01-01"],
    ["waive", "remove", "CLK-1", "aux"],
  ]) {
    expect([wrongUse, (await project.run(...wrongUse)).code]).toEqual([wrongUse, 2]);
  }
}, 60_000);

test("a waiver past its last day no longer applies, and the check reports it", async () => {
  const project = await failingProject();
  const today = dayOf(new Date());
  await project.run("waive", "CLK-1", "aux", "--reason", "for now", "--until", today);
  expect((await project.run("check")).code).toBe(0);
  // Simulates the passing of the date.
  const config = join(project.set, "config.yaml");
  writeFileSync(config, readFileSync(config, "utf8").replace(today, "2001-01-01"));
  const over = await project.print("check", "--unverified");
  expect(over.code).toBe(7);
  expect(over.stdout).toContain('The waiver "aux" ended on 2001-01-01');
});

test("waivers set by command are kept when the page changes and a new set is accepted", async () => {
  const project = await failingProject();
  await project.run("waive", "CLK-1", "aux", "--reason", REASON);
  writeFileSync(project.spec, pageOf("CLK-1").replace("Read the clock", "Look at the clock"));
  const batch = await project.run("batch", "specs");
  expect(batch.document.items[0]).toMatchObject({ status: "accepted", up_to_date: false });
  expect((await project.run("check")).code).toBe(0);
  const list = await project.run("waive", "list", "CLK-1");
  expect(list.document.waivers).toMatchObject([{ pattern: "aux", reason: REASON, by: "nightly" }]);
}, 30_000);

test("dates must exist in the calendar, and the last day is included", () => {
  expect(["2026-02-28", "2024-02-29", "2026-12-31"].map(isDay)).toEqual([true, true, true]);
  expect(["2026-02-29", "2026-13-01", "26-01-01", "2026-01-01T00:00:00Z", ""].map(isDay)).toEqual(
    Array(5).fill(false),
  );
  const reading = readItemConfig(
    "waivers: {value: 2, waive_items: [a, b], waive_until: [2026-06-30, null]}",
    "generated",
  );
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  expect(withoutEnded(reading.config, "2026-06-30").ended).toEqual([]);
  const { config, ended } = withoutEnded(reading.config, "2026-07-01");
  expect(ended).toMatchObject([{ pattern: "a", until: "2026-06-30" }]);
  expect([config.type, config.waivers.waive_items]).toEqual([reading.config.type, ["b"]]);
  expect(readItemConfig("waivers: {value: 1, waive_items: [a], waive_until: [soon]}", "handwritten").ok).toBe(
    false,
  );
});
