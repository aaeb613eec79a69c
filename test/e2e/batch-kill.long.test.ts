// kill -9 of the real executable at random moments of a batch: whatever the moment, the next batch repairs the
// store and goes on, and in the end everything is as after an undisturbed run. A few moments by default.
import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { verifyAtomSet } from "../../src/runtime/atom-set.ts";
import { readLines } from "../../src/store/index.ts";
import { isLockHeld } from "../../src/store/lock.ts";
import { ALL_STAGES, ENV, makeProject, removeProjects, scriptedModel } from "../loops/item/scripted.ts";
import { atomsmith, start } from "../support/executable.ts";
import { startModelServer } from "../support/model-server.ts";
import { randomNumbers, repeats } from "../support/random-moments.ts";

const IDS = ["CLK-1", "CLK-2", "CLK-3"];
const KILLS = repeats(6);
const server = startModelServer(scriptedModel(ALL_STAGES));
afterAll(async () => {
  await server.stop();
  removeProjects();
});

/** A lock, or what a process that was killed while it took the lock left of it. */
function isLock(name: string): boolean {
  return /^\.CLK-\d+\.lock$|^\.\.CLK-\d+\.lock-\w+$/.test(name);
}

/** Files of all sets; the moment of making is not part of what was made. */
function contentOf(out: string): Record<string, unknown> {
  const content: Record<string, unknown> = {};
  for (const id of readdirSync(out).sort()) {
    if (isLock(id)) continue; // of a process that was killed after it had written the set
    for (const name of readdirSync(join(out, id)).sort()) {
      const text = readFileSync(join(out, id, name), "utf8");
      content[`${id}/${name}`] = name === "manifest.json" ? { ...JSON.parse(text), created_at: "" } : text;
    }
  }
  return content;
}

test(
  `a batch killed at ${KILLS} random moments ends like one that was left alone`,
  async () => {
    const project = makeProject(server.url, IDS);
    const env = { TEST_KEY: ENV.TEST_KEY };
    const args = (name: string): string[] => [
      "batch",
      project.specs,
      ...["--config", project.config, "--search-root", project.logs, "--seed", "7"],
      ...["--out", join(project.root, name, "out"), "--cache", join(project.root, name, "cache")],
    ];
    const random = randomNumbers("batch kills");
    const began = performance.now();
    const whole = await atomsmith(args("whole"), { cwd: project.root, env });
    expect([whole.code, whole.err]).toEqual([0, expect.any(String)]);
    const duration = performance.now() - began;
    const wanted = contentOf(join(project.root, "whole", "out"));

    let store = 0;
    for (let kill = 0; kill < KILLS; ) {
      const child = start(args(`store-${store}`), { cwd: project.root, env });
      const timer = setTimeout(() => child.kill("SIGKILL"), random() * duration);
      await child.exited;
      clearTimeout(timer);
      const out = join(project.root, `store-${store}`, "out");
      for (const id of existsSync(out) ? readdirSync(out) : []) {
        if (isLock(id)) continue; // of the process that was just killed
        // Never a mix that verifies: what verifies is what an undisturbed run makes.
        const set = await verifyAtomSet(join(out, id));
        if (set.state === "accepted") expect(set.sources.atom_a).toBe(wanted[`${id}/atom_a.js`] as string);
        else expect(["no_manifest", "modified"]).toContain(set.state);
      }
      if (child.signalCode === "SIGKILL") kill += 1;
      else {
        expect([child.exitCode, contentOf(out)]).toEqual([0, wanted]);
        store += 1; // it came to its end before the kill: the next kills are for a new store
      }
    }
    const last = await atomsmith(args(`store-${store}`), { cwd: project.root, env });
    expect([last.code, last.err]).toEqual([0, expect.any(String)]);
    expect(contentOf(join(project.root, `store-${store}`, "out"))).toEqual(wanted);
    for (const id of IDS) {
      const folder = join(project.root, `store-${store}`, "cache", "item", id);
      const { values, damaged, torn } = await readLines(join(folder, "agent_turns.jsonl"));
      expect([damaged, torn]).toEqual([[], false]);
      // No reply was stored twice: what was stored before a kill answered after it.
      const keys = values.map((turn) => turn["key"]);
      expect(new Set(keys).size).toBe(keys.length);
      expect(readdirSync(folder).filter((name) => name.includes("tmp"))).toEqual([]);
      // A run killed after it had written the set leaves its lock, which holds nobody up.
      expect(await isLockHeld(join(folder, "lock"))).toBe(false);
    }
    const again = await atomsmith([...args(`store-${store}`), "--json"], { cwd: project.root, env });
    expect(JSON.parse(again.out).totals.up_to_date).toBe(IDS.length);
  },
  KILLS * 20_000,
);
