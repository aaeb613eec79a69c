// The checklist pipeline over the real engine and the fixtures: requirements and waivers from the spec, with author
// and end date, and the effect of a patch on the verdicts before its approval.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Failure, Run } from "../../../src/loops/design/schemas.ts";
import { cliJson } from "../../support/cli.ts";
import { folders } from "../../support/folder.ts";
import { type Bench, design, FIXTURES, itemsOf, patchFile } from "./support.ts";

setDefaultTimeout(120_000);
const folder = folders("design-checklist");
const root = folder();
// One project with two accepted items; each test works on a copy.
const model = join(root, "model");
let made: Promise<void> | undefined;
const open: Bench[] = [];
afterAll(async () => {
  for (const bench of open) await bench.stop();
});

async function acceptItems(): Promise<void> {
  cpSync(FIXTURES, join(root, "fixtures"), { recursive: true });
  const bench = design(model);
  open.push(bench);
  await bench.run("--create", "soc");
  await apply(
    bench,
    ...itemsOf("DRC-04", "STA-03").map((one) =>
      JSON.parse(JSON.stringify(one).replaceAll(FIXTURES, join(root, "fixtures"))),
    ),
  );
  expect(await bench.run("run")).toMatchObject({ code: 7, document: { status: "failed" } });
}

async function project(): Promise<Bench> {
  made ??= acceptItems();
  await made;
  const dir = folder();
  cpSync(model, dir, { recursive: true });
  const bench = design(dir);
  open.push(bench);
  return bench;
}
const apply = (bench: Bench, ...operations: object[]) =>
  cliJson(["design", "patch", "-", "--project-dir", bench.dir], {
    env: { ATOMSMITH_PERSON: "Alice" },
    ...patchFile(...operations),
  });
const json = (bench: Bench, path: string) => JSON.parse(readFileSync(join(bench.dir, path), "utf8"));
const stages = (run: Run) => Object.fromEntries(run.stages.map(({ name, status }) => [name, status]));

/** The item's own waivers with two more. */
const WAIVERS = {
  "density.*": "fill is inserted by the foundry",
  "li.3": "known false positive below the PLL",
  "regex:^met4\\.": "approved by the foundry",
  "m1.6": { reason: "ticket 4711", until: "2999-12-31" },
  "nwell.4": "ticket 4712",
};
const waive = (waivers: object) => ({ op: "add", path: "/items/DRC-04/waivers", value: waivers });

test("all six stages run; a failed item fails its stage, and the others reach the report", async () => {
  const bench = await project();
  const run = json(bench, "runs/run_0001/run.json");
  expect(stages(run)).toEqual({
    lint: "ok",
    discover: "ok",
    author: "ok",
    gates: "ok",
    check: "failed",
    report: "ok",
  });
  expect(run.stages[4].failures).toEqual([{ name: "DRC-04", reason: "fail: 2 found, 3 waived" }]);
  expect(run.jail).toBeNull();
  for (const stage of ["lint", "discover", "author", "gates", "check", "report"]) {
    expect(json(bench, `runs/run_0001/${stage}/report.json`)).toHaveProperty("ok");
  }
  const again = (await bench.run("run")).document;
  expect(stages(again)).toEqual({
    lint: "reused",
    discover: "reused",
    author: "reused",
    gates: "reused",
    check: "failed",
    report: "reused",
  });
  expect(again.stages[4].metrics).toMatchObject({ judged_anew: 0, read_anew: 0 });
});

test("a proposal shows the effect of a patch on the verdicts without a model or reading logs", async () => {
  const bench = await project();
  // Without its logs nothing can be read: the shown effect comes from the last extraction.
  const { code, turn } = await bench.say("waive them, tickets 4711 and 4712", {
    proposed_patches: [waive(WAIVERS)],
    run_request: { run: true, run_until: "check", reason: "to see it pass" },
  });
  expect(code).toBe(3);
  expect(turn.proposal).toMatchObject({
    difference: [{ pointer: "/items/DRC-04/waivers", op: "add" }],
    judged_anew: ["DRC-04"],
    verdicts: [
      {
        item: "DRC-04",
        before: "fail",
        after: "pass",
        appeared: [],
        note: "judged on the extraction of run_0001",
      },
    ],
  });
  expect(turn.proposal?.verdicts[0]?.disappeared.sort()).toEqual([
    "found: m1.6 (soc_top.drc.rpt)",
    "found: nwell.4 (soc_top.drc.rpt)",
  ]);
  expect(bench.server.requests.length).toBe(1);
  expect(json(bench, "patches/0002.json").verdicts).toEqual(turn.proposal?.verdicts);
  expect(await bench.run("approve", "0002")).toMatchObject({ code: 3 });
  const run = (await bench.run("approve", "run")).document;
  expect(stages(run)).toEqual({
    lint: "reused",
    discover: "reused",
    author: "reused",
    gates: "reused",
    check: "ok",
  });
  expect(run.stages[4].metrics).toMatchObject({ pass: 2, judged_anew: 1, read_anew: 0 });
});

test("effects that need the logs to be read are stated", async () => {
  const bench = await project();
  const { turn } = await bench.say("more", {
    proposed_patches: [
      { op: "add", path: "/items/LVS-05", value: { page: join(FIXTURES, "items/LVS-05_ItemSpec.md") } },
      { op: "replace", path: "/items/STA-03/enabled", value: false },
      { op: "add", path: "/items/DRC-04/note", value: "no effect" },
    ],
  });
  expect(turn.proposal?.judged_anew).toEqual(["LVS-05"]);
  expect(turn.proposal?.verdicts).toMatchObject([
    {
      item: "LVS-05",
      before: null,
      after: null,
      note: "not in the last check: run until check to see",
    },
    { item: "STA-03", before: "pass", after: null, note: "the item is no longer checked" },
  ]);
});

test("every report lists what the spec overrides, with patch, author and date", async () => {
  const bench = await project();
  await apply(bench, waive(WAIVERS));
  await apply(bench, {
    op: "add",
    path: "/items/STA-03/requirements",
    value: { value: "N/A", expect: "present" },
  });
  await apply(bench, { op: "replace", path: "/items/DRC-04/waivers/nwell.4", value: "ticket 4713" });
  await bench.run("run");
  const { items } = json(bench, "runs/run_0002/report/items.json");
  const date = new Date().toISOString().slice(0, 10);
  const waivers = Object.fromEntries(
    items["DRC-04"].overrides.waivers.map((one: { pattern: string }) => [one.pattern, one]),
  );
  expect(waivers["m1.6"]).toMatchObject({
    reason: "ticket 4711",
    until: "2999-12-31",
    ended: false,
    patch_id: "0002",
    person: "Alice",
    date,
  });
  expect(waivers["nwell.4"]).toMatchObject({ reason: "ticket 4713", patch_id: "0004" });
  expect(items["STA-03"].overrides.requirements).toMatchObject({
    value: "N/A",
    expect: "present",
    patch_id: "0003",
    person: "Alice",
  });
  for (const file of ["report.html", "junit.xml", "report.sarif", "items.txt", "results.json"]) {
    const text = readFileSync(join(bench.dir, "runs/run_0002/report", file), "utf8");
    expect(`${file}: ${text.includes(`patch 0002, Alice, ${date}`)}`).toBe(`${file}: true`);
    expect(text).toContain("ticket 4713");
  }
});

test("a waiver past its last day no longer applies", async () => {
  const bench = await project();
  await apply(bench, waive({ ...WAIVERS, "m1.6": { reason: "ticket 4711", until: "2001-01-31" } }));
  const run = (await bench.run("run")).document;
  expect(run.stages[4].failures).toHaveLength(1);
  expect(run.stages[4].failures[0].reason).toContain("1 found, 4 waived");
  expect(run.stages[4].failures[0].reason).toContain('"m1.6": ticket 4711 ended on 2001-01-31');
  const { turn } = await bench.say("longer", {
    proposed_patches: [{ op: "replace", path: "/items/DRC-04/waivers/m1.6/until", value: "2999-01-01" }],
  });
  expect(turn.proposal?.verdicts).toMatchObject([{ item: "DRC-04", before: "fail", after: "pass" }]);
});

describe("reuse by content", () => {
  test("a changed log is read again, a log with a new time only is not", async () => {
    const bench = await project();
    const log = join(root, "fixtures/project/drc/soc_top.drc.rpt");
    utimesSync(log, new Date(0), new Date(0));
    expect(stages((await bench.run("run", "--until", "author")).document)).toMatchObject({
      discover: "reused",
      author: "reused",
    });
    const text = readFileSync(log, "utf8");
    writeFileSync(log, text.replace("nwell.4         1", "nwell.4         2"));
    try {
      const run = (await bench.run("run", "--until", "check")).document;
      expect(run.stages[2].failures).toEqual([]);
      expect(stages(run)).toMatchObject({ lint: "reused", discover: "ok", author: "ok" });
      expect(run.stages[4].metrics).toMatchObject({ fail: 1, read_anew: 2 });
    } finally {
      writeFileSync(log, text);
    }
  });

  test("atoms changed by hand after a run fail at gates and check", async () => {
    const bench = await project();
    const atom = join(bench.dir, "output/DRC-04/atom_b.js");
    writeFileSync(atom, `${readFileSync(atom, "utf8")}\n// changed`);
    const run = (await bench.run("run", "--until", "gates")).document;
    // The item loop proves the set again, since the accepted set is its own.
    expect(stages(run)).toMatchObject({ author: "ok", gates: "ok" });
    expect(readFileSync(atom, "utf8")).not.toContain("// changed");
  });
});

test("an invalid page fails only its own item", async () => {
  const bench = await project();
  await apply(
    bench,
    { op: "add", path: "/items/XX-01", value: { page: "missing.md" } },
    { op: "add", path: "/items/YY-02", value: { page: join(FIXTURES, "items/LVS-05_ItemSpec.md") } },
  );
  const run = (await bench.run("run")).document;
  expect(run.stages[0].failures.map(({ name }: Failure) => name)).toEqual(["XX-01", "YY-02"]);
  expect(run.stages[4].metrics).toMatchObject({ items: 4, pass: 1, fail: 1, error: 2 });
  expect(stages(run)["report"]).toBe("ok");
});

test.each([
  ["a waiver without a reason", waive({ a: "" })],
  ["a date that is none", waive({ a: { reason: "r", until: "tomorrow" } })],
  ["an unknown key of an item", { op: "add", path: "/items/DRC-04/expect", value: "absent" }],
  [
    "requirements of a wrong kind",
    { op: "add", path: "/items/DRC-04/requirements", value: { value: "two" } },
  ],
  ["an id that is no folder", { op: "add", path: "/items/a~1b", value: { page: "x" } }],
])("%s is refused", async (_what, operation) => {
  const bench = await project();
  expect(await apply(bench, operation)).toMatchObject({ code: 2 });
});

test("extractions that no check uses are removed", async () => {
  const bench = await project();
  await apply(bench, { op: "remove", path: "/items/STA-03" });
  await bench.run("run", "--until", "check");
  expect(readdirSync(join(bench.dir, ".atomsmith/extractions"))).toHaveLength(1);
});
