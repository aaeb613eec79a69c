import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Checkpoints } from "../../src/store/checkpoints.ts";
import { listRuns, RunReader, RunStore } from "../../src/store/index.ts";
import { removeScratch, scratch } from "./helpers.ts";

afterAll(removeScratch);
const X = { loop: "demo", id: "X" };
const retention = { maxCheckpointsPerHour: 10, keepHours: 24 };

test("two checkpoints of one second are both kept, and the latest is the newer one", async () => {
  const dir = scratch();
  const checkpoints = new Checkpoints(dir, X);
  const now = new Date("2026-01-28T14:30:25.100Z");
  const ids = [];
  for (let n = 0; n < 12; n++) ids.push(await checkpoints.save("agent_a", { n }, 100, { now }));
  expect(ids.slice(0, 3)).toEqual(["2026012814_143025", "2026012814_143025-1", "2026012814_143025-2"]);
  expect(new Set(ids).size).toBe(12);
  // Numbers, not text: -10 follows -9.
  expect((await checkpoints.list()).map((entry) => entry.id)).toEqual(ids);
  expect((await checkpoints.load())?.state).toEqual({ n: 11 });
  expect((await checkpoints.load("2026012814_143025-1"))?.state).toEqual({ n: 1 });
});

test("only the newest checkpoints of an hour are kept, and old hours are removed", async () => {
  const dir = scratch();
  const checkpoints = new Checkpoints(dir, X);
  for (let n = 0; n < 14; n++) {
    await checkpoints.save("s", { n }, 10, { now: new Date(Date.UTC(2026, 0, 28, 14, 0, n)) });
  }
  expect((await checkpoints.list()).map((entry) => entry.id.slice(-2))).toEqual([
    "04",
    "05",
    "06",
    "07",
    "08",
    "09",
    "10",
    "11",
    "12",
    "13",
  ]);
  const dropped = await checkpoints.dropOldHours(24, new Date(Date.UTC(2026, 0, 29, 15, 0, 0)));
  expect(dropped).toEqual(["2026012814"]);
  expect((await checkpoints.load())?.state).toEqual({ n: 13 });
});

test("a damaged latest checkpoint is replaced by the newest readable one", async () => {
  const dir = scratch();
  const checkpoints = new Checkpoints(dir, X);
  await checkpoints.save("one", { n: 1 }, 10, { now: new Date(Date.UTC(2026, 0, 28, 14, 0, 1)) });
  await checkpoints.save("two", { n: 2 }, 10, { now: new Date(Date.UTC(2026, 0, 28, 14, 0, 2)) });
  writeFileSync(join(dir, "checkpoint_latest.json"), '{"format": 1, "id"'); // both names, one file
  expect((await checkpoints.load())?.stage).toBe("one");
});

test("an unknown checkpoint is an error that lists the existing ones", async () => {
  const dir = scratch();
  const checkpoints = new Checkpoints(dir, X);
  const id = await checkpoints.save("one", {}, 10);
  await expect(checkpoints.load("2020010101_010101")).rejects.toMatchObject({
    kind: "usage",
    details: { hint: expect.stringContaining(id) },
  });
});

test("a store of a newer program is refused and not changed", async () => {
  const cache = scratch();
  writeFileSync(join(cache, "@store.json"), '{"format": 99}');
  await expect(RunStore.open(cache, X, retention)).rejects.toMatchObject({ kind: "store" });
  await expect(listRuns(cache)).rejects.toMatchObject({ kind: "store" });
  expect(readdirSync(cache)).toEqual(["@store.json"]);
});

test("a checkpoint of a newer program is refused even in an older store", async () => {
  const cache = scratch();
  const store = await RunStore.open(cache, X, retention);
  await store.saveCheckpoint("agent_a", { n: 1 });
  await store.close();
  const path = join(cache, "demo", "X", "checkpoint_latest.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"format": 2', '"format": 3'));
  await expect(new RunReader(cache, X).loadCheckpoint()).rejects.toMatchObject({ kind: "store" });
});

test("opening repairs temporary files and a torn journal of a killed process", async () => {
  const cache = scratch();
  let store = await RunStore.open(cache, X, retention);
  await store.saveCheckpoint("agent_a", { n: 1 });
  await store.saveView("views", "one", { ok: true });
  await store.close();
  writeFileSync(join(cache, "demo", "X", ".checkpoint_latest.json.atomsmith-tmp-1-aa"), "{");
  writeFileSync(join(cache, "demo", "X", "views", ".one.json.atomsmith-tmp-1-aa"), "{");
  const hour = join(cache, "demo", "X", "hourly", readdirSync(join(cache, "demo", "X", "hourly"))[0] ?? "");
  writeFileSync(join(hour, ".checkpoint_000000.json.atomsmith-tmp-1-aa"), "{");
  writeFileSync(join(cache, "demo", "X", "journal.jsonl"), '{"seq":1}\n{"se');
  store = await RunStore.open(cache, X, retention);
  store.record({ type: "log", level: "info", item: "X", message: "m", seq: 2, at: "t", run: "r" });
  await store.close();
  expect(readdirSync(join(cache, "demo", "X")).sort()).toEqual([
    "checkpoint_latest.json",
    "hourly",
    "journal.jsonl",
    "views",
  ]);
  expect(readdirSync(join(cache, "demo", "X", "views"))).toEqual(["one.json"]);
  expect(readdirSync(hour)).toHaveLength(1);
  expect(readFileSync(join(cache, "demo", "X", "journal.jsonl"), "utf8").split("\n")[1]).toContain('"seq":2');
});

test("IDs that are paths are refused", async () => {
  for (const id of ["..", ".", "a/b", "", "a b", "@store.json"]) {
    await expect(RunStore.open(scratch(), { loop: "demo", id }, retention)).rejects.toMatchObject({
      kind: "usage",
    });
  }
});

test("a checkpoint names its run, and views are read by name", async () => {
  const cache = scratch();
  const store = await RunStore.open(cache, X, retention, (text) => text.replaceAll("hunter2", "***"));
  await store.saveCheckpoint("plan", { word: "hunter2" });
  await store.saveView("notes", "b", { n: 2, word: "hunter2" });
  await store.saveView("notes", "a", { n: 1 });
  await expect(store.saveView("..", "a", {})).rejects.toMatchObject({ kind: "usage" });
  const reader = new RunReader(cache, X);
  expect(await reader.loadCheckpoint()).toMatchObject({
    loop: "demo",
    subject: "X",
    stage: "plan",
    state: { word: "***" },
  });
  expect(await reader.listViews("notes")).toEqual(["a", "b"]);
  expect(await reader.loadView("notes", "b")).toEqual({ n: 2, word: "***" });
  expect(await reader.loadView("notes", "c")).toBeUndefined();
  expect(await reader.isLocked()).toBe(true);
  await store.close();
  expect(await reader.isLocked()).toBe(false);
});

test("runs of several loops with one ID are separate", async () => {
  const cache = scratch();
  for (const run of [X, { loop: "other", id: "X" }, { loop: "demo", id: "A" }]) {
    const store = await RunStore.open(cache, run, retention);
    await store.saveCheckpoint("s", { of: run.loop });
    await store.close();
  }
  expect(await listRuns(cache)).toEqual([{ loop: "demo", id: "A" }, X, { loop: "other", id: "X" }]);
  expect(await listRuns(cache, "other")).toEqual([{ loop: "other", id: "X" }]);
  expect((await new RunReader(cache, { loop: "other", id: "X" }).loadCheckpoint())?.state).toEqual({
    of: "other",
  });
});

test("nothing is written after close, and with keepLock the run stays locked", async () => {
  const cache = scratch();
  const late = await RunStore.open(cache, X, retention);
  await late.saveCheckpoint("s", { n: 1 });
  late.record({ n: 1 });
  await late.turns.append({ n: 1 });
  await late.close({ keepLock: true });
  await expect(RunStore.open(cache, X, retention)).rejects.toMatchObject({ kind: "usage" });
  await late.close();
  const next = await RunStore.open(cache, X, retention);
  const writes = [
    async () => late.record({ n: 2 }),
    () => late.turns.append({ n: 2 }),
    () => late.turns.setAside(),
    () => late.saveCheckpoint("s", { n: 2 }),
    () => late.saveView("notes", "a", { n: 2 }),
    () => late.dropViews("notes"),
    () => late.dropHistory(),
  ];
  for (const write of writes) {
    await expect(write()).rejects.toMatchObject({
      kind: "store",
      message: expect.stringContaining("closed"),
    });
  }
  expect(late.turns.all()).toEqual([{ n: 1 }]);
  await next.close();
  const dir = join(cache, "demo", "X");
  expect(readFileSync(join(dir, "journal.jsonl"), "utf8")).toBe('{"n":1}\n');
  expect(readFileSync(join(dir, "agent_turns.jsonl"), "utf8")).toBe('{"n":1}\n');
  expect((await new RunReader(cache, X).loadCheckpoint())?.state).toEqual({ n: 1 });
});
