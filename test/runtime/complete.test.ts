// No pass without evidence: for no accepted set a cut, empty or foreign log passes where the whole log would not. Over the fixtures as the offline author makes them, and over the right sets of the mutation suite.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { createSandbox } from "../../sandbox/index.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import { PathGuard } from "../../src/files/guard.ts";
import { variablesOf } from "../../src/files/variables.ts";
import {
  type CheckedSet,
  type CheckOptions,
  checkAtomSet,
  LogPool,
  parseOverride,
  readItemConfig,
} from "../../src/runtime/index.ts";
import { correctSets } from "../mutation/suite.ts";
import { cli } from "../support/cli.ts";
import { sources, writeSet, writeTree } from "./sets.ts";

setDefaultTimeout(120_000);
const FIXTURES = join(import.meta.dir, "../../fixtures");

let base: string;
let sandbox: Sandbox;
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-complete-")));
  sandbox = await createSandbox({ require: "process", children: 2 }, () => {});
});
afterAll(async () => {
  await sandbox.close();
  rmSync(base, { recursive: true, force: true });
});

async function check(dir: string, root: string, changes: Partial<CheckOptions> = {}): Promise<CheckedSet> {
  const guard = new PathGuard(root);
  const options: CheckOptions = {
    variables: variablesOf(guard.root, {}),
    overrides: [],
    outdated: false,
    unverified: false,
    limits: {},
    maxRecords: 100_000,
    requireWitness: false,
    parallel: 2,
    ...changes,
  };
  const services = {
    sandbox,
    pool: new LogPool({ maxTextBytes: 2 ** 26 }),
    guard,
    emit: () => {},
    emitOf: () => () => {},
    signal: new AbortController().signal,
  };
  return checkAtomSet(dir, options, services);
}

const codesOf = (checked: CheckedSet): string[] => checked.result.diagnostics.map(({ code }) => code);

/** A log as it would be had the run not finished, or had another program written it. */
function brokenVariants(text: string, other: string): [what: string, text: string][] {
  const tenths = Array.from({ length: 9 }, (_, i): [string, string] => [
    `cut at ${i + 1} tenths`,
    text.slice(0, Math.floor((text.length * (i + 1)) / 10)),
  ]);
  const lines = text.split("\n");
  const half = lines.slice(0, Math.floor(lines.length / 2)).join("\n");
  return [
    ...tenths,
    ["empty", ""],
    ["blank", "\n\n"],
    ["not found", "sh: 1: lec: not found\n"],
    ["the log of another tool", other],
    ["an aborted run", `${half}\nCaught signal 15, aborting.\nTerminated\n`],
  ];
}

const OTHER =
  "Loading design top\nElaborating 12 modules\nParsed 31 files in 2.1 s\nWriting netlist\nAll done, bye\n";

/** Runs a set on every broken form of each of its inputs, while the others are complete. */
async function passesOnBroken(dir: string, root: string): Promise<{ whole: string; wrong: string[] }> {
  const whole = await check(dir, root);
  const wrong: string[] = [];
  for (const path of whole.result.input_files) {
    const bytes = readFileSync(path);
    const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = (zipped ? gunzipSync(bytes) : bytes).toString("utf8");
    for (const [what, changed] of brokenVariants(text, OTHER)) {
      writeFileSync(path, zipped ? gzipSync(changed) : changed);
      const checked = await check(dir, root);
      const reported = codesOf(checked).includes("no_witness_known");
      if (checked.result.outcome === "pass" && whole.result.outcome !== "pass" && !reported) {
        wrong.push(`${basename(path)} ${what}`);
      }
      // A proof by absence never passes on less than the whole log, unless the report states that there is no
      // witness.
      const absent = checked.config?.requirements.expect === "absent";
      if (absent && checked.result.outcome === "pass" && !reported)
        wrong.push(`${basename(path)} ${what}: absent`);
      const strict = await check(dir, root, { requireWitness: true });
      if (strict.result.outcome === "pass" && whole.result.outcome !== "pass") wrong.push(`strict: ${what}`);
    }
    writeFileSync(path, bytes);
  }
  return { whole: whole.result.outcome, wrong };
}

test("no cut, empty or foreign log passes for sets of the offline author", async () => {
  const cwd = join(base, "fixtures");
  const root = join(cwd, "project");
  for (const entry of readdirSync(join(FIXTURES, "project"), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(root, relative(join(FIXTURES, "project"), from));
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, readFileSync(from));
  }
  const made = await cli(["batch", join(FIXTURES, "items"), "--search-root", root], { cwd });
  expect(made.code).toBe(3);
  const outcomes: Record<string, string> = {};
  for (const id of readdirSync(join(cwd, "output")).sort()) {
    const dir = join(cwd, "output", id);
    if (JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8")).stub) continue;
    const { whole, wrong } = await passesOnBroken(dir, root);
    outcomes[id] = whole;
    expect({ id, wrong }).toEqual({ id, wrong: [] });
  }
  const golden = Object.keys(outcomes).map((id) => [
    id,
    JSON.parse(readFileSync(join(FIXTURES, "golden", `${id}.json`), "utf8")).outcome,
  ]);
  expect(outcomes).toEqual(Object.fromEntries(golden));
  expect(Object.keys(outcomes)).toHaveLength(9);
});

describe("correct sets of the mutation suite", () => {
  for (const set of correctSets()) {
    test(set.name, async () => {
      const root = join(base, `suite-${set.name}`);
      writeTree(root, Object.fromEntries(set.logs.map(({ path, text }) => [basename(path), text])));
      // The log of one set has another name on disk.
      const config = set.sources.config.replace("maße.txt", "mass.txt");
      const dir = await writeSet(join(base, "sets"), set.name, { ...set.sources, config });
      expect((await passesOnBroken(dir, root)).wrong).toEqual([]);
    });
  }
});

describe("where a witness is required", () => {
  const LOG = "start\nitem: a\nitem: b\nend of run\n";
  const CUT = "start\nitem: a\n";
  const config = (requirements: string, waivers = "{value: N/A}", witnesses = "witnesses: [end of run]") =>
    `description: d\ninput_files: ["*.log"]\nrequirements: ${requirements}\nwaivers: ${waivers}\n${witnesses}\n`;
  let count = 0;
  const run = async (
    yaml: string,
    files: Record<string, string | Uint8Array>,
    changes: Partial<CheckOptions> = {},
  ) => {
    count += 1;
    const root = join(base, `need-${count}`);
    writeTree(root, files);
    const dir = await writeSet(join(base, "needs"), `N-${count}`, sources(yaml));
    return check(dir, root, changes);
  };

  const cases: [
    what: string,
    requirements: string,
    waivers: string,
    log: string,
    outcome: string,
    code: string | undefined,
  ][] = [
    ["absent, no record", "{expect: absent}", "{value: N/A}", "start\n", "error", "no_witness"],
    [
      "absent, no record, whole",
      "{expect: absent}",
      "{value: N/A}",
      "start\nend of run\n",
      "pass",
      undefined,
    ],
    [
      "absent, a violation is one in a cut log, too",
      "{expect: absent}",
      "{value: N/A}",
      CUT,
      "fail",
      undefined,
    ],
    ["absent, all waived", "{expect: absent}", "{value: 1, waive_items: [a]}", CUT, "error", "no_witness"],
    ["absent, waived globally", "{expect: absent}", "{value: 0}", CUT, "error", "no_witness"],
    [
      "absent with patterns",
      "{value: 1, pattern_items: [zz], expect: absent}",
      "{value: N/A}",
      CUT,
      "error",
      "no_witness",
    ],
    ["extra records fail", "{value: 1, pattern_items: [a]}", "{value: N/A}", CUT, "error", "no_witness"],
    [
      "extra records fail, and one is missing",
      "{value: 2, pattern_items: [a, b]}",
      "{value: N/A}",
      CUT,
      "fail",
      undefined,
    ],
    [
      "extra records are information",
      "{value: 1, pattern_items: [a], extra: info}",
      "{value: N/A}",
      CUT,
      "pass",
      undefined,
    ],
    [
      "… in a torn last line",
      "{value: 1, pattern_items: [a], extra: info}",
      "{value: N/A}",
      "start\nitem: a",
      "error",
      "no_witness",
    ],
    ["existence", "{value: N/A}", "{value: N/A}", CUT, "pass", undefined],
    ["an empty input", "{expect: absent}", "{value: N/A}", " \n", "error", "input_empty"],
  ];
  for (const [what, requirements, waivers, log, outcome, code] of cases) {
    test(what, async () => {
      const checked = await run(config(requirements, waivers), { "a.log": log });
      expect([checked.result.outcome, ...codesOf(checked)]).toEqual([
        outcome,
        ...(code === undefined ? [] : [code]),
      ]);
      if (code !== undefined && checked.result.result) expect(checked.result.result.status).toBe("FAIL");
    });
  }

  test("each input needs a witness; a violation in another file does not count for a file without records", async () => {
    const yaml = config("{expect: absent}");
    const both = await run(yaml, { "a.log": LOG, "b.log": "start\n" });
    expect([both.result.outcome, ...codesOf(both)]).toEqual(["error", "no_witness"]);
    expect(both.result.diagnostics[0]?.file).toEndWith("b.log");
    expect((await run(yaml, { "a.log": LOG, "b.log": "start\nend of run\n" })).result.outcome).toBe("fail");
  });

  test("witnesses are found in compressed inputs and inputs given by name, also by regular expressions", async () => {
    const yaml = config(
      "{expect: absent}",
      "{value: N/A}",
      'witnesses: ["regex:^end of (?P<what>run|job)$"]',
    );
    expect((await run(yaml, { "a.log": gzipSync("start\nend of job\n") })).result.outcome).toBe("pass");
    expect(codesOf(await run(yaml, { "a.log": gzipSync("start\nend of jobs\n") }))).toEqual(["no_witness"]);
    const root = join(base, `need-${count + 1}`);
    const named = await run(yaml, { "other.txt": "start\n" }, { inputs: [join(root, "other.txt")] });
    expect(codesOf(named)).toEqual(["no_witness"]);
  });

  test("--set changes what is required, and the witnesses", async () => {
    const overrides = ["requirements.expect=absent", 'witnesses=["item: b"]'].map(parseOverride);
    const checked = await run(config("{value: N/A}"), { "a.log": CUT }, { overrides: overrides.slice(0, 1) });
    expect(checked.result.outcome).toBe("fail");
    const waived = await run(config("{value: N/A}", "{value: 0}"), { "a.log": LOG }, { overrides });
    expect(waived.result.outcome).toBe("pass");
  });

  test("a witness expression that does not compile or takes too long is an error", async () => {
    const bad = await run(config("{expect: absent}", "{value: N/A}", 'witnesses: ["regex:(end"]'), {
      "a.log": LOG,
    });
    expect([bad.result.outcome, ...codesOf(bad)]).toEqual(["error", "witness_invalid"]);
    const slow = config("{expect: absent}", "{value: N/A}", 'witnesses: ["regex:^(a+)+$"]');
    const run2 = await run(slow, { "a.log": `${"a".repeat(60)}!\n` });
    expect([run2.result.outcome, ...codesOf(run2)]).toEqual(["error", "witness_failed", "no_witness"]);
  });

  test("a large log read in parts gives the same answer as a whole", async () => {
    const filler = "some line without any record in it\n".repeat(300_000);
    const yaml = config("{expect: absent}", "{value: N/A}", 'witnesses: ["regex:^end of run$"]');
    const root = join(base, "large");
    writeTree(root, { "a.log": `${filler}end of run\n` });
    const dir = await writeSet(join(base, "needs"), "LARGE", sources(yaml), { lineLocal: true });
    expect((await check(dir, root)).result.outcome).toBe("pass");
    writeFileSync(join(root, "a.log"), filler);
    expect(codesOf(await check(dir, root))).toEqual(["no_witness"]);
  });

  const without: [what: string, witnesses: string, message: RegExp][] = [
    ["no key", "", /: the set has no witness\.$/],
    ["none, with a reason", "witnesses: []\nno_witness_reason: a bare table", /\(a bare table\)\.$/],
  ];
  for (const [what, witnesses, message] of without) {
    test(`a missing witness is a warning, or an error where one is required: ${what}`, async () => {
      const yaml = config("{expect: absent}", "{value: N/A}", witnesses);
      const files = { "a.log": "start\nend of run\n" };
      const warned = await run(yaml, files);
      expect(warned.result.outcome).toBe("pass");
      expect(warned.result.diagnostics).toEqual([
        { severity: "warning", code: "no_witness_known", message: expect.stringMatching(message) },
      ]);
      const strict = await run(yaml, files, { requireWitness: true });
      expect([strict.result.outcome, ...codesOf(strict)]).toEqual(["error", "no_witness_known"]);
      expect(
        (await run(config("{value: N/A}", "{value: N/A}", witnesses), { "a.log": LOG })).result.diagnostics,
      ).toEqual([]);
    });
  }
});

describe("records are the evidence", () => {
  const atom = (body: string) => `function check_existence(items) { ${body} }`;
  const wrong: [what: string, body: string][] = [
    ["none", 'return { is_match: true, reason: "", evidence: [] };'],
    ["denied", 'return { is_match: false, reason: "", evidence: [] };'],
    ["cut", 'return { is_match: true, reason: "", evidence: items.slice(1) };'],
    ["changed", 'return { is_match: true, reason: "", evidence: items.map((i) => ({ ...i, value: "w" })) };'],
    ["twice", 'return { is_match: true, reason: "", evidence: [...items, ...items] };'],
  ];
  for (const [what, body] of wrong) {
    test(`the outcome is an error and the records stay violations: ${what}`, async () => {
      const root = join(base, `evidence-${what}`);
      writeTree(root, { "a.log": "item: a\nitem: b\nend of run\n" });
      const yaml =
        "description: d\ninput_files: [a.log]\nrequirements: {expect: absent}\nwaivers: {value: 1, waive_items: [w]}\nwitnesses: [end of run]\n";
      const dir = await writeSet(join(base, "evidence"), what, sources(yaml, { atom_c: atom(body) }));
      const checked = await check(dir, root);
      expect([checked.result.outcome, ...codesOf(checked)]).toEqual(["error", "evidence_differs"]);
      expect(checked.result.result?.found_items.map(({ value }) => value)).toEqual(["a", "b"]);
    });
  }
});

describe("witnesses in a config", () => {
  const read = (text: string) => readItemConfig(`requirements: {}\n${text}`, "generated");
  test("missing, empty and given witnesses are accepted", () => {
    expect(read("")).toMatchObject({ ok: true, config: { witnesses: null, no_witness_reason: "" } });
    expect(read("witnesses: []\nno_witness_reason: x")).toMatchObject({
      config: { witnesses: [], no_witness_reason: "x" },
    });
    expect(read("witnesses: [' a: b ', 'regex:^x|y$', {done: 5}]")).toMatchObject({
      config: { witnesses: ["a: b", "regex:^x|y$", "done: 5"] },
    });
  });
  for (const text of [
    "witnesses: x",
    "witnesses: ['']",
    "witnesses: ['regex:']",
    'witnesses: ["a\\nb"]',
    "no_witness_reason: [x]",
  ]) {
    test(`refused: ${text}`, () => expect(read(text).ok).toBe(false));
  }
});
