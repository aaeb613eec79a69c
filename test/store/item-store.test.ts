import { afterAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Checkpoints } from "../../src/store/checkpoints.ts";
import { ItemStore, ItemStoreReader, listItems } from "../../src/store/index.ts";
import { removeScratch, scratch } from "./helpers.ts";

afterAll(removeScratch);
const retention = { maxCheckpointsPerHour: 10, keepHours: 24 };

test("two checkpoints in one second stand side by side and the latest is the newer", async () => {
  const dir = scratch();
  const checkpoints = new Checkpoints(dir, "X");
  const now = new Date("2026-01-28T14:30:25.100Z");
  const ids = [];
  for (let n = 0; n < 12; n++) ids.push(await checkpoints.save("agent_a", { n }, 100, { now }));
  expect(ids.slice(0, 3)).toEqual(["2026012814_143025", "2026012814_143025-1", "2026012814_143025-2"]);
  expect(new Set(ids).size).toBe(12);
  // Numbers, not text: -10 comes after -9.
  expect((await checkpoints.list()).map((entry) => entry.id)).toEqual(ids);
  expect((await checkpoints.load())?.state).toEqual({ n: 11 });
  expect((await checkpoints.load("2026012814_143025-1"))?.state).toEqual({ n: 1 });
});

test("only the newest checkpoints of an hour are kept and old hours go", async () => {
  const dir = scratch();
  const checkpoints = new Checkpoints(dir, "X");
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

test("a latest checkpoint that is damaged gives way to the newest readable one", async () => {
  const dir = scratch();
  const checkpoints = new Checkpoints(dir, "X");
  await checkpoints.save("one", { n: 1 }, 10, { now: new Date(Date.UTC(2026, 0, 28, 14, 0, 1)) });
  await checkpoints.save("two", { n: 2 }, 10, { now: new Date(Date.UTC(2026, 0, 28, 14, 0, 2)) });
  writeFileSync(join(dir, "checkpoint_latest.json"), '{"format": 1, "id"'); // both names, one file
  expect((await checkpoints.load())?.stage).toBe("one");
});

test("an unknown checkpoint names those there are", async () => {
  const dir = scratch();
  const checkpoints = new Checkpoints(dir, "X");
  const id = await checkpoints.save("one", {}, 10);
  await expect(checkpoints.load("2020010101_010101")).rejects.toMatchObject({
    kind: "usage",
    details: { hint: expect.stringContaining(id) },
  });
});

test("a store of a newer program is refused and left alone", async () => {
  const cache = scratch();
  writeFileSync(join(cache, "@store.json"), '{"format": 99}');
  await expect(ItemStore.open(cache, "X", retention)).rejects.toMatchObject({ kind: "store" });
  await expect(listItems(cache)).rejects.toMatchObject({ kind: "store" });
  expect(readdirSync(cache)).toEqual(["@store.json"]);
});

test("a checkpoint of a newer program is refused even in an older store", async () => {
  const cache = scratch();
  const store = await ItemStore.open(cache, "X", retention);
  await store.saveCheckpoint("agent_a", { n: 1 });
  await store.close();
  const path = join(cache, "X", "checkpoint_latest.json");
  writeFileSync(path, readFileSync(path, "utf8").replace('"format": 1', '"format": 2'));
  await expect(new ItemStoreReader(cache, "X").loadCheckpoint()).rejects.toMatchObject({ kind: "store" });
});

test("opening repairs what a killed process left: temporary files, a torn journal", async () => {
  const cache = scratch();
  let store = await ItemStore.open(cache, "X", retention);
  await store.saveCheckpoint("agent_a", { n: 1 });
  await store.saveStageOutput("load_spec", { ok: true });
  await store.close();
  writeFileSync(join(cache, "X", ".checkpoint_latest.json.atomsmith-tmp-1-aa"), "{");
  writeFileSync(join(cache, "X", "stage_outputs", ".load_spec.json.atomsmith-tmp-1-aa"), "{");
  writeFileSync(join(cache, "X", "journal.jsonl"), '{"seq":1}\n{"se');
  store = await ItemStore.open(cache, "X", retention);
  store.record({ type: "log", seq: 2, at: "t", run: "r", loop: "item", subject: "X" });
  await store.close();
  expect(readdirSync(join(cache, "X")).sort()).toEqual([
    "checkpoint_latest.json",
    "hourly",
    "journal.jsonl",
    "stage_outputs",
  ]);
  expect(readdirSync(join(cache, "X", "stage_outputs"))).toEqual(["load_spec.json"]);
  expect(readFileSync(join(cache, "X", "journal.jsonl"), "utf8").split("\n")[1]).toContain('"seq":2');
});

test("ids that are paths are refused", async () => {
  for (const id of ["..", ".", "a/b", "", "a b", "@store.json"]) {
    await expect(ItemStore.open(scratch(), id, retention)).rejects.toMatchObject({ kind: "usage" });
  }
});
