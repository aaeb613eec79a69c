// Waivers of an accepted set by command: shown before they are written, proved by the config gates, kept with who and
// when, ended by their date, carried over to the next accepted set.
import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waiveDocumentSchema } from "../../../src/contract/documents.ts";
import { verifyAtomSet } from "../../../src/runtime/atom-set.ts";
import { readItemConfig } from "../../../src/runtime/read-config.ts";
import { dayOf, isDay, withoutEnded } from "../../../src/runtime/waiver-days.ts";
import { cli, cliJson } from "../../support/cli.ts";
import { type ModelServer, startModelServer } from "../../support/model-server.ts";
import { AT_ONCE, ENV, LOG, makeProject, pageOf, removeProjects, scriptedModel } from "./scripted.ts";

const servers: ModelServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
  removeProjects();
});

/** Characters that YAML, shells and terminals treat in their own ways. */
const REASON = `#1: "quoted" 'single' - [x], {y} | z \\ back\\n tab\tend – ünï 🙂 * & ! % @ \`tick\` N/A `;

/** An accepted item whose check fails: the log has a clock that no pattern names. */
async function failing() {
  const server = startModelServer(scriptedModel(AT_ONCE));
  servers.push(server);
  const project = makeProject(server.url);
  const at = { cwd: project.root, env: { ...ENV, LOGNAME: "nightly" } };
  const flags = ["--config", project.config];
  const rooted = [...flags, "--search-root", project.logs];
  expect((await cliJson(["batch", "specs", ...rooted], at)).code).toBe(0);
  const more = LOG.replace("end of report", "CLOCK aux period 5.00 ns\nend of report");
  writeFileSync(join(project.logs, "clocks.rpt"), more);
  const json = async (...args: string[]) => {
    const run = await cliJson(args, at);
    // biome-ignore lint/suspicious/noExplicitAny: documents of several commands
    return { code: run.code, document: run.document as any };
  };
  const set = join(project.root, "output", "CLK-1");
  return { ...project, at, flags, rooted, json, set, server };
}

test("one command leads from a failing check to a passing one, and keeps who, when and every character", async () => {
  const at = await failing();
  expect((await at.json("check", ...at.rooted)).code).toBe(7);
  const before = readFileSync(join(at.set, "config.yaml"), "utf8");
  const dry = await at.json("waive", "CLK-1", "aux", "--reason", REASON, "--dry-run", ...at.rooted);
  expect([dry.code, dry.document.written]).toEqual([0, false]);
  expect(readFileSync(join(at.set, "config.yaml"), "utf8")).toBe(before);

  const started = performance.now();
  const waived = await at.json("waive", "CLK-1", "aux", "--reason", REASON, ...at.rooted);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(waiveDocumentSchema.safeParse(waived.document).error).toBeUndefined();
  expect(waived.document).toMatchObject({ written: true, before: "fail", after: "pass", errors: [] });
  expect(waived.document.records).toMatchObject([{ value: "aux", line_number: 6 }]);
  const check = await at.json("check", ...at.rooted);
  expect(check.code).toBe(0);
  expect(check.document.results[0].result.waived[0].waiver_reason).toBe(REASON);

  const set = await verifyAtomSet(at.set);
  expect(set.state === "accepted" && set.manifest.waivers).toMatchObject([
    { pattern: "aux", reason: REASON, until: null, by: "nightly" },
  ]);
  const list = await at.json("waive", "list", "CLK-1", ...at.flags);
  expect(list.document.waivers).toMatchObject([
    { pattern: "aux", reason: REASON, ended: false, by: "nightly" },
  ]);

  // The item is as up to date as before for its log; nobody is asked, and the gates know the waiver is no part of the page.
  expect((await at.json("validate", at.set, ...at.rooted)).document.results[0].gates.consistency).toBe(true);
  const twice = await at.json("waive", "CLK-1", "aux", "--reason", "again", ...at.rooted);
  expect([twice.code, twice.document.error.message]).toEqual([2, 'CLK-1 has the waiver "aux" already']);

  const removed = await at.json("waive", "remove", at.set, "aux", ...at.rooted);
  expect(removed.document).toMatchObject({ written: true, before: "pass", after: "fail" });
  expect((await at.json("check", ...at.rooted)).code).toBe(7);
}, 60_000);

test("a waiver that matches nothing is told when it is given and at every check; the gates refuse one that cannot be", async () => {
  const at = await failing();
  const idle = await cli(["waive", "CLK-1", "nothing", "--reason", "r", ...at.rooted], at.at);
  expect(idle.stdout).toContain("matches no violation in these logs");
  const check = await cli(["check", ...at.rooted], at.at);
  expect(check.stdout).toContain("CLK-1: the waiver \u201cnothing\u201d matched nothing");
  const wrong = await at.json("waive", "CLK-1", "regex:a|regex:b", "--reason", "r", ...at.rooted);
  expect([wrong.code, wrong.document.written, wrong.document.errors[0].code]).toEqual([
    3,
    false,
    "regex_with_alternatives",
  ]);
  const missing = await at.json("waive", "CLK-2", "x", "--reason", "r", ...at.rooted);
  expect(missing.document.error.message).toContain("did you mean CLK-1?");
  for (const wrongUse of [
    ["waive", "CLK-1", "aux", ...at.rooted],
    ["waive", "CLK-1", "aux", "--reason", " ", ...at.rooted],
    ["waive", "CLK-1", "aux", "--reason", "r", "--until", "2026-02-30", ...at.rooted],
    ["waive", "CLK-1", "aux", "--reason", "r", "--until", "2001-01-01", ...at.rooted],
    ["waive", "remove", "CLK-1", "aux", ...at.rooted],
  ]) {
    expect([wrongUse, (await at.json(...wrongUse)).code]).toEqual([wrongUse, 2]);
  }
}, 60_000);

test("after its last day a waiver is a violation again, and the check says so", async () => {
  const at = await failing();
  const today = dayOf(new Date());
  await at.json("waive", "CLK-1", "aux", "--reason", "for now", "--until", today, ...at.rooted);
  expect((await at.json("check", ...at.rooted)).code).toBe(0);
  // The day passes: the same set with a day that is over.
  const config = join(at.set, "config.yaml");
  writeFileSync(config, readFileSync(config, "utf8").replace(today, "2001-01-01"));
  const over = await cli(["check", "--unverified", ...at.rooted], at.at);
  expect(over.code).toBe(7);
  expect(over.stdout).toContain('The waiver "aux" ended on 2001-01-01');
});

test("waivers given by command stay when the page changes and a new set is accepted", async () => {
  const at = await failing();
  await at.json("waive", "CLK-1", "aux", "--reason", REASON, ...at.rooted);
  writeFileSync(at.spec, pageOf("CLK-1").replace("Read the clock", "Look at the clock"));
  const batch = await at.json("batch", "specs", ...at.rooted);
  expect(batch.document.items[0]).toMatchObject({ status: "accepted", up_to_date: false });
  expect((await at.json("check", ...at.rooted)).code).toBe(0);
  const list = await at.json("waive", "list", "CLK-1", ...at.flags);
  expect(list.document.waivers).toMatchObject([{ pattern: "aux", reason: REASON, by: "nightly" }]);
}, 30_000);

test("days: only days of the calendar, the last day included", () => {
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
