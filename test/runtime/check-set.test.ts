// Whole sets through the real sandbox: the envelope around L5, and every kind of input that cannot be judged.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { createSandbox } from "../../sandbox/index.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import { PathGuard } from "../../src/files/guard.ts";
import { variablesOf } from "../../src/files/variables.ts";
import {
  type CheckOptions,
  checkAtomSet,
  checkAtomSets,
  LogPool,
  parseOverride,
} from "../../src/runtime/index.ts";
import { BZIP2, CRC64 } from "../logio/archives.ts";
import { ATOM_C, sources, writeSet, writeTree } from "./sets.ts";

let base: string;
let root: string;
let out: string;
let sandbox: Sandbox;
let guard: PathGuard;

beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-check-")));
  root = join(base, "root");
  out = join(base, "output");
  mkdirSync(root);
  sandbox = await createSandbox({ require: "process", children: 2, limits: { timeoutMs: 5000 } }, () => {});
  guard = new PathGuard(root);
});
afterAll(async () => {
  await sandbox.close();
  rmSync(base, { recursive: true, force: true });
});

const config = (inputs: string[], requirements = "{value: N/A}", waivers = "{value: N/A}") =>
  `description: d\ninput_files: ${JSON.stringify(inputs)}\nrequirements: ${requirements}\nwaivers: ${waivers}\n`;

function options(changes: Partial<CheckOptions> = {}): CheckOptions {
  return {
    variables: variablesOf(root, {}),
    overrides: [],
    unverified: false,
    outdated: false,
    limits: { timeoutMs: 5000 },
    maxRecords: 1000,
    requireWitness: false,
    parallel: 2,
    ...changes,
  };
}

function services(maxTextBytes = 64 * 2 ** 20) {
  const pool = new LogPool({ maxTextBytes });
  return {
    sandbox,
    pool,
    guard,
    emit: () => {},
    emitOf: () => () => {},
    signal: new AbortController().signal,
  };
}

let count = 0;
async function check(yaml: string, changes: Partial<CheckOptions> = {}, atoms = {}) {
  count += 1;
  const dir = await writeSet(out, `I-${count}`, sources(yaml, atoms));
  return checkAtomSet(dir, options(changes), services());
}
const codes = (checked: { result: { diagnostics: { code: string }[] } }) =>
  checked.result.diagnostics.map((d) => d.code);

describe("through the real atoms", () => {
  test("the six configurations", async () => {
    writeTree(root, { "six.log": "item: a\nitem: b\n", "none.log": "nothing\n" });
    const cases: [string, string, string[], string, string][] = [
      ["{value: N/A}", "{value: N/A}", ["six.log"], "pass", "fail"],
      ["{value: 2, pattern_items: [a, b]}", "{value: N/A}", ["six.log"], "pass", "fail"],
      ["{value: 1, pattern_items: [a]}", "{value: 0}", ["six.log"], "pass", "pass"],
      ["{value: 1, pattern_items: [a]}", "{value: 1, waive_items: [b]}", ["six.log"], "pass", "fail"],
      ["{value: N/A}", "{value: 0}", ["six.log"], "pass", "pass"],
      ["{value: N/A}", "{value: 1, waive_items: [Existence check failed]}", ["six.log"], "pass", "pass"],
    ];
    for (const [required, waived, inputs, full, empty] of cases) {
      expect((await check(config(inputs, required, waived))).result.outcome).toBe(full as "pass");
      expect((await check(config(["none.log"], required, waived))).result.outcome).toBe(empty as "pass");
    }
  });
  test("the JSON of a result", async () => {
    writeTree(root, { "a.log": "x\nitem: v\n" });
    const { result } = await check(config(["a.log"]));
    expect(result).toEqual({
      item_id: `I-${count}`,
      type: 1,
      outcome: "pass",
      result: {
        status: "PASS",
        found_items: [
          {
            value: "v",
            source_file: join(root, "a.log"),
            line_number: 2,
            matched_content: "item: v",
            parsed_fields: { kind: "item" },
            description: "d",
          },
        ],
        missing_items: [],
      },
      diagnostics: [],
      input_files: [join(root, "a.log")],
      duration_ms: expect.any(Number),
    });
  });
  test("gzip by content, with any name; Latin-1 where UTF-8 fails; BOM and CRLF", async () => {
    writeTree(root, {
      "plain.gz": "item: plain\n",
      "packed.log": gzipSync("item: packed\n"),
      "latin.log": Buffer.from("item: M\xfcller\nitem: \xdf\n", "latin1"),
      "bom.log": "\uFEFFitem: bom\r\nitem: crlf\r\n",
    });
    const checked = await check(config(["plain.gz", "packed.log", "latin.log", "bom.log"]));
    expect(checked.items.map((i) => [i.value, i.matched_content])).toEqual([
      ["plain", "item: plain"],
      ["packed", "item: packed"],
      ["Müller", "item: Müller"],
      ["ß", "item: ß"],
      ["bom", "item: bom"],
      ["crlf", "item: crlf"],
    ]);
    expect(checked.result.outcome).toBe("pass");
  });
  test("an empty file is an input like any other, but shows of nothing that it is absent", async () => {
    writeTree(root, { "empty.log": "" });
    const checked = await check(config(["empty.log"]));
    expect(checked.result.outcome).toBe("fail");
    expect(checked.searchedFiles).toEqual([join(root, "empty.log")]);
    const absent = await check(config(["empty.log"], "{expect: absent}"));
    expect(absent.result.outcome).toBe("error");
    expect(codes(absent)).toEqual(["input_empty", "no_witness_known"]);
  });
  test("references are followed and searched", async () => {
    writeTree(root, { "top/t.log": "see: u.log\n", "top/u.log": "item: deep\n" });
    const checked = await check(config(["top/t.log"]));
    expect(checked.items.map((i) => i.value)).toEqual(["u.log", "deep"]);
    expect(checked.searchedFiles.map((f) => relative(root, f))).toEqual(["top/t.log", "top/u.log"]);
    expect(checked.result.input_files.map((f) => relative(root, f))).toEqual(["top/t.log"]);
  });
  test("--set changes the config under the same rules", async () => {
    writeTree(root, { "a.log": "item: v 1.10\n" });
    const set = (...flags: string[]) =>
      check(config(["a.log"], "{value: 1, pattern_items: [nope]}"), { overrides: flags.map(parseOverride) });
    expect((await set()).result.outcome).toBe("fail");
    expect((await set("requirements.value=N/A", "requirements.pattern_items=N/A")).result).toMatchObject({
      type: 1,
      outcome: "pass",
    });
    expect((await set("requirements.pattern_items=[1.10]")).result.outcome).toBe("pass");
    expect((await set("waivers.value=0")).result).toMatchObject({ type: 3, outcome: "pass" });
    const wrong = await set("requirements.value=two");
    expect(wrong).toMatchObject({ configError: true, result: { outcome: "error", result: null } });
    expect(() => parseOverride("requirements.values=1")).toThrow(/unknown key/);
    expect(() => parseOverride("nothing")).toThrow(/no =/);
    expect(() => parseOverride("waivers.waive_items=[")).toThrow(/not valid YAML/);
  });
  test("a log that several items need is read once", async () => {
    writeTree(root, { "shared.log": "item: s\n" });
    const dirs = await Promise.all(
      Array.from({ length: 6 }, (_, i) => writeSet(out, `SH-${i}`, sources(config(["shared.log"])))),
    );
    const shared = services();
    const results = await checkAtomSets(dirs, 3, options(), shared);
    expect(results.map((r) => [r.result.item_id, r.result.outcome])).toEqual(
      dirs.map((_, i) => [`SH-${i}`, "pass"]),
    );
    expect(shared.pool.reads).toBe(1);
  });
});

describe("an error is never a pass", () => {
  const lenient: [string, string, string][] = [
    ["global waiver", "{value: N/A}", "{value: 0}"],
    ["global waiver with patterns", "{value: 1, pattern_items: [a]}", "{value: 0}"],
    ["waiver for everything", "{value: N/A}", "{value: 1, waive_items: ['*']}"],
    ["absent", "{value: N/A, expect: absent}", "{value: N/A}"],
    ["absent patterns", "{value: 1, pattern_items: [zz], expect: absent}", "{value: N/A}"],
    ["extra allowed", "{value: 1, pattern_items: ['*'], extra: info}", "{value: 1, waive_items: ['*']}"],
  ];
  test.each(lenient)("a missing input beside a good one: %s", async (_, required, waived) => {
    writeTree(root, { "good.log": "item: a\n" });
    for (const inputs of [["good.log", "no.log"], ["good.log", "no*.rpt"], ["no.log"], []]) {
      const { result } = await check(config(inputs, required, waived));
      expect(result.outcome).toBe("error");
      expect(result.result?.status).not.toBe("PASS");
      expect(result.diagnostics.some((d) => d.severity === "error")).toBe(true);
    }
  });
  test("no pattern and no item pass only if every input was read", async () => {
    writeTree(root, { "blank.log": "\n" });
    const yaml = (inputs: string[]) => config(inputs, "{value: 1, pattern_items: []}");
    const dir = async (inputs: string[]) => {
      count += 1;
      const made = await writeSet(out, `I-${count}`, sources(yaml(inputs)));
      rmSync(join(made, "manifest.json"));
      return checkAtomSet(made, options({ unverified: true }), services());
    };
    expect((await dir(["blank.log"])).result.outcome).toBe("pass");
    expect((await dir(["blank.log", "no.log"])).result.outcome).toBe("error");
  });

  const atoms: [string, Record<string, string>, string][] = [
    ["throws", { atom_a: "function extract_context(t, s) { throw new Error('boom'); }" }, "atom_threw"],
    ["does not compile", { atom_a: "function extract_context(t, s) {" }, "atom_syntax"],
    ["is not there", { atom_a: "const x = 1;" }, "atom_missing_function"],
    ["loops", { atom_a: "function extract_context(t, s) { for (;;) {} }" }, "atom_timeout"],
    ["returns no list", { atom_a: "function extract_context(t, s) { return {}; }" }, "atom_bad_record"],
    [
      "returns a wrong record",
      {
        atom_a:
          "function extract_context(t, s) { return [{value: 1, source_file: s, line_number: 1, matched_content: '', parsed_fields: {}}]; }",
      },
      "atom_bad_record",
    ],
    [
      "names another file",
      {
        atom_a:
          "function extract_context(t, s) { return [{value: 'v', source_file: '/etc/passwd', line_number: 1, matched_content: '', parsed_fields: {}}]; }",
      },
      "atom_bad_record",
    ],
    [
      "B throws",
      {
        atom_b:
          "function validate_logic(a, b, c = null, d = 'contains', e = 'search') { throw new Error('b'); }",
      },
      "atom_threw",
    ],
    [
      "B returns nonsense",
      { atom_b: "function validate_logic(a, b, c = null, d = 'contains', e = 'search') { return true; }" },
      "atom_bad_result",
    ],
  ];
  test.each(atoms)("an atom that %s", async (_, changes, code) => {
    writeTree(root, { "good.log": "item: a\n" });
    const limits = { timeoutMs: 700 };
    const yaml = config(["good.log"], "{value: 1, pattern_items: [a], expect: absent}", "{value: 0}");
    const checked = await check(yaml, { limits }, changes);
    expect(checked.result.outcome).toBe("error");
    expect(codes(checked)).toContain(code);
  });
  test("an Atom C that fails", async () => {
    writeTree(root, { "good.log": "item: a\n" });
    const broken = { atom_c: ATOM_C.replace("return { is_match: true", "return { is_match: 1") };
    const checked = await check(config(["good.log"], "{expect: absent}", "{value: 0}"), {}, broken);
    expect(codes(checked)).toEqual(["atom_bad_result", "no_witness_known"]);
    expect(checked.result.outcome).toBe("error");
  });
  test("an atom that fails on one of two files: the other is judged, the outcome is error", async () => {
    writeTree(root, { "p/1.log": "item: a\n", "p/2.log": "bad\n" });
    const atom =
      "function extract_context(t, s) { if (t.startsWith('bad')) throw new Error('x'); return [{value: t, source_file: s, line_number: 1, matched_content: t, parsed_fields: {}}]; }";
    const checked = await check(config(["p/*.log"]), {}, { atom_a: atom });
    expect(checked.items).toHaveLength(1);
    expect(checked.result.outcome).toBe("error");
    expect(checked.result.diagnostics[0]).toMatchObject({ code: "atom_threw", file: join(root, "p/2.log") });
  });
  test("more records than allowed", async () => {
    writeTree(root, { "many.log": "item: a\n".repeat(50) });
    const checked = await check(config(["many.log"]), { maxRecords: 20 });
    expect(codes(checked)).toEqual(["too_many_records"]);
    expect(checked.items).toHaveLength(20);
    expect(checked.result.outcome).toBe("error");
  });
});

describe("bad inputs: each a diagnosis on that item, the others continue", () => {
  test("every kind at once", async () => {
    writeTree(root, {
      "bad/corrupt.log": Buffer.concat([
        gzipSync("item: a\n".repeat(5000)).subarray(0, 60),
        Buffer.alloc(30, 7),
      ]),
      "bad/truncated.log": gzipSync("item: a\n".repeat(5000)).subarray(0, 80),
      "bad/cut.xz": CRC64.subarray(0, 150),
      "bad/cut.bz2": BZIP2.subarray(0, 150),
      "bad/whole.lz4": Buffer.from("04224d186440a700000000", "hex"),
      "bad/nul.log": "item: a\n\0\0\0\n",
      "bad/folder.log/x": "",
      "bad/good.log": "item: a\n",
    });
    spawnSync("mkfifo", [join(root, "bad/fifo.log")]);
    symlinkSync("loop.log", join(root, "bad/loop.log"));
    symlinkSync("nowhere", join(root, "bad/dangling.log"));
    const expected: [string, string][] = [
      ["corrupt.log", "input_corrupt"],
      ["truncated.log", "input_truncated"],
      ["cut.xz", "input_truncated"],
      ["cut.bz2", "input_truncated"],
      ["whole.lz4", "input_unsupported_compression"],
      ["nul.log", "input_binary"],
      ["folder.log", "input_not_regular"],
      ["fifo.log", "input_not_regular"],
      ["loop.log", "input_link_loop"],
      ["dangling.log", "input_missing"],
      ["absent.log", "input_missing"],
    ];
    const dirs: string[] = [];
    for (const [name] of expected) {
      dirs.push(
        await writeSet(
          out,
          `BAD-${name}`,
          sources(config([`bad/${name}`], "{expect: absent}", "{value: 0}")),
        ),
      );
    }
    dirs.push(await writeSet(out, "BAD-good", sources(config(["bad/good.log"]))));
    const results = await checkAtomSets(dirs, 4, options(), services());
    const seen = results.map((r) => [r.result.outcome, ...codes(r).filter((c) => c !== "no_witness_known")]);
    expect(seen).toEqual([...expected.map(([, code]) => ["error", code]), ["pass"]]);
    for (const { result } of results.slice(0, -1))
      expect(result.diagnostics[0]?.message.length).toBeGreaterThan(20);
  });
  test("a path out of the search root, also through a link", async () => {
    writeFileSync(join(base, "outside.log"), "item: a\n");
    symlinkSync(join(base, "outside.log"), join(root, "link.log"));
    for (const input of ["../outside.log", join(base, "outside.log"), "link.log", "link*.log"]) {
      expect(codes(await check(config([input], "{value: N/A}", "{value: 0}")))).toEqual([
        "input_outside_root",
      ]);
    }
  });
  test("a file that grows or shrinks while it is read", async () => {
    const path = join(root, "grow.log");
    writeFileSync(path, "item: a\n".repeat(400_000));
    const reading = new LogPool({ maxTextBytes: 2 ** 28 }).read(path);
    appendFileSync(path, "item: new\n");
    expect(await reading).toMatchObject({
      ok: false,
      diagnostic: { code: "input_changed", severity: "error" },
    });
    const again = new LogPool({ maxTextBytes: 2 ** 28 }).read(path);
    truncateSync(path, 10);
    const result = await again;
    expect(result.ok).toBe(false);
  });
  test("a text larger than the stated size, when the atom is not line-local", async () => {
    writeTree(root, { "large.log": "item: a\n".repeat(1_200_000) });
    const dir = await writeSet(out, "LARGE", sources(config(["large.log"])));
    const checked = await checkAtomSet(dir, options(), services(9 * 2 ** 20));
    expect(codes(checked)).toEqual(["input_too_large"]);
    expect(checked.result.diagnostics[0]?.message).toContain("check.max_text_mb");
    expect(checked.result.outcome).toBe("error");
  });
});

describe("sets that are not what was accepted", () => {
  test("a stub is never run, also with --unverified, also edited", async () => {
    const dir = await writeSet(out, "STUB", sources(""), { stub: true });
    writeTree(root, { "good.log": "item: a\n" });
    writeFileSync(join(dir, "config.yaml"), config(["good.log"], "{value: N/A}", "{value: 0}"));
    for (const unverified of [false, true]) {
      const checked = await checkAtomSet(dir, options({ unverified }), services());
      expect(checked.result).toMatchObject({ outcome: "error", result: null, type: null });
      expect(codes(checked)).toEqual(["stub"]);
    }
  });
  test("changed or without a manifest: error, and with --unverified it runs and says so", async () => {
    writeTree(root, { "good.log": "item: a\n" });
    const changed = await writeSet(out, "CHANGED", sources(config(["good.log"])));
    appendFileSync(join(changed, "atom_b.js"), "\n// edited\n");
    const bare = await writeSet(out, "BARE", sources(config(["good.log"])));
    rmSync(join(bare, "manifest.json"));
    const garbage = await writeSet(out, "GARBAGE", sources(config(["good.log"])));
    writeFileSync(join(garbage, "manifest.json"), "{}");
    for (const [dir, code] of [
      [changed, "modified"],
      [bare, "no_manifest"],
      [garbage, "bad_manifest"],
    ] as const) {
      const refused = await checkAtomSet(dir, options(), services());
      expect(refused.result).toMatchObject({ outcome: "error", result: null });
      expect(codes(refused)).toEqual([code]);
      const run = await checkAtomSet(dir, options({ unverified: true }), services());
      expect(run.result.outcome).toBe("pass");
      expect(run.unverified).toBe(true);
      expect(run.result.diagnostics).toEqual([
        expect.objectContaining({ severity: "warning", code: "unverified" }),
      ]);
    }
    rmSync(join(bare, "atom_c.js"));
    expect(codes(await checkAtomSet(bare, options({ unverified: true }), services()))).toContain(
      "atom_missing",
    );
  });
  test("a wrong config dispatches nothing", async () => {
    const checked = await check("requirements: {value: two}\nwaivers: {value: -1}\n");
    expect(checked.configError).toBe(true);
    expect(checked.result).toMatchObject({ outcome: "error", result: null, type: null, input_files: [] });
    expect(checked.result.diagnostics).toEqual([
      expect.objectContaining({ code: "config_invalid", line: 1 }),
      expect.objectContaining({ code: "config_invalid", line: 2 }),
    ]);
  });
  test("an unknown variable is a config error; known ones resolve", async () => {
    writeTree(root, { "v/x.log": "item: a\n" });
    const unknown = await check(config(["${NO_SUCH}/x.log", "v/x.log"]));
    expect(unknown.configError).toBe(true);
    expect(unknown.result).toMatchObject({ outcome: "error", result: null });
    expect(unknown.result.diagnostics[0]?.message).toContain("NO_SUCH");
    const variables = variablesOf(root, { SUB: "v" });
    expect((await check(config(["${LOG_ROOT}/${SUB}/x.log"]), { variables })).result.outcome).toBe("pass");
  });
  test("a folder that is not there is a usage error", async () => {
    await expect(checkAtomSet(join(out, "no"), options(), services())).rejects.toMatchObject({
      kind: "usage",
    });
  });
});

test("a set whose files cannot be read is an error of that set", async () => {
  const dir = await writeSet(out, "UNREADABLE", sources(config(["good.log"])));
  rmSync(join(dir, "atom_a.js"));
  mkdirSync(join(dir, "atom_a.js"));
  const checked = await checkAtomSet(dir, options(), services());
  expect(checked.result).toMatchObject({ item_id: "UNREADABLE", outcome: "error", result: null });
});

test("forty thousand records are judged", async () => {
  writeTree(root, { "dense.log": "item: a value that is a little longer\n".repeat(40_000) });
  const checked = await check(config(["dense.log"]), { maxRecords: 1_000_000 });
  expect(codes(checked)).toEqual([]);
  expect(checked.result.result?.found_items).toHaveLength(40_000);
  expect(checked.result.outcome).toBe("pass");
}, 60_000);
