// Sets that are not what was accepted: stubs, changed files, invalid configs.
import { describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { variablesOf } from "../../src/files/variables.ts";
import { checkAtomSet } from "../../src/runtime/index.ts";
import { checkBench, codesOf, configYaml } from "./check-bench.ts";
import { sources, writeSet, writeTree } from "./sets.ts";

const { root, out, options, services, check } = checkBench();

describe("sets that are not what was accepted", () => {
  test("a stub is never run, even with --unverified or edited", async () => {
    const dir = await writeSet(out, "STUB", sources(""), { stub: true });
    writeTree(root, { "good.log": "item: a\n" });
    writeFileSync(join(dir, "config.yaml"), configYaml(["good.log"], "{value: N/A}", "{value: 0}"));
    for (const unverified of [false, true]) {
      const checked = await checkAtomSet(dir, options({ unverified }), services());
      expect(checked.result).toMatchObject({ outcome: "error", result: null, type: null });
      expect(codesOf(checked)).toEqual(["stub"]);
    }
  });
  test("a changed set or a set without a manifest is an error; --unverified runs it with a warning", async () => {
    writeTree(root, { "good.log": "item: a\n" });
    const changed = await writeSet(out, "CHANGED", sources(configYaml(["good.log"])));
    appendFileSync(join(changed, "atom_b.js"), "\n// edited\n");
    const bare = await writeSet(out, "BARE", sources(configYaml(["good.log"])));
    rmSync(join(bare, "manifest.json"));
    const garbage = await writeSet(out, "GARBAGE", sources(configYaml(["good.log"])));
    writeFileSync(join(garbage, "manifest.json"), "{}");
    for (const [dir, code] of [
      [changed, "modified"],
      [bare, "no_manifest"],
      [garbage, "bad_manifest"],
    ] as const) {
      const refused = await checkAtomSet(dir, options(), services());
      expect(refused.result).toMatchObject({ outcome: "error", result: null });
      expect(codesOf(refused)).toEqual([code]);
      const run = await checkAtomSet(dir, options({ unverified: true }), services());
      expect(run.result.outcome).toBe("pass");
      expect(run.unverified).toBe(true);
      expect(run.result.diagnostics).toEqual([
        expect.objectContaining({ severity: "warning", code: "unverified" }),
      ]);
    }
    rmSync(join(bare, "atom_c.js"));
    expect(codesOf(await checkAtomSet(bare, options({ unverified: true }), services()))).toContain(
      "atom_missing",
    );
  });
  test("an invalid config runs no atom", async () => {
    const checked = await check("requirements: {value: two}\nwaivers: {value: -1}\n");
    expect(checked.configError).toBe(true);
    expect(checked.result).toMatchObject({ outcome: "error", result: null, type: null, input_files: [] });
    expect(checked.result.diagnostics).toEqual([
      expect.objectContaining({ code: "config_invalid", line: 1 }),
      expect.objectContaining({ code: "config_invalid", line: 2 }),
    ]);
  });
  test("an unknown variable is a config error; known variables are resolved", async () => {
    writeTree(root, { "v/x.log": "item: a\n" });
    const unknown = await check(configYaml(["${NO_SUCH}/x.log", "v/x.log"]));
    expect(unknown.configError).toBe(true);
    expect(unknown.result).toMatchObject({ outcome: "error", result: null });
    expect(unknown.result.diagnostics[0]?.message).toContain("NO_SUCH");
    const variables = variablesOf(root, { SUB: "v" });
    expect((await check(configYaml(["${LOG_ROOT}/${SUB}/x.log"]), { variables })).result.outcome).toBe(
      "pass",
    );
  });
  test("a missing set folder is a usage error", async () => {
    await expect(checkAtomSet(join(out, "no"), options(), services())).rejects.toMatchObject({
      kind: "usage",
    });
  });
});

test("a set with unreadable files is an error of that set", async () => {
  const dir = await writeSet(out, "UNREADABLE", sources(configYaml(["good.log"])));
  rmSync(join(dir, "atom_a.js"));
  mkdirSync(join(dir, "atom_a.js"));
  const checked = await checkAtomSet(dir, options(), services());
  expect(checked.result).toMatchObject({ item_id: "UNREADABLE", outcome: "error", result: null });
});
