// One suite for both stores of a run, files and PostgreSQL: the guarantees that loops rely on.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createRedactor } from "../../src/core/redact/index.ts";
import { RunReader, RunStore } from "../../src/store/index.ts";
import { Database } from "../../src/store/postgres/database.ts";
import { migrate } from "../../src/store/postgres/migrations.ts";
import { PostgresReader } from "../../src/store/postgres/reader.ts";
import { PostgresRunStore } from "../../src/store/postgres/run-store.ts";
import type { Lease, RunAccess, RunWriter } from "../../src/store/types.ts";
import { TestPostgres } from "../support/postgres.ts";
import { removeScratch, scratch } from "./helpers.ts";

const RUN = { loop: "demo", id: "X-1" };
const RETENTION = { maxCheckpointsPerHour: 3, keepHours: 24 };
const SECRET = "hunter2-hunter2";
const mask = createRedactor({ shapes: false, known: [SECRET] });

interface Kind {
  /** A new place without data. */
  newPlace(): Place;
}
interface Place {
  open(lease: Lease): Promise<RunWriter>;
  read(): RunAccess;
}

let postgres: TestPostgres;
let db: Database;
let spaces = 0;

beforeAll(async () => {
  postgres = await TestPostgres.start();
  db = await Database.open(postgres.url(), { connections: 8, application: "test" });
  await migrate(db);
}, 30_000);
afterAll(async () => {
  await db?.close();
  await postgres?.stop();
  removeScratch();
});

const KINDS: Record<string, Kind> = {
  files: {
    newPlace: () => {
      const dir = scratch();
      return {
        open: (lease) => RunStore.open(dir, RUN, RETENTION, mask, lease),
        read: () => new RunReader(dir, RUN),
      };
    },
  },
  postgres: {
    newPlace: () => {
      const place = { db, space: `space-${spaces++}` };
      return {
        open: (lease) => PostgresRunStore.open(place, RUN, RETENTION, mask, lease),
        read: () => new PostgresReader(place, RUN),
      };
    },
  },
};

const first = { job: "job-1", attempt: 0 };
const second = { job: "job-1", attempt: 1 };

describe.each(Object.keys(KINDS))("store: %s", (name) => {
  const newPlace = (): Place => (KINDS[name] as Kind).newPlace();

  test("an empty run contains nothing", async () => {
    const reader = newPlace().read();
    expect(await reader.loadCheckpoint()).toBeUndefined();
    expect(await reader.listCheckpoints()).toEqual([]);
    expect(await reader.loadView("views", "one")).toBeUndefined();
    expect(await reader.listViews("views")).toEqual([]);
    expect([await reader.loadJournal(), await reader.loadTurns()]).toEqual([[], []]);
    expect(await reader.isLocked()).toBe(false);
  });

  test("everything written is read back masked by the next owner", async () => {
    const place = newPlace();
    const store = await place.open(first);
    expect(await place.read().isLocked()).toBe(true);
    const id = await store.saveCheckpoint("draft", { n: 1, text: `a\u0000b \ud800 ${SECRET}` });
    await store.saveView("views", "one", { note: SECRET });
    store.record({ type: "event", n: 1 });
    store.record({ type: "event", n: 2, text: SECRET });
    await store.turns.append({ key: "k1" });
    await store.saveCheckpoint("next", { n: 2 }, true);
    await store.close();

    const again = await place.open(second);
    expect(again.turns.all()).toEqual([{ key: "k1" }]);
    expect(again.turns.damaged).toEqual([]);
    const latest = await again.loadCheckpoint();
    expect([latest?.stage, latest?.state, latest?.loop, latest?.subject]).toEqual([
      "next",
      { n: 2 },
      "demo",
      "X-1",
    ]);
    const older = await again.loadCheckpoint(id);
    expect(older?.state["n"]).toBe(1);
    expect(JSON.stringify(older)).not.toContain(SECRET);
    expect(older?.state["text"]).toStartWith("a\u0000b ");
    expect(await again.listViews("views")).toEqual(["one"]);
    expect(await again.loadView("views", "one")).toEqual({ note: "[MASKED:known secret]" });
    expect(await again.loadJournal()).toEqual([
      { type: "event", n: 1 },
      { type: "event", n: 2, text: "[MASKED:known secret]" },
    ]);
    await again.dropViews("views");
    expect(await again.listViews("views")).toEqual([]);
    await again.close();
    expect(await place.read().isLocked()).toBe(false);
  });

  test("the newest and the latest checkpoints are kept, and an unknown ID is an error that lists them", async () => {
    const place = newPlace();
    const store = await place.open(first);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await store.saveCheckpoint("s", { n }, true));
    expect(new Set(ids).size).toBe(5);
    expect((await store.listCheckpoints()).map((entry) => entry.id)).toEqual(ids.slice(2));
    expect((await store.loadCheckpoint())?.state).toEqual({ n: 4 });
    expect(store.loadCheckpoint("2020010100_000000")).rejects.toThrow("no readable checkpoint");
    await store.dropHistory();
    expect((await store.loadCheckpoint())?.state).toEqual({ n: 4 });
    await store.close();
  });

  test("replies set aside are gone for the run and its next owner", async () => {
    const place = newPlace();
    const store = await place.open(first);
    await store.turns.append({ key: "old" });
    await store.turns.setAside();
    await store.turns.append({ key: "new" });
    expect(store.turns.all()).toEqual([{ key: "new" }]);
    await store.close();
    expect(await place.read().loadTurns()).toEqual([{ key: "new" }]);
  });

  test("further logs are read back in order, each by its name, and continued", async () => {
    const place = newPlace();
    const store = await place.open(first);
    const calls = await store.openLog("calls");
    expect(calls.earlier).toEqual([]);
    await calls.append({ n: 1, text: "a\u0000b \ud800" });
    await (await store.openLog("other")).append({ n: 9 });
    await store.close();
    expect(calls.append({ n: 2 })).rejects.toThrow("closed");
    const again = await place.open(second);
    const log = await again.openLog("calls");
    expect(log.earlier).toEqual([{ n: 1, text: "a\u0000b \ud800" }]);
    await log.append({ n: 2 });
    await again.close();
    expect((await place.read().loadLog("calls")).map(({ n }) => n)).toEqual([1, 2]);
    expect(await place.read().loadLog("none")).toEqual([]);
    expect(place.read().loadLog("../x")).rejects.toThrow("not a valid id");
  });

  test("an attempt takes over the run from an earlier attempt, whose writes are then rejected", async () => {
    const place = newPlace();
    const early = await place.open(first);
    await early.saveCheckpoint("early", { n: 1 });
    await early.turns.append({ key: "early" });
    const log = await early.openLog("calls");
    const late = await place.open(second);
    await late.saveCheckpoint("late", { n: 2 });

    const lost = "taken over by another worker";
    expect(early.saveCheckpoint("stale", { n: 3 })).rejects.toThrow(lost);
    expect(early.saveView("views", "stale", {})).rejects.toThrow(lost);
    expect(early.dropViews("views")).rejects.toThrow(lost);
    expect(early.turns.append({ key: "stale" })).rejects.toThrow(lost);
    expect(early.turns.setAside()).rejects.toThrow(lost);
    expect(early.dropHistory()).rejects.toThrow(lost);
    expect(log.append({ n: 1 })).rejects.toThrow(lost);
    await (async () => {
      early.record({ type: "stale" });
      await early.saveCheckpoint("stale", {});
    })().then(
      () => expect.unreachable(),
      (error) => expect(String(error)).toContain(lost),
    );
    await early.close();

    expect(await place.read().isLocked()).toBe(true); // closing the lost one releases nothing
    await late.turns.append({ key: "late" });
    await late.close();
    const reader = place.read();
    expect((await reader.loadCheckpoint())?.stage).toBe("late");
    expect(await reader.loadTurns()).toEqual([{ key: "early" }, { key: "late" }]);
    expect(await reader.loadJournal()).toEqual([]);
    expect(await reader.listViews("views")).toEqual([]);
  });

  test("an attempt cannot take over the run from a later one, nor from itself in another process", async () => {
    const place = newPlace();
    const late = await place.open(second);
    expect(place.open(first)).rejects.toMatchObject({ kind: "usage", details: { busy: true } });
    expect(place.open(second)).rejects.toMatchObject({ kind: "usage", details: { busy: true } });
    await late.close();
    await (await place.open(second)).close();
    // The queue has given the work to another job, so the earlier attempt has ended.
    const other = await place.open({ job: "job-2", attempt: 0 });
    const newest = await place.open({ job: "job-3", attempt: 0 });
    expect(other.saveCheckpoint("s", {})).rejects.toThrow("taken over");
    await newest.close();
  });

  test("every write after close is rejected", async () => {
    const store = await newPlace().open(first);
    await store.close();
    expect(store.saveCheckpoint("s", {})).rejects.toThrow("closed");
    expect(store.turns.append({})).rejects.toThrow("closed");
    expect(() => store.record({})).toThrow("closed");
  });

  test("a run closed with keepLock stays locked until it is closed again", async () => {
    const place = newPlace();
    const store = await place.open(first);
    await store.close({ keepLock: true });
    expect(place.open(first)).rejects.toMatchObject({ details: { busy: true } });
    await store.close();
    await (await place.open(first)).close();
  });

  test("names are not paths", () => {
    const { read } = newPlace();
    expect(() => read()).not.toThrow();
    const wrong = { loop: "demo", id: "../x" };
    expect(() => new RunReader("d", wrong)).toThrow("not a valid id");
    expect(() => new PostgresReader({ db, space: "s" }, wrong)).toThrow("not a valid id");
  });
});
