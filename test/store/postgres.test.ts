// The database of the fleet: simultaneous migrations, older programs on a newer schema, and server failures.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Database } from "../../src/store/postgres/database.ts";
import { MIGRATIONS, migrate } from "../../src/store/postgres/migrations.ts";
import { PostgresRunStore } from "../../src/store/postgres/run-store.ts";
import { databaseName, databaseSecrets } from "../../src/store/postgres/url.ts";
import { TestPostgres } from "../support/postgres.ts";

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await TestPostgres.start();
}, 30_000);
afterAll(() => postgres?.stop());

async function database(name: string): Promise<Database> {
  await postgres.query(`CREATE DATABASE ${name}`);
  return Database.open(postgres.url(name), { connections: 4, application: "test" });
}

const RUN = { loop: "demo", id: "X" };
const RETENTION = { maxCheckpointsPerHour: 10, keepHours: 24 };
const unchanged = (text: string): string => text;

test("several processes migrate one empty database at once", async () => {
  const db = await database("at_once");
  const others = await Promise.all(
    Array.from({ length: 5 }, () =>
      Database.open(postgres.url("at_once"), { connections: 2, application: "test" }),
    ),
  );
  await Promise.all([db, ...others].map((one) => migrate(one)));
  const rows = await db.query<{ n: number }>("SELECT n FROM atomsmith.migration ORDER BY n");
  expect(rows.map((row) => row.n)).toEqual(MIGRATIONS.map((_, i) => i + 1));
  await Promise.all([db, ...others].map((one) => one.close()));
});

test("an open store continues while a newer program migrates, and an older program starts afterwards", async () => {
  const db = await database("running");
  await migrate(db);
  const store = await PostgresRunStore.open({ db, space: "s" }, RUN, RETENTION, unchanged, {
    job: "j",
    attempt: 0,
  });
  await store.turns.append({ key: "before" });
  const newer = [
    ...MIGRATIONS,
    { sql: "ALTER TABLE atomsmith.turn ADD COLUMN noted boolean NOT NULL DEFAULT false" },
  ];
  await migrate(db, newer);
  await store.turns.append({ key: "after" });
  await store.saveCheckpoint("s", { n: 1 });
  await store.close();
  await migrate(db); // an older program: nothing to do, nothing undone
  const again = await PostgresRunStore.open({ db, space: "s" }, RUN, RETENTION, unchanged, {
    job: "j",
    attempt: 1,
  });
  expect(again.turns.all()).toEqual([{ key: "before" }, { key: "after" }]);
  await again.close();
  await db.close();
});

test("a database that requires a newer program is refused", async () => {
  const db = await database("newer");
  await migrate(db, [...MIGRATIONS, { sql: "SELECT 1", since: MIGRATIONS.length + 1 }]);
  expect(migrate(db)).rejects.toMatchObject({
    kind: "store",
    message: expect.stringContaining("newer atomsmith"),
  });
  await db.close();
});

test("writes wait for a server that is killed and restarted, and happen once", async () => {
  const db = await database("restarted");
  await migrate(db);
  const place = { db, space: "s" };
  const store = await PostgresRunStore.open(place, RUN, RETENTION, unchanged, { job: "j", attempt: 0 });
  const writing = (async () => {
    for (let n = 0; n < 200; n++) {
      await store.turns.append({ n });
      store.record({ n });
      if (n % 20 === 0) await store.saveCheckpoint("s", { n });
    }
  })();
  for (let i = 0; i < 2; i++) {
    await Bun.sleep(60);
    await postgres.kill();
    await Bun.sleep(200);
    await postgres.run();
  }
  await writing;
  await store.close();
  const numbers = Array.from({ length: 200 }, (_, n) => n);
  expect((await store.loadTurns()).map((turn) => turn["n"])).toEqual(numbers);
  expect((await store.loadJournal()).map((event) => event["n"])).toEqual(numbers);
  await db.close();
}, 30_000);

test("a server that stays down is a store error with a hint after the time limit", async () => {
  const gone = await Database.open("postgres://u:some-password@127.0.0.1:1/x", {
    connections: 1,
    application: "test",
    patience: 300,
  });
  const start = performance.now();
  const error = await gone.query("SELECT 1").catch((thrown) => thrown);
  expect(performance.now() - start).toBeLessThan(5_000);
  expect(error).toMatchObject({
    kind: "store",
    details: { hint: expect.stringContaining("nothing stored is lost") },
  });
  expect(JSON.stringify(error)).not.toContain("some-password");
  await gone.close();
});

test("the shown name of a URL has no credentials, and its passwords are masked", () => {
  expect(databaseName("postgres://u:p%40ss@db.example:6543/fleet?sslmode=require")).toBe(
    "db.example:6543/fleet",
  );
  expect(databaseSecrets("postgres://u:p%40ss@db.example/fleet")).toEqual(["u:p%40ss@", "p%40ss", "p@ss"]);
  expect(databaseSecrets("postgresql://db/x?user=u&password=abc%20d")).toEqual(["abc%20d", "abc d"]);
  expect(databaseSecrets("postgres://u@db/x")).toEqual([]);
  expect(databaseSecrets("https://u:p@host/x")).toEqual([]);
  expect(() => databaseName("mysql://u:geheim@h/x")).toThrow("not a PostgreSQL URL");
});
