import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ATOM_FILES } from "../../../src/contract/atoms.ts";
import { noGateResults } from "../../../src/contract/gates.ts";
import { sha256 } from "../../../src/core/hash.ts";
import { isAttemptEdited } from "../../../src/loops/item/attempt-dir.ts";
import { type ManifestFacts, OutputStore } from "../../../src/loops/item/output-store.ts";
import { SAFE_STUBS } from "../../../src/loops/item/stubs.ts";
import { readManifest, verifyAtomSet } from "../../../src/runtime/atom-set.ts";
import { removeScratch, scratch, startBun, waitForLine } from "../../store/helpers.ts";

afterAll(removeScratch);

const OUTPUT_STORE = join(import.meta.dir, "../../../src/loops/item/output-store.ts");

const facts: ManifestFacts = {
  item_id: "X",
  program_version: "0",
  contract_version: 1,
  created_at: "2026-01-01T00:00:00Z",
  spec: { path: "X_ItemSpec.md", sha256: sha256("spec") },
  evidence: [],
  prompts_sha256: sha256("prompts"),
  author: { provider: "offline", settings: {}, settings_sha256: sha256("{}") },
  gates: noGateResults(),
  gate_seed: 1,
  line_local: null,
  warnings: [],
  sandbox_level: "process",
  iterations: 1,
  usage: { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: null },
};
const sources = (mark: string) => ({
  atom_a: `// a ${mark}\n`,
  atom_b: `// b ${mark}\n`,
  atom_c: `// c ${mark}\n`,
  config: `# ${mark}\n`,
});
const report = { markdown: "# read me\n", json: { status: "HUMAN_INTERVENTION_REQUIRED" } };
const notes = { iteration: 2, gates: {} };

test("an accepted set verifies, and any change of a file is detected", async () => {
  const out = scratch();
  const store = await OutputStore.open(out, "X");
  await store.writeAccepted(sources("1"), facts);
  const state = await verifyAtomSet(store.dir);
  expect(state.state).toBe("accepted");
  expect(state.sources).toEqual(sources("1"));
  expect((await readManifest(store.dir))?.status).toBe("accepted");
  for (const name of Object.values(ATOM_FILES)) {
    const path = join(store.dir, name);
    const before = readFileSync(path);
    writeFileSync(path, `${before} `);
    expect(await verifyAtomSet(store.dir)).toMatchObject({ state: "modified", changed: [name] });
    rmSync(path);
    expect(await verifyAtomSet(store.dir)).toMatchObject({ state: "modified", changed: [name] });
    writeFileSync(path, before);
  }
  expect((await verifyAtomSet(store.dir)).state).toBe("accepted");
});

test("a missing, a truncated and a newer manifest have different states", async () => {
  const dir = scratch();
  expect((await verifyAtomSet(dir)).state).toBe("no_manifest");
  writeFileSync(join(dir, "manifest.json"), '{"format": 1,');
  expect(await verifyAtomSet(dir)).toMatchObject({ state: "bad_manifest", problem: "is not valid JSON" });
  writeFileSync(join(dir, "manifest.json"), '{"format": 2}');
  expect(await verifyAtomSet(dir)).toMatchObject({
    state: "bad_manifest",
    problem: expect.stringContaining("newer"),
  });
  await expect(readManifest(dir)).rejects.toMatchObject({ kind: "store" });
  await expect(verifyAtomSet(join(dir, "nowhere"))).rejects.toMatchObject({ kind: "usage" });
});

test("a set that needs review contains stubs, the report and the attempt; edited stubs stay stubs", async () => {
  const out = scratch();
  const store = await OutputStore.open(out, "X");
  await store.writeHumanRequired(facts, report, { sources: sources("try"), notes });
  expect(readdirSync(store.dir).sort()).toEqual([
    "atom_a.js",
    "atom_b.js",
    "atom_c.js",
    "attempt",
    "config.yaml",
    "human_intervention_report.json",
    "human_intervention_report.md",
    "manifest.json",
  ]);
  expect(await verifyAtomSet(store.dir)).toMatchObject({ state: "stub", sources: SAFE_STUBS });
  expect(await store.readAttempt()).toEqual(sources("try"));
  writeFileSync(join(store.dir, "atom_a.js"), sources("mine").atom_a);
  expect((await verifyAtomSet(store.dir)).state).toBe("stub");
});

test("attempt/ is absent without code, and acceptance removes report and attempt", async () => {
  const store = await OutputStore.open(scratch(), "X");
  await store.writeHumanRequired(facts, report, undefined);
  expect(existsSync(store.attemptDir)).toBe(false);
  await store.writeHumanRequired(facts, report, { sources: sources("try"), notes });
  await store.writeAccepted(sources("good"), facts);
  expect(readdirSync(store.dir).sort()).toEqual([
    "atom_a.js",
    "atom_b.js",
    "atom_c.js",
    "config.yaml",
    "manifest.json",
  ]);
});

test("edits under attempt/ are never overwritten", async () => {
  const store = await OutputStore.open(scratch(), "X");
  await store.writeHumanRequired(facts, report, { sources: sources("try"), notes });
  expect(await isAttemptEdited(store.attemptDir)).toBe(false);
  writeFileSync(join(store.attemptDir, "atom_a.js"), "// mine\n");
  expect(await isAttemptEdited(store.attemptDir)).toBe(true);
  await store.writeHumanRequired(facts, report, { sources: sources("next"), notes });
  expect(readFileSync(join(store.dir, "attempt.edited-1", "atom_a.js"), "utf8")).toBe("// mine\n");
  expect((await store.readAttempt())?.atom_a).toBe(sources("next").atom_a);
});

test("a process killed at any write never leaves a mixed set that verifies", async () => {
  // The child replaces one set by another and is killed when it touches the n-th file. The result must be the old
  // set, the new set, or refused.
  const states: string[] = [];
  for (let step = 1; step <= 12; step++) {
    const out = scratch();
    const before = await OutputStore.open(out, "X");
    await before.writeAccepted(sources("old"), facts);
    await before.close();
    const child = startBun(`
      import { mock } from "bun:test";
      import * as real from "node:fs/promises";
      let count = 0;
      const dying = (fn) => async (...args) => {
        count += 1;
        if (count === ${step}) process.kill(process.pid, "SIGKILL");
        return fn(...args);
      };
      const rename = dying(real.rename), open = dying(real.open);
      mock.module("node:fs/promises", () => ({ ...real, rename, open }));
      const { OutputStore } = await import(${JSON.stringify(OUTPUT_STORE)});
      await (await OutputStore.open(${JSON.stringify(out)}, "X")).writeAccepted(${JSON.stringify(sources("new"))}, ${JSON.stringify(facts)});
    `);
    await child.exited;
    const store = await OutputStore.open(out, "X"); // the lock of the killed process is taken over
    const after = await verifyAtomSet(store.dir);
    states.push(after.state);
    if (after.state === "accepted") expect([sources("old"), sources("new")]).toContainEqual(after.sources);
    else expect(after.state).toBe("modified");
    // The next run repairs the set.
    await store.writeAccepted(sources("new"), facts);
    expect(await verifyAtomSet(store.dir)).toMatchObject({ state: "accepted", sources: sources("new") });
    expect(readdirSync(store.dir).some((name) => name.includes("tmp"))).toBe(false);
  }
  expect(new Set(states)).toEqual(new Set(["accepted", "modified"]));
});

test("a full disk while a set is written leaves the accepted set unchanged", async () => {
  const out = scratch();
  mkdirSync(join(out, "X"));
  const store = await OutputStore.open(out, "X");
  await store.writeAccepted(sources("old"), facts);
  await store.close();
  const child = startBun(
    `
    import { OutputStore } from ${JSON.stringify(OUTPUT_STORE)};
    const sources = ${JSON.stringify(sources("new"))};
    sources.config += "x".repeat(500_000);
    try { await (await OutputStore.open(${JSON.stringify(out)}, "X")).writeAccepted(sources, ${JSON.stringify(facts)}); }
    catch (error) { console.log(error.exitCode); }
  `,
    (command) => `ulimit -f 20; exec ${command}`,
  );
  expect((await new Response(child.stdout).text()).trim()).toBe("4");
  await child.exited;
  expect(await verifyAtomSet(store.dir)).toMatchObject({ state: "accepted", sources: sources("old") });
});

test("a set accepted before a gate existed is still accepted", async () => {
  const output = await OutputStore.open(scratch(), "X");
  const { gate4_examples: _, ...older } = noGateResults();
  await output.writeAccepted(sources("old"), { ...facts, gates: older });
  const set = await verifyAtomSet(output.dir);
  expect(set.state).toBe("accepted");
});

test("only one process writes the set of an item at a time; other items of the folder are unaffected", async () => {
  const out = scratch();
  const holder = startBun(`
    import { OutputStore } from ${JSON.stringify(OUTPUT_STORE)};
    await OutputStore.open(${JSON.stringify(out)}, "X");
    console.log("held");
    await new Promise(() => setInterval(() => {}, 1000));
  `);
  await waitForLine(holder.stdout, "held");
  const other = await OutputStore.open(out, "Y");
  await other.writeAccepted(sources("y"), { ...facts, item_id: "Y" });
  await expect(OutputStore.open(out, "X")).rejects.toMatchObject({
    kind: "usage",
    message: expect.stringContaining(`process ${holder.pid}`),
    details: { hint: expect.stringContaining("wait for it to end, or stop it") },
  });
  holder.kill("SIGKILL");
  await holder.exited;
  const store = await OutputStore.open(out, "X");
  await store.writeAccepted(sources("x"), facts);
  await store.close();
  await other.close();
  expect(readdirSync(out).sort()).toEqual(["X", "Y"]);
});

test("nothing is written after close, and with keepLock the output stays locked", async () => {
  const out = scratch();
  const late = await OutputStore.open(out, "X");
  await late.writeAccepted(sources("1"), facts);
  await late.close({ keepLock: true });
  await expect(OutputStore.open(out, "X")).rejects.toMatchObject({ kind: "usage" });
  await late.close();
  for (const write of [
    () => late.writeAccepted(sources("2"), facts),
    () => late.writeHumanRequired(facts, report, undefined),
  ]) {
    await expect(write()).rejects.toMatchObject({
      kind: "store",
      message: expect.stringContaining("closed"),
    });
  }
  expect(await verifyAtomSet(late.dir)).toMatchObject({ state: "accepted", sources: sources("1") });
});
