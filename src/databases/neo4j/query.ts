// Runs one Cypher statement on a Neo4j server with the official driver: one session, one transaction, read-only unless the
// connection allows writing. Records are read one by one up to the limits.
import { join } from "node:path";
import { loadScript } from "../../core/embedded-script.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { AnswerLines, bareStatement, type DataAnswer } from "../answer.ts";
import { type Env, type Neo4jConnection, passwordOf } from "../connection.ts";
import type * as libraries from "./libraries.ts";
import { type Driver, recordLine } from "./values.ts";

const CONNECT_MS = 10_000;
const GRACE_MS = 5_000;
/** Records per batch from the server. */
const FETCH_SIZE = 100;

/** Statements that describe labels, relationships and properties of a database. */
export const NEO4J_SCHEMA = [
  "CALL db.schema.nodeTypeProperties()",
  "CALL db.schema.relTypeProperties()",
  "CALL db.schema.visualization()",
];

type Session = ReturnType<ReturnType<Driver["driver"]>["session"]>;
type Transaction = Awaited<ReturnType<Session["beginTransaction"]>>;

/** Runs one statement. Throws kind `usage` for a statement that the server rejects or that is not read-only, kind `config`
 * when the server rejects the account, kind `provider` when it does not answer, and kind `interrupted`. */
export async function queryNeo4j(
  connection: Neo4jConnection,
  statement: string,
  env: Env,
  signal: AbortSignal,
): Promise<DataAnswer> {
  const text = bareStatement(statement);
  if (text === "") throw new AtomsmithError("usage", "the statement is empty");
  const { neo4j } = await loadScript<typeof libraries>(
    "neo4j",
    join(import.meta.dirname, ["libraries", "ts"].join(".")),
  );
  const driver = openDriver(neo4j, connection, passwordOf(connection, env));
  const { write, database, timeout_seconds, max_rows } = connection;
  const state = { started: false };
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeout_seconds * 1000 + CONNECT_MS + GRACE_MS)]);
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const end = (): void =>
    reject(
      new AtomsmithError("provider", `${connection.url} did not answer in time`, { where: connection.url }),
    );
  stop.addEventListener("abort", end, { once: true });
  const session = driver.session({
    defaultAccessMode: write ? neo4j.session.WRITE : neo4j.session.READ,
    fetchSize: Math.min(FETCH_SIZE, max_rows + 1),
    ...(database === undefined ? {} : { database }),
  });
  try {
    if (stop.aborted) end();
    const work = transaction(neo4j, session, connection, text, state);
    work.catch(() => undefined);
    return await Promise.race([work, stopped]);
  } catch (error) {
    if (signal.aborted) throw new AtomsmithError("interrupted", "a statement was interrupted");
    throw error instanceof AtomsmithError ? error : failure(error, connection, state.started && write);
  } finally {
    stop.removeEventListener("abort", end);
    // Closing the connection ends the transaction; do not wait for it.
    void driver.close().catch(() => undefined);
  }
}

function openDriver(neo4j: Driver, connection: Neo4jConnection, password: string | undefined) {
  const { url, user, timeout_seconds } = connection;
  const waitMs = Math.min(CONNECT_MS, timeout_seconds * 1000);
  const none = { scheme: "none", principal: "", credentials: "" };
  return neo4j.driver(
    url,
    password === undefined ? none : (neo4j.auth.basic(user, password) as typeof none),
    {
      connectionTimeout: waitMs,
      connectionAcquisitionTimeout: waitMs,
      maxConnectionPoolSize: 1,
      maxTransactionRetryTime: 0,
      userAgent: "atomsmith-agent",
      telemetryDisabled: true,
    },
  );
}

async function transaction(
  neo4j: Driver,
  session: Session,
  connection: Neo4jConnection,
  text: string,
  state: { started: boolean },
): Promise<DataAnswer> {
  const { write, max_rows, max_bytes, timeout_seconds } = connection;
  const tx = await session.beginTransaction({ timeout: Math.ceil(timeout_seconds * 1000) });
  state.started = true;
  if (!write) await checkReadOnly(tx, text);
  const answer = new AnswerLines({ maxRows: max_rows, maxBytes: max_bytes });
  const result = tx.run(text);
  for await (const record of result) if (!answer.add(recordLine(neo4j, record))) break;
  const { counters } = await result.summary();
  if (!write) {
    await tx.rollback();
    return { lines: answer.lines, more: answer.more, changed: null };
  }
  await tx.commit();
  const changed = Object.values(counters.updates()).reduce((sum, count) => sum + count, 0);
  return { lines: answer.lines, more: answer.more, changed };
}

/** Throws for a statement that is not read-only, by its type from EXPLAIN. The server also enforces the access mode of the
 * session; this check does not rely on it. */
async function checkReadOnly(tx: Transaction, text: string): Promise<void> {
  const { queryType } = (await tx.run(`EXPLAIN ${text}`)).summary;
  if (queryType === "r") return;
  throw new AtomsmithError("usage", "the statement is not read-only, but this connection is");
}

function failure(error: unknown, { url }: Neo4jConnection, mayHaveWritten: boolean): AtomsmithError {
  const code = String((error as { code?: unknown } | undefined)?.code ?? "");
  const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
  if (/^Neo\.ClientError\.(?:Security|Database)\./.test(code)) {
    return new AtomsmithError("config", `${url} rejected the connection: ${reason}`, { where: url });
  }
  if (/^Neo\.ClientError\./.test(code))
    return new AtomsmithError("usage", `Neo4j rejected the statement: ${reason} (${code})`);
  // Only the driver knows which errors are transient; another protocol at that address is not one.
  const isTransient = (error as { retriable?: unknown } | undefined)?.retriable === true;
  return new AtomsmithError("provider", `${url} does not answer: ${reason}`, {
    where: url,
    retryable: isTransient && !mayHaveWritten,
    cause: error,
  });
}
