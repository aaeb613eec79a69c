// A cache folder of store format 1 (`cache/<ITEM_ID>/`, checkpoints with `item_id`) under this program: it is read in
// place, and moved when an item is opened for writing, by a rename that survives kills and respects running
// processes.
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { ItemReader, listItems, openItemStore } from "../../../src/loops/item/item-store.ts";
import { RunStore, takeLock } from "../../../src/store/index.ts";
import { removeScratch, scratch, startBun, waitForLine } from "../../store/helpers.ts";
import { startModelServer } from "../../support/model-server.ts";
import { ALL_STAGES, atomsmith, ENV, makeProject, removeProjects, scriptedModel } from "./scripted.ts";

const server = startModelServer(scriptedModel(ALL_STAGES));
afterAll(async () => {
  await server.stop();
  removeProjects();
  removeScratch();
});

const retention = { maxCheckpointsPerHour: 10, keepHours: 24 };
const ITEM_STORE = resolve(import.meta.dir, "../../../src/loops/item/item-store.ts");
const STORE = resolve(import.meta.dir, "../../../src/store/index.ts");

/** Converts a store of this program to the layout and documents of format 1. */
function toFormat1(cache: string): void {
  for (const id of readdirSync(join(cache, "item"))) {
    renameSync(join(cache, "item", id), join(cache, `${id}.old`));
  }
  rmSync(join(cache, "item"), { recursive: true });
  for (const name of readdirSync(cache)) {
    if (!name.endsWith(".old")) continue;
    const id = name.slice(0, -".old".length);
    const dir = join(cache, id);
    renameSync(join(cache, name), dir);
    for (const entry of readdirSync(join(dir, "hourly"), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) checkpointToFormat1(join(entry.parentPath, entry.name), dir, id);
    }
  }
  writeFileSync(join(cache, "@store.json"), '{\n  "format": 1\n}\n');
}

function checkpointToFormat1(path: string, dir: string, id: string): void {
  const { loop, subject, ...rest } = JSON.parse(readFileSync(path, "utf8"));
  expect([loop, subject]).toEqual(["item", id]);
  const latest = join(dir, "checkpoint_latest.json");
  const isLatest = readFileSync(latest, "utf8") === readFileSync(path, "utf8");
  writeFileSync(path, JSON.stringify({ ...rest, format: 1, item_id: id }));
  if (!isLatest) return;
  rmSync(latest, { force: true });
  linkSync(path, latest);
}

/** Every file below a folder with its text. */
function snapshot(dir: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files[path.slice(dir.length)] = readFileSync(path, "utf8");
  }
  return files;
}

let made: string;
/** A cache folder of format 1 with these items, each with a checkpoint, a view, a reply and a journal. */
function oldCache(): string {
  const cache = scratch();
  cpSync(made, cache, { recursive: true });
  return cache;
}

const IDS = ["A-1", "item", "conversation"];
beforeAll(async () => {
  made = scratch();
  for (const id of IDS) {
    const store = await openItemStore(made, id, retention);
    await store.saveCheckpoint("agent_a", { of: id });
    await store.saveView("stage_outputs", "load_spec", { of: id });
    await store.turns.append({ of: id });
    store.record({ of: id });
    await store.close();
  }
  toFormat1(made);
  expect(readdirSync(made).sort()).toEqual(["@store.json", "A-1", "conversation", "item"]);
});

/** Checks that everything stored for an item is still there. */
async function expectWhole(cache: string, id: string): Promise<void> {
  const reader = new ItemReader(cache, id);
  expect(await reader.loadCheckpoint()).toMatchObject({ stage: "agent_a", state: { of: id } });
  expect(await reader.listCheckpoints()).toHaveLength(1);
  expect(await reader.loadStageOutput("load_spec")).toEqual({ of: id });
  expect(readFileSync(reader.turnsPath, "utf8")).toBe(`{"of":"${id}"}\n`);
  expect(readFileSync(reader.journalPath, "utf8")).toBe(`{"of":"${id}"}\n`);
}

test("reading does not move a folder of format 1 and changes nothing", async () => {
  const cache = oldCache();
  const before = snapshot(cache);
  expect(await listItems(cache)).toEqual([...IDS].sort());
  for (const id of IDS) await expectWhole(cache, id);
  expect(snapshot(cache)).toEqual(before);
});

test("opening for writing moves that item only, whatever its name", async () => {
  const cache = oldCache();
  for (const id of ["A-1", "conversation", "item"]) {
    const store = await openItemStore(cache, id, retention);
    expect(store.dir).toBe(join(cache, "item", id));
    expect(store.turns.all()).toEqual([{ of: id }]);
    await store.close();
    for (const any of IDS) await expectWhole(cache, any);
    expect(await listItems(cache)).toEqual([...IDS].sort());
  }
  expect(readdirSync(cache).sort()).toEqual(["@store.json", "item"]);
  expect(readdirSync(join(cache, "item")).sort()).toEqual([...IDS].sort());
  expect(readdirSync(join(cache, "item", "A-1"))).not.toContain("lock");
  expect(JSON.parse(readFileSync(join(cache, "@store.json"), "utf8"))).toEqual({ format: 2 });
});

test("an item with the name of another loop is moved before that loop uses the folder", async () => {
  const cache = oldCache();
  const run = await RunStore.open(cache, { loop: "conversation", id: "A-1" }, retention);
  await run.close();
  expect(readdirSync(join(cache, "conversation"))).toEqual(["A-1"]);
  for (const id of IDS) await expectWhole(cache, id);
});

test("an item whose old lock is held by another process is not moved", async () => {
  const cache = oldCache();
  const path = join(cache, "A-1", "lock");
  const holder = startBun(`
    import { takeLock } from ${JSON.stringify(STORE)};
    await takeLock(${JSON.stringify(path)}, "item A-1");
    console.log("held");
    await new Promise(() => setInterval(() => {}, 1000));
  `);
  await waitForLine(holder.stdout, "held");
  await expect(openItemStore(cache, "A-1", retention)).rejects.toMatchObject({
    kind: "usage",
    message: expect.stringContaining(`process ${holder.pid}`),
  });
  expect(existsSync(path)).toBe(true);
  expect(await new ItemReader(cache, "A-1").isLocked()).toBe(true);
  holder.kill("SIGKILL");
  await holder.exited;
  await (await openItemStore(cache, "A-1", retention)).close();
  expect(existsSync(join(cache, "A-1"))).toBe(false);
  await expectWhole(cache, "A-1");
});

test("an occupied target is an error, and the old folder stays", async () => {
  const cache = oldCache();
  mkdirSync(join(cache, "item", "A-1"), { recursive: true });
  rmSync(join(cache, "item", "checkpoint_latest.json"));
  for (const name of ["journal.jsonl", "agent_turns.jsonl"]) rmSync(join(cache, "item", name));
  writeFileSync(join(cache, "item", "A-1", "notes.txt"), "mine");
  await expect(openItemStore(cache, "A-1", retention)).rejects.toMatchObject({
    kind: "store",
    message: expect.stringContaining("the target exists"),
  });
  await expectWhole(cache, "A-1");
});

test.each(["A-1", "item"])(
  "nothing is lost when the process is killed at any file operation of moving %s",
  async (id) => {
    let killed = 0;
    for (let step = 1; ; step++) {
      const cache = oldCache();
      const child = startBun(`
      import { mock } from "bun:test";
      import * as real from "node:fs/promises";
      let count = 0;
      const dying = (fn) => async (...args) => {
        count += 1;
        if (count === ${step}) process.kill(process.pid, "SIGKILL");
        return fn(...args);
      };
      const { rename, open, mkdir, link, unlink, writeFile, rm, readdir } = real;
      mock.module("node:fs/promises", () => ({ ...real, rename: dying(rename), open: dying(open),
        mkdir: dying(mkdir), link: dying(link), unlink: dying(unlink), writeFile: dying(writeFile),
        rm: dying(rm), readdir: dying(readdir) }));
      const { openItemStore } = await import(${JSON.stringify(ITEM_STORE)});
      await (await openItemStore(${JSON.stringify(cache)}, ${JSON.stringify(id)}, ${JSON.stringify(retention)})).close();
    `);
      const code = await child.exited;
      // The state after a kill can be read, and the next process finishes the move.
      for (const any of IDS) await expectWhole(cache, any);
      expect(await listItems(cache)).toEqual([...IDS].sort());
      await (await openItemStore(cache, id, retention)).close();
      expect(existsSync(join(cache, "item", id, "checkpoint_latest.json"))).toBe(true);
      for (const any of IDS) await expectWhole(cache, any);
      if (child.signalCode !== "SIGKILL") {
        expect(code).toBe(0);
        break;
      }
      killed += 1;
    }
    expect(killed).toBeGreaterThan(10);
  },
  60_000,
);

test.each(["A-1", "item", "A-1", "item"])(
  "exactly one of several processes that open an old item (%s) at once gets it",
  async (id) => {
    const cache = oldCache();
    const script = `
    import { openItemStore } from ${JSON.stringify(ITEM_STORE)};
    await Bun.stdin.stream().getReader().read();
    try { await openItemStore(${JSON.stringify(cache)}, "${id}", ${JSON.stringify(retention)}); console.log("won"); }
    catch (error) { console.log("lost " + error.kind); }
    console.log("decided");
    await new Promise(() => setInterval(() => {}, 1000));
  `;
    const racers = Array.from({ length: 6 }, () => startBun(script));
    for (const racer of racers) {
      racer.stdin.write("go\n");
      racer.stdin.flush();
    }
    const decided = await Promise.all(
      racers.map(async (racer) => {
        let text = "";
        const decoder = new TextDecoder();
        for await (const chunk of racer.stdout) {
          text += decoder.decode(chunk);
          if (text.includes("decided")) break;
        }
        return text.split("\n")[0];
      }),
    );
    for (const racer of racers) racer.kill("SIGKILL");
    await Promise.all(racers.map((racer) => racer.exited));
    expect(decided.sort()).toEqual([...Array(5).fill("lost usage"), "won"]);
    expect(existsSync(join(cache, "item", id))).toBe(true);
    for (const any of IDS) await expectWhole(cache, any);
  },
  20_000,
);

test("an item interrupted under an older program continues there and repeats no request", async () => {
  const project = makeProject(server.url);
  const cache = join(project.root, "cache");
  const out = join(project.root, "out");
  const script = join(import.meta.dir, "kill-after.ts");
  const child = Bun.spawn(
    [process.execPath, script, project.config, project.spec, project.logs, out, cache, "checkpoint", "4"],
    { env: ENV, cwd: project.root, stdout: "inherit", stderr: "inherit" },
  );
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  toFormat1(cache);
  const flags = ["--config", project.config, "--search-root", project.logs, "--out", out, "--cache", cache];
  const before = snapshot(cache);
  const status = await atomsmith(["status", "CLK-1", ...flags.slice(0, 2), ...flags.slice(4)], project.root);
  expect([status.code, status.stdout]).toEqual([0, expect.stringContaining("unfinished")]);
  expect(snapshot(cache)).toEqual(before);
  const asked = server.requests.length;
  const resumed = await atomsmith(["resume", "CLK-1", ...flags, "--seed", "7"], project.root);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  expect(readdirSync(cache).sort()).toEqual(["@store.json", "item"]);
  const bodies = server.requests.map((arrival) => JSON.stringify(arrival.body));
  expect(asked).toBeGreaterThan(0);
  expect(new Set(bodies).size).toBe(bodies.length);
}, 60_000);

test("the lock moves with the folder", async () => {
  const cache = oldCache();
  const store = await openItemStore(cache, "A-1", retention);
  const path = join(cache, "item", "A-1", "lock");
  await expect(takeLock(path, "item A-1")).rejects.toMatchObject({ kind: "usage" });
  await store.close();
  await (await takeLock(path, "item A-1")).release();
});
