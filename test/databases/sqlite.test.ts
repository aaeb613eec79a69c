// Statements on SQLite files in a real process: results, restrictions and limits.
import { Database } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectionSchema, type SqliteConnection } from "../../src/databases/connection.ts";
import { querySqlite, SQLITE_SCHEMA } from "../../src/databases/sqlite/query.ts";
import { folders } from "../support/folder.ts";

const folder = folders("databases-sqlite");
const never = new AbortController().signal;
let dir: string;
let path: string;

beforeAll(() => {
  dir = folder();
  path = join(dir, "checks.db");
  const db = new Database(path);
  db.run("CREATE TABLE runs (id INTEGER PRIMARY KEY, name TEXT NOT NULL, slack REAL, log BLOB)");
  db.run("CREATE VIEW failing AS SELECT id FROM runs WHERE slack < 0");
  db.run(
    "INSERT INTO runs VALUES (1, 'a', 0.5, x'00ff'), (2, 'b', -0.1, NULL), (9007199254740993, 'c', 1e999, NULL)",
  );
  db.close();
  const other = new Database(join(dir, "other.db"));
  other.run("CREATE TABLE secret (x)");
  other.close();
});

const connection = (change: Partial<SqliteConnection> = {}): SqliteConnection => ({
  ...(connectionSchema.parse({ kind: "sqlite", path }) as SqliteConnection),
  ...change,
});
const query = (statement: string, change?: Partial<SqliteConnection>) =>
  querySqlite(connection(change), statement, never);
async function errorOf(statement: string, change?: Partial<SqliteConnection>): Promise<string> {
  return query(statement, change).then(
    (answer) => `answered: ${JSON.stringify(answer)}`,
    (error) => `${error.kind}: ${error.message}`,
  );
}

test("rows are returned as JSON, with numbers, blobs and duplicate names kept", async () => {
  expect(await query("SELECT id, name, slack, log FROM runs ORDER BY id -- all")).toEqual({
    lines: [
      `{"id":1,"name":"a","slack":0.5,"log":"x'00ff' (2 bytes)"}`,
      `{"id":2,"name":"b","slack":-0.1,"log":null}`,
      `{"id":9007199254740993,"name":"c","slack":"Infinity","log":null}`,
    ],
    more: false,
    changed: null,
  });
  expect((await query("VALUES (1, 2)")).lines).toEqual(['{"column1":1,"column2":2}']);
  expect((await query("WITH t AS (SELECT 7 AS n) SELECT n, n + 1 AS m FROM t")).lines).toEqual([
    '{"n":7,"m":8}',
  ]);
  expect((await query(SQLITE_SCHEMA)).lines).toContain(
    '{"table":"failing","kind":"view","column":"id","type":"INTEGER","not_null":0,"key":0}',
  );
}, 30_000);

test("limits of rows and bytes are reported when there is more", async () => {
  const many =
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 1000000) SELECT n FROM t";
  expect(await query(many, { max_rows: 3 })).toMatchObject({
    lines: ['{"n":1}', '{"n":2}', '{"n":3}'],
    more: true,
  });
  const small = await query(many, { max_bytes: 100 });
  expect(small.more).toBe(true);
  expect(small.lines.join("\n").length).toBeLessThanOrEqual(100);
  const [one = ""] = (await query("SELECT hex(zeroblob(1000000)) AS x", { max_bytes: 200 })).lines;
  expect(one.length).toBeLessThanOrEqual(200);
  expect(one).toContain("bytes in all]");
}, 30_000);

test("a read-only connection changes nothing and reads or creates no other file", async () => {
  const before = readdirSync(dir);
  for (const statement of [
    "DELETE FROM runs",
    "INSERT INTO runs VALUES (5, 'x', 1, NULL)",
    "DROP TABLE runs",
    `ATTACH '${dir}/other.db' AS o`,
    `VACUUM INTO '${dir}/copy.db'`,
    "PRAGMA writable_schema = 1",
    `SELECT 1) ; ATTACH '${dir}/other.db' AS o; --`,
    "SELECT 1) LIMIT 1; DELETE FROM runs; --",
    "SELECT 1; SELECT 2",
    "SELECT load_extension('x')",
    "SELECT * FROM runs WHERE id = ?",
    "SELEC 1",
    "",
  ])
    expect([statement, await errorOf(statement)]).toEqual([
      statement,
      expect.stringMatching(/^usage: SQLite rejected/),
    ]);
  expect((await query("SELECT count(*) AS n FROM runs")).lines).toEqual(['{"n":3}']);
  expect(readdirSync(dir)).toEqual(before);
}, 60_000);

test("a writing connection runs one statement, counts its changes and touches no other file", async () => {
  const write = { write: true };
  expect(await query("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)", write)).toMatchObject({
    lines: [],
  });
  expect(await query("INSERT INTO notes (text) VALUES ('a'), ('b') RETURNING id", write)).toEqual({
    lines: ['{"id":1}', '{"id":2}'],
    more: false,
    changed: 2,
  });
  expect(await query("UPDATE notes SET text = 'c' WHERE id = 2", write)).toMatchObject({ changed: 1 });
  expect(await query("SELECT text FROM notes ORDER BY id", write)).toMatchObject({
    lines: ['{"text":"a"}', '{"text":"c"}'],
    changed: 0,
  });
  expect(await errorOf("DELETE FROM notes; DELETE FROM runs", write)).toContain(
    "expected a single statement",
  );
  expect(await errorOf(`VACUUM INTO '${dir}/copy.db'`, write)).toContain("SQLite rejected");
  expect(existsSync(join(dir, "copy.db"))).toBe(false);
  expect((await query("SELECT count(*) AS n FROM notes")).lines).toEqual(['{"n":2}']);
}, 60_000);

test("limits of time and memory end a statement", async () => {
  const endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t";
  const start = performance.now();
  expect(await errorOf(endless, { timeout_seconds: 1 })).toMatch(
    /^usage: the statement on checks\.db was stopped/,
  );
  expect(performance.now() - start).toBeLessThan(20_000);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  const interrupted = querySqlite(connection(), endless, stop.signal).catch((error) => error.kind);
  expect(await interrupted).toBe("interrupted");
}, 60_000);

test("files that are not databases are refused, databases with a write-ahead log are read", async () => {
  const damaged = join(dir, "damaged.db");
  writeFileSync(damaged, "SQLite format 3\0 and then nothing that fits".repeat(100));
  expect(await errorOf("SELECT 1", { path: damaged })).toMatch(/^usage: SQLite rejected/);
  expect(await errorOf("SELECT 1", { path: join(dir, "none.db") })).toMatch(
    /^config: the database .*none\.db does not exist or is not a file/,
  );
  const wal = join(dir, "wal.db");
  const db = new Database(wal);
  db.run("PRAGMA journal_mode = WAL");
  db.run("CREATE TABLE t (x)");
  db.run("INSERT INTO t VALUES (1)");
  // While another process has it open, and after it was closed.
  expect((await query("SELECT x FROM t", { path: wal })).lines).toEqual(['{"x":1}']);
  db.close();
  expect((await query("SELECT x FROM t", { path: wal })).lines).toEqual(['{"x":1}']);
}, 60_000);
