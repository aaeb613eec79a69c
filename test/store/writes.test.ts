// Batching of writes in the PostgreSQL store: related writes are one transaction, an acknowledged reply is committed,
// and no write waits long. Guarantees of every store: conformance.test.ts.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Database } from "../../src/store/postgres/database.ts";
import { migrate } from "../../src/store/postgres/migrations.ts";
import { PostgresReader } from "../../src/store/postgres/reader.ts";
import { PostgresRunStore } from "../../src/store/postgres/run-store.ts";
import { TestPostgres } from "../support/postgres.ts";

const RUN = { loop: "demo", id: "X" };
const RETENTION = { maxCheckpointsPerHour: 10, keepHours: 24 };
const START_MS = 30_000;
const unchanged = (text: string): string => text;

let postgres: TestPostgres;
let db: Database;
let spaces = 0;
beforeAll(async () => {
  postgres = await TestPostgres.start();
  db = await Database.open(postgres.url(), { connections: 4, application: "test" });
  await migrate(db);
}, START_MS);
afterAll(async () => {
  await db?.close();
  await postgres?.stop();
});

interface Place {
  space: string;
  open(attempt: number): Promise<PostgresRunStore>;
  reader: PostgresReader;
}

function newPlace(): Place {
  const place = { db, space: `space-${spaces++}` };
  return {
    space: place.space,
    open: (attempt) => PostgresRunStore.open(place, RUN, RETENTION, unchanged, { job: "j", attempt }),
    reader: new PostgresReader(place, RUN),
  };
}

/** The transactions that wrote the rows of a space. */
async function transactions(space: string, tables: readonly string[]): Promise<string[]> {
  const each = tables.map(
    (table) => `SELECT DISTINCT xmin::text AS x FROM atomsmith.${table} WHERE space = $1`,
  );
  const rows = await postgres.query<{ x: string }>(`${each.join(" UNION ")} ORDER BY x`, [space]);
  return rows.map(({ x }) => x);
}

test("events, views and the checkpoint of a step are one transaction, and so are a reply and what came before it", async () => {
  const { open, space } = newPlace();
  const store = await open(0);
  store.record({ n: 1 });
  await store.saveView("views", "a", { n: 1 }, { later: true });
  await store.saveView("views", "a", { n: 2 }, { later: true });
  store.record({ n: 2 });
  await store.saveCheckpoint("step", {});
  expect(await transactions(space, ["journal", "view", "checkpoint"])).toHaveLength(1);
  expect(await store.loadView("views", "a")).toEqual({ n: 2 });

  store.record({ n: 3 });
  await store.turns.append({ key: "k" });
  expect(await transactions(space, ["journal", "turn", "checkpoint"])).toHaveLength(2);
  await store.close();
});

test("a reply is stored, with all before it, when it is acknowledged", async () => {
  const { open, reader } = newPlace();
  const store = await open(0);
  for (let n = 0; n < 5; n++) {
    store.record({ n });
    await store.turns.append({ n });
    // Over another connection: it is committed.
    expect([(await reader.loadTurns()).length, (await reader.loadJournal()).length]).toEqual([n + 1, n + 1]);
  }
  await store.close();
});

test("replies at the same time are each stored once, in their order, in few transactions", async () => {
  const { open, reader, space } = newPlace();
  const store = await open(0);
  const numbers = Array.from({ length: 30 }, (_, n) => n);
  await Promise.all(numbers.map((n) => store.turns.append({ n })));
  expect((await reader.loadTurns()).map(({ n }) => n)).toEqual(numbers);
  expect(await transactions(space, ["turn"])).toHaveLength(1);
  await store.close();
});

test("without another write, events and views are stored after a second, and when the store is closed", async () => {
  const { open, reader } = newPlace();
  const store = await open(0);
  store.record({ n: 1 });
  await store.saveView("views", "a", 1, { later: true });
  expect([await reader.loadJournal(), await reader.listViews("views")]).toEqual([[], []]);
  const limit = performance.now() + 10_000;
  while ((await reader.loadJournal()).length === 0 && performance.now() < limit) await Bun.sleep(50);
  expect([await reader.loadJournal(), [...(await reader.loadViews("views"))]]).toEqual([
    [{ n: 1 }],
    [["a", 1]],
  ]);
  store.record({ n: 2 });
  await store.saveView("views", "b", 2, { later: true });
  await store.close();
  expect(await reader.loadJournal()).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await reader.listViews("views")).toEqual(["a", "b"]);
});

test("dropping views forgets those that wait, and keeps those that come later", async () => {
  const { open, reader } = newPlace();
  const store = await open(0);
  await store.saveView("views", "stored", 1);
  await store.saveView("views", "waits", 1, { later: true });
  await store.saveView("other", "waits", 1, { later: true });
  const dropped = store.dropViews("views");
  const saved = store.saveView("views", "new", 1);
  await Promise.all([dropped, saved]);
  expect([await reader.listViews("views"), await reader.listViews("other")]).toEqual([["new"], ["waits"]]);
  await store.close();
});

test("replies set aside between two others", async () => {
  const { open, reader } = newPlace();
  const store = await open(0);
  await store.turns.append({ key: "old" });
  await store.turns.setAside();
  await store.turns.append({ key: "new" });
  await store.turns.setAside();
  await store.turns.append({ key: "newest" });
  expect(await reader.loadTurns()).toEqual([{ key: "newest" }]);
  await store.close();
});

test("what waited under a lost lease is not stored; the next checkpoint says so, and closing releases nothing", async () => {
  const { open, reader } = newPlace();
  const early = await open(0);
  await early.saveView("views", "early", 1, { later: true });
  early.record({ n: 1 });
  const late = await open(1);
  await late.saveCheckpoint("late", {});
  expect(early.turns.append({ key: "stale" })).rejects.toThrow("taken over by another worker");
  expect(early.saveCheckpoint("stale", {})).rejects.toThrow("taken over by another worker");
  await early.close();
  expect(await reader.isLocked()).toBe(true);
  await late.close();
  expect(await reader.isLocked()).toBe(false);
  expect([await reader.loadTurns(), await reader.loadJournal(), await reader.listViews("views")]).toEqual([
    [],
    [],
    [],
  ]);
  expect((await reader.listCheckpoints()).length).toBe(1);
});

test("a takeover waits for a write under way, and reads what it wrote", async () => {
  const { open, space } = newPlace();
  const early = await open(0);
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const { promise: enough, resolve: end } = Promise.withResolvers<void>();
  // A write of the first attempt that has started and is not committed.
  const write = db.transaction(async (query) => {
    await early.hold(query);
    await query("INSERT INTO atomsmith.turn (space, loop, id, n, line) VALUES ($1, $2, $3, 0, $4)", [
      space,
      RUN.loop,
      RUN.id,
      '{"key":"paid"}',
    ]);
    isLocked();
    await enough;
  });
  await locked;
  const taking = open(1);
  await Bun.sleep(200);
  end();
  await write;
  const late = await taking;
  expect(late.turns.all()).toEqual([{ key: "paid" }]);
  await late.turns.append({ key: "next" });
  expect((await late.loadTurns()).length).toBe(2);
  await late.close();
  await early.close();
});
