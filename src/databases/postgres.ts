// Runs one statement on a PostgreSQL server: one connection, one transaction, read-only unless the connection allows
// writing. Rows are read with a cursor, so that no more than the limit are transferred.
import type { PoolClient } from "pg";
import { AtomsmithError } from "../core/errors.ts";
import { databaseLibraries } from "../store/postgres/driver.ts";
import { databaseName } from "../store/postgres/url.ts";
import { AnswerLines, asQuery, bareStatement, type DataAnswer } from "./answer.ts";
import { type Env, type PostgresConnection, passwordOf } from "./connection.ts";

const CONNECT_MS = 10_000;
/** Time beyond the server's own limit, after which the connection is closed. */
const GRACE_MS = 5_000;
const BATCH = 50;

/** The columns of all tables and views that the account may read. */
export const POSTGRES_SCHEMA = `SELECT table_schema AS schema, table_name AS "table", column_name AS "column", data_type AS type, is_nullable AS nullable
FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
ORDER BY table_schema, table_name, ordinal_position`;

/** Runs one statement. Throws kind `usage` for a statement that the server rejects, kind `config` when the server rejects
 * the account, kind `provider` when it does not answer, and kind `interrupted`. */
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
  const state = { started: false };
  try {
    const client = await pool.connect();
    client.on("error", () => undefined);
    state.started = true;
    try {
      return await withinTime(client, connection, name, signal, () =>
        transaction(client, connection, statement),
      );
    } finally {
      client.release(true);
    }
  } catch (error) {
    if (signal.aborted) throw new AtomsmithError("interrupted", "a statement was interrupted");
    throw error instanceof AtomsmithError ? error : failure(error, name, state.started && connection.write);
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

/** Closes the connection when the server exceeds its own limit, or the work is interrupted. */
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
  // After the connection was closed, `stopped` has the error.
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
  // After the first query, the access mode of the transaction can no longer be changed.
  await client.query("SELECT 1");
  if (!write) {
    const answer = await runQuery(client, connection, statement);
    await client.query("ROLLBACK");
    return answer;
  }
  await client.query("SAVEPOINT before");
  const answer = await runQuery(client, connection, statement).catch(async (error: unknown) => {
    if (!isNotQuery(error)) throw error;
    await client.query("ROLLBACK TO SAVEPOINT before");
    return runDirectly(client, connection, statement);
  });
  await client.query("COMMIT");
  return answer;
}

/** Runs the statement as a subquery, which only a query can be. The extended protocol accepts one statement at a time. */
async function runQuery(
  client: PoolClient,
  limits: PostgresConnection,
  statement: string,
): Promise<DataAnswer> {
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

/** Runs a statement that is not a query. Its rows (RETURNING) arrive all at once. */
async function runDirectly(
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

/** Whether the server rejected the statement as a subquery. */
function isNotQuery(error: unknown): boolean {
  return ["42601", "0A000"].includes(codeOf(error));
}

/** The SQLSTATE, or the code of the system. */
function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | undefined)?.code ?? "");
}

function failure(error: unknown, name: string, mayHaveWritten: boolean): AtomsmithError {
  const code = codeOf(error);
  const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
  // 28: the account; 3D: the database.
  if (/^(?:28|3D)/.test(code)) {
    return new AtomsmithError("config", `${name} rejected the connection: ${reason}`, { where: name });
  }
  // 08: the connection; 53: resources; 57P: the server stops. Any other SQLSTATE is about the statement.
  if (/^[0-9A-Z]{5}$/.test(code) && !/^(?:08|53|57P)/.test(code)) {
    return new AtomsmithError("usage", `PostgreSQL rejected the statement: ${reason} (${code})`, {
      where: name,
    });
  }
  return new AtomsmithError("provider", `${name} does not answer: ${reason}`, {
    where: name,
    retryable: !mayHaveWritten,
    cause: error,
  });
}
