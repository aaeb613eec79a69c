// One Cypher statement on a Neo4j server by its official driver: one session, one transaction, read-only unless the
// connection says otherwise; records are taken one by one up to the limits.
import { join } from "node:path";
import { loadScript } from "../../core/embedded-script.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { AnswerLines, bareStatement, type DataAnswer } from "../answer.ts";
import { type Env, type Neo4jConnection, passwordOf } from "../connection.ts";
import type * as libraries from "./libraries.ts";
import { type Driver, recordLine } from "./values.ts";

const CONNECT_MS = 10_000;
const GRACE_MS = 5_000;
/** Records that the server sends at once. */
const FETCH_SIZE = 100;

/** What tells of the labels, relationships and properties of a database. */
export const NEO4J_SCHEMA = [
  "CALL db.schema.nodeTypeProperties()",
  "CALL db.schema.relTypeProperties()",
  "CALL db.schema.visualization()",
];

type Session = ReturnType<ReturnType<Driver["driver"]>["session"]>;
type Transaction = Awaited<ReturnType<Session["beginTransaction"]>>;

/** Runs one statement. Throws kind `usage` for one that the server refuses or that would change something, kind `config`
 * for a server that refuses the account, kind `provider` for one that does not answer, and
 * kind `interrupted`. */
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
  const state = { begun: false };
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
    throw error instanceof AtomsmithError ? error : failure(error, connection, state.begun && write);
  } finally {
    stop.removeEventListener("abort", end);
    // Ends the transaction with the connection; what is under way may take its time.
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
  state: { begun: boolean },
): Promise<DataAnswer> {
  const { write, max_rows, max_bytes, timeout_seconds } = connection;
  const begun = await session.beginTransaction({ timeout: Math.ceil(timeout_seconds * 1000) });
  state.begun = true;
  if (!write) await throwUnlessReading(begun, text);
  const answer = new AnswerLines({ maxRows: max_rows, maxBytes: max_bytes });
  const result = begun.run(text);
  for await (const record of result) if (!answer.add(recordLine(neo4j, record))) break;
  const { counters } = await result.summary();
  if (!write) {
    await begun.rollback();
    return { lines: answer.lines, more: answer.more, changed: null };
  }
  await begun.commit();
  const changed = Object.values(counters.updates()).reduce((sum, count) => sum + count, 0);
  return { lines: answer.lines, more: answer.more, changed };
}

/** The server says what kind a statement is without running it. It also keeps to the access mode of the session; this
 * does not depend on that. */
async function throwUnlessReading(begun: Transaction, text: string): Promise<void> {
  const { queryType } = (await begun.run(`EXPLAIN ${text}`)).summary;
  if (queryType === "r") return;
  throw new AtomsmithError("usage", "the statement would change something, and this connection only reads");
}

function failure(error: unknown, { url }: Neo4jConnection, mayHaveWritten: boolean): AtomsmithError {
  const code = String((error as { code?: unknown } | undefined)?.code ?? "");
  const said = error instanceof Error ? error.message.split("\n")[0] : String(error);
  if (/^Neo\.ClientError\.(?:Security|Database)\./.test(code)) {
    return new AtomsmithError("config", `${url} refuses the connection: ${said}`, { where: url });
  }
  if (/^Neo\.ClientError\./.test(code))
    return new AtomsmithError("usage", `Neo4j refuses the statement: ${said} (${code})`);
  // The driver knows what may pass; another protocol at that address does not.
  const mayPass = (error as { retriable?: unknown } | undefined)?.retriable === true;
  return new AtomsmithError("provider", `${url} does not answer: ${said}`, {
    where: url,
    retryable: mayPass && !mayHaveWritten,
    cause: error,
  });
}
