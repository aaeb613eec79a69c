// One statement on a PostgreSQL server: one connection, one transaction, read-only unless the connection says otherwise;
// rows come through a cursor, so that no more of them arrive than are shown.
import type { PoolClient } from "pg";
import { AtomsmithError } from "../core/errors.ts";
import { databaseLibraries } from "../store/postgres/driver.ts";
import { databaseName } from "../store/postgres/url.ts";
import { AnswerLines, asQuery, bareStatement, type DataAnswer } from "./answer.ts";
import { type Env, type PostgresConnection, passwordOf } from "./connection.ts";

const CONNECT_MS = 10_000;
/** Beyond the server's own limit, for an answer that never comes. */
const GRACE_MS = 5_000;
const BATCH = 50;

/** Columns of the tables and views that the account may see. */
export const POSTGRES_SCHEMA = `SELECT table_schema AS schema, table_name AS "table", column_name AS "column", data_type AS type, is_nullable AS nullable
FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
ORDER BY table_schema, table_name, ordinal_position`;

/** Runs one statement. Throws kind `usage` for one that the server refuses, kind `config` for a server that refuses the
 * account, kind `provider` for one that does not answer, and kind `interrupted`. */
export async function queryPostgres(
  connection: PostgresConnection,
  statement: string,
  env: Env,
  signal: AbortSignal,
): Promise<DataAnswer> {
  const name = databaseName(connection.url);
  const { Pool } = await databaseLibraries();
  const pool = new Pool({
    ...account(connection, env),
    max: 1,
    application_name: "atomsmith agent",
    connectionTimeoutMillis: CONNECT_MS,
  });
  pool.on("error", () => undefined);
  const state = { begun: false };
  try {
    const client = await pool.connect();
    client.on("error", () => undefined);
    state.begun = true;
    try {
      return await withinTime(client, connection, name, signal, () =>
        transaction(client, connection, statement),
      );
    } finally {
      client.release(true);
    }
  } catch (error) {
    if (signal.aborted) throw new AtomsmithError("interrupted", "a statement was interrupted");
    throw error instanceof AtomsmithError ? error : failure(error, name, state.begun && connection.write);
  } finally {
    await pool.end();
  }
}

function account(
  { url, ...connection }: PostgresConnection,
  env: Env,
): { connectionString: string; password?: string } {
  const password = passwordOf(connection, env);
  return { connectionString: url, ...(password === undefined ? {} : { password }) };
}

/** Breaks the connection when the server does not keep its own limit, or the work is interrupted. */
async function withinTime<T>(
  client: PoolClient,
  { timeout_seconds }: PostgresConnection,
  name: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeout_seconds * 1000 + GRACE_MS)]);
  const end = (): void => {
    const message = `${name} did not answer within ${timeout_seconds} s`;
    reject(new AtomsmithError("provider", message, { where: name, retryable: false }));
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  };
  stop.addEventListener("abort", end, { once: true });
  if (stop.aborted) end();
  const done = work();
  // What the broken connection makes of it is told by `stopped`.
  done.catch(() => undefined);
  try {
    return await Promise.race([done, stopped]);
  } finally {
    stop.removeEventListener("abort", end);
  }
}

async function transaction(
  client: PoolClient,
  connection: PostgresConnection,
  statement: string,
): Promise<DataAnswer> {
  const { write, timeout_seconds } = connection;
  const ms = Math.ceil(timeout_seconds * 1000);
  await client.query(write ? "BEGIN" : "BEGIN READ ONLY");
  await client.query(`SET LOCAL statement_timeout = ${ms}; SET LOCAL lock_timeout = ${ms}`);
  // After the first query nothing can make the transaction one that writes.
  await client.query("SELECT 1");
  if (!write) {
    const answer = await rows(client, connection, statement);
    await client.query("ROLLBACK");
    return answer;
  }
  await client.query("SAVEPOINT before");
  const answer = await rows(client, connection, statement).catch(async (error: unknown) => {
    if (!isNoQuery(error)) throw error;
    await client.query("ROLLBACK TO SAVEPOINT before");
    return directly(client, connection, statement);
  });
  await client.query("COMMIT");
  return answer;
}

/** Only a query can stand inside of another one. The extended protocol takes one statement at a time. */
async function rows(client: PoolClient, limits: PostgresConnection, statement: string): Promise<DataAnswer> {
  const line = `left(row_to_json(q)::text, ${limits.max_bytes + 1})`;
  const text = `DECLARE answer NO SCROLL CURSOR FOR SELECT ${line} AS line FROM ${asQuery(statement)} AS q`;
  await client.query({ text, queryMode: "extended" } as { text: string });
  const answer = new AnswerLines({ maxRows: limits.max_rows, maxBytes: limits.max_bytes });
  for (;;) {
    const { rows: batch } = await client.query<{ line: string }>(`FETCH FORWARD ${BATCH} FROM answer`);
    if (!batch.every((row) => answer.add(row.line)) || batch.length < BATCH) break;
  }
  return { lines: answer.lines, more: answer.more, changed: null };
}

/** A statement that is no query. Its own rows (RETURNING) arrive all at once. */
async function directly(
  client: PoolClient,
  limits: PostgresConnection,
  statement: string,
): Promise<DataAnswer> {
  const result = await client.query<object>({ text: bareStatement(statement), queryMode: "extended" } as {
    text: string;
  });
  const answer = new AnswerLines({ maxRows: limits.max_rows, maxBytes: limits.max_bytes });
  for (const row of result.rows) if (!answer.add(JSON.stringify(row))) break;
  return { lines: answer.lines, more: answer.more, changed: result.rowCount ?? 0 };
}

/** The server's word for "this cannot stand inside of a query". */
function isNoQuery(error: unknown): boolean {
  return ["42601", "0A000"].includes(codeOf(error));
}

/** SQLSTATE, or the code of the system. */
function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? "");
}

function failure(error: unknown, name: string, mayHaveWritten: boolean): AtomsmithError {
  const code = codeOf(error);
  const said = error instanceof Error ? error.message.split("\n")[0] : String(error);
  // 28: the account; 3D: the database.
  if (/^(?:28|3D)/.test(code)) {
    return new AtomsmithError("config", `${name} refuses the connection: ${said}`, { where: name });
  }
  // 08: the connection; 53: resources; 57P: the server stops. Anything else with five signs is about the statement.
  if (/^[0-9A-Z]{5}$/.test(code) && !/^(?:08|53|57P)/.test(code)) {
    return new AtomsmithError("usage", `PostgreSQL refuses the statement: ${said} (${code})`, {
      where: name,
    });
  }
  return new AtomsmithError("provider", `${name} does not answer: ${said}`, {
    where: name,
    retryable: !mayHaveWritten,
    cause: error,
  });
}
