// Statements on a real PostgreSQL: known ways around read-only access, limits, and failures of the server.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer } from "node:net";
import { connectionSchema, type PostgresConnection } from "../../src/databases/connection.ts";
import { POSTGRES_SCHEMA, queryPostgres } from "../../src/databases/postgres.ts";
import { TestPostgres } from "../support/postgres.ts";

const never = new AbortController().signal;
let server: TestPostgres;

beforeAll(async () => {
  server = await TestPostgres.start();
  for (const text of [
    "CREATE TABLE runs (id int PRIMARY KEY, name text, slack numeric, at timestamptz DEFAULT '2026-01-02 03:04:05Z')",
    "INSERT INTO runs VALUES (1, 'a', 0.50), (2, 'b', -0.1), (3, 'c', NULL)",
    "CREATE SEQUENCE s",
    "CREATE FUNCTION spoil() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM runs; RETURN 1; END $$",
    "CREATE ROLE reader LOGIN PASSWORD 'correct-horse-1'",
    "GRANT SELECT ON runs TO reader",
  ])
    await server.query(text);
}, 120_000);
afterAll(() => server.stop());

const connection = (change: Partial<PostgresConnection> = {}): PostgresConnection => ({
  ...(connectionSchema.parse({ kind: "postgres", url: server.url() }) as PostgresConnection),
  ...change,
});
const query = (statement: string, change?: Partial<PostgresConnection>, env = {}) =>
  queryPostgres(connection(change), statement, env, never);
const errorOf = (statement: string, change?: Partial<PostgresConnection>, env = {}): Promise<string> =>
  query(statement, change, env).then(
    (answer) => `answered: ${JSON.stringify(answer)}`,
    (error) => `${error.kind}: ${error.message}`,
  );
const count = async (): Promise<unknown> =>
  (await server.query("SELECT count(*)::int AS n FROM runs"))[0]?.["n"];

test("rows are returned as JSON in order, with values as the server writes them", async () => {
  expect(await query("SELECT id, name, slack, at FROM runs ORDER BY id DESC; ")).toEqual({
    lines: [
      '{"id":3,"name":"c","slack":null,"at":"2026-01-02T03:04:05+00:00"}',
      '{"id":2,"name":"b","slack":-0.1,"at":"2026-01-02T03:04:05+00:00"}',
      '{"id":1,"name":"a","slack":0.50,"at":"2026-01-02T03:04:05+00:00"}',
    ],
    more: false,
    changed: null,
  });
  expect((await query("SELECT 1 AS a, 2 AS a -- two of one name")).lines).toEqual(['{"a":1,"a":2}']);
  expect((await query("WITH t AS (VALUES (1), (2)) SELECT * FROM t")).lines).toHaveLength(2);
  expect((await query(POSTGRES_SCHEMA)).lines).toContain(
    '{"schema":"public","table":"runs","column":"slack","type":"numeric","nullable":"YES"}',
  );
}, 30_000);

test("results are limited in rows, bytes and size of a value, and no more is received", async () => {
  const many = "SELECT n FROM generate_series(1, 50000000) AS n";
  const start = performance.now();
  expect(await query(many, { max_rows: 2 })).toEqual({
    lines: ['{"n":1}', '{"n":2}'],
    more: true,
    changed: null,
  });
  const small = await query(many, { max_bytes: 100 });
  expect([small.more, small.lines.join("\n").length <= 100]).toEqual([true, true]);
  const [one = ""] = (await query("SELECT repeat('x', 100000000) AS x", { max_bytes: 1000 })).lines;
  expect(one.length).toBeLessThanOrEqual(1000);
  expect(performance.now() - start).toBeLessThan(30_000);
}, 60_000);

test("a read-only connection cannot be made to write", async () => {
  for (const statement of [
    "DELETE FROM runs",
    "INSERT INTO runs VALUES (9)",
    "WITH gone AS (DELETE FROM runs RETURNING *) SELECT * FROM gone",
    "SELECT spoil()",
    "SELECT nextval('s')",
    "SELECT * FROM runs FOR UPDATE",
    "COMMIT",
    "SELECT 1; DELETE FROM runs",
    "SELECT 1) AS q; COMMIT; DELETE FROM runs; --",
    "SET transaction_read_only = off",
    "SELECT set_config('transaction_read_only', 'off', false), spoil()",
    "DO $$ BEGIN COMMIT; DELETE FROM runs; END $$",
    "COPY runs TO '/dev/null'",
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "CREATE TEMP TABLE t (x int)",
    "LISTEN x",
    "SELEC 1",
    "",
  ])
    expect([statement, await errorOf(statement)]).toEqual([
      statement,
      expect.stringMatching(/^usage: PostgreSQL rejected the statement: /),
    ]);
  expect(await count()).toBe(3);
}, 60_000);

test("a writing connection runs one statement in one transaction and counts its changes", async () => {
  const write = { write: true };
  expect(await query("INSERT INTO runs VALUES (4, 'd'), (5, 'e') RETURNING id, name", write)).toEqual({
    lines: ['{"id":4,"name":"d"}', '{"id":5,"name":"e"}'],
    more: false,
    changed: 2,
  });
  expect(await query("UPDATE runs SET slack = 1 WHERE id > 3", write)).toMatchObject({
    lines: [],
    changed: 2,
  });
  expect(await query("SELECT count(*) AS n FROM runs", write)).toMatchObject({ lines: ['{"n":5}'] });
  expect(await query("CREATE TABLE made (x int)", write)).toMatchObject({ changed: 0 });
  expect(await errorOf("DELETE FROM runs; DROP TABLE made", write)).toContain("usage: ");
  expect(await errorOf("INSERT INTO runs VALUES (1)", write)).toContain("duplicate key");
  expect(await query("DELETE FROM runs WHERE id > 3", write)).toMatchObject({ changed: 2 });
  expect(await count()).toBe(3);
}, 60_000);

test("time limit and interruption end a statement, on the server too", async () => {
  const start = performance.now();
  expect(await errorOf("SELECT pg_sleep(60)", { timeout_seconds: 0.5 })).toMatch(
    /^usage: .*statement timeout \(57014\)/,
  );
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  const interrupted = queryPostgres(connection(), "SELECT pg_sleep(60)", {}, stop.signal);
  expect(await interrupted.catch((error) => error.kind)).toBe("interrupted");
  expect(performance.now() - start).toBeLessThan(15_000);
  const sessions =
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'atomsmith agent' AND wait_event <> 'PgSleep'";
  expect((await server.query(sessions))[0]?.["n"]).toBe(0);
}, 60_000);

test("rejected accounts, unknown databases and unreachable servers are reported", async () => {
  const url = server.url().replace("tester", "reader");
  const reader = { url, password_env: "READER_PASSWORD" };
  expect(
    await query("SELECT count(*) AS n FROM runs", reader, { READER_PASSWORD: "correct-horse-1" }),
  ).toMatchObject({ lines: ['{"n":3}'] });
  expect(await errorOf("SELECT 1", reader)).toContain(
    "config: the environment variable READER_PASSWORD is not set",
  );
  expect(await errorOf("SELECT 1", { url: server.url("none") })).toMatch(
    /^config: .* rejected the connection: .*does not exist/,
  );
  expect(await errorOf("SELECT spoil()", reader, { READER_PASSWORD: "correct-horse-1" })).toContain(
    "usage: ",
  );
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  silent.close();
  const gone = { url: `postgres://u@127.0.0.1:${port}/db` };
  expect(await query("SELECT 1", gone).catch((error) => error)).toMatchObject({
    kind: "provider",
    details: { retryable: true },
  });
}, 60_000);

test("after a server failure a statement is retried only where nothing can have been written", async () => {
  const own = await TestPostgres.start();
  const url = own.url();
  const queryDuringCrash = async (write: boolean): Promise<unknown> => {
    const asked = query("SELECT pg_sleep(30)", { url, write }).catch((error) => error);
    await Bun.sleep(700);
    await own.kill();
    const error = await asked;
    await own.run();
    return error;
  };
  expect(await queryDuringCrash(false)).toMatchObject({ kind: "provider", details: { retryable: true } });
  expect(await queryDuringCrash(true)).toMatchObject({ kind: "provider", details: { retryable: false } });
  await own.stop();
}, 120_000);

test("a password in the configuration is refused", () => {
  for (const url of [
    "postgres://u:secret@h/d",
    "postgres://u@h/d?password=secret",
    "mysql://h/d",
    "nonsense",
  ])
    expect(connectionSchema.safeParse({ kind: "postgres", url }).success).toBe(false);
});
