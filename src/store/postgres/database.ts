// The connection to a database: a pool, time limits, and the retries that a restart of the server needs. A statement may
// run twice when its answer was lost with the connection, so every statement given to `query` has to be idempotent.
import type { Pool, PoolClient } from "pg";
import { systemClock } from "../../core/clock.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { withRetries } from "../../core/retry.ts";
import { databaseLibraries } from "./driver.ts";
import { checkDatabaseUrl, databaseName } from "./url.ts";

const PATIENCE_MS = 60_000;
const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;
const BACKOFF = { firstMs: 40, longestMs: 1_000 };

export interface DatabaseOptions {
  /** Connections at once. */
  connections: number;
  /** Shown in pg_stat_activity. */
  application: string;
  /** See `Database.patience`. */
  patience?: number;
  /** Time of one statement at most, milliseconds; it is then sent again over another connection. */
  statementMs?: number;
}

/** Runs one statement in a transaction. */
export type Query = <R = Record<string, unknown>>(text: string, values?: unknown[]) => Promise<R[]>;

export class Database {
  readonly url: string;
  /** Without user and password. */
  readonly name: string;
  private readonly pool: Pool;
  /** How long the server may be away before a statement is given up, milliseconds. */
  patience: number;
  private readonly ended = new AbortController();

  private constructor(url: string, pool: Pool, patience: number) {
    this.url = url;
    this.name = databaseName(url);
    this.pool = pool;
    this.patience = patience;
  }

  /** Opens a pool; connects with the first statement. Throws kind `usage` for a text that is not a PostgreSQL URL. */
  static async open(url: string, options: DatabaseOptions): Promise<Database> {
    checkDatabaseUrl(url);
    const libraries = await databaseLibraries();
    const statementMs = options.statementMs ?? STATEMENT_MS;
    const pool = new libraries.Pool({
      connectionString: url,
      max: options.connections,
      application_name: options.application,
      connectionTimeoutMillis: CONNECT_MS,
      statement_timeout: statementMs,
      // A connection that a firewall forgot never breaks and never answers.
      query_timeout: statementMs + Math.min(5_000, statementMs / 2),
      idle_in_transaction_session_timeout: statementMs,
      keepAlive: true,
    });
    // An idle connection that the server closes: the next statement opens another one.
    pool.on("error", () => undefined);
    return new Database(url, pool, options.patience ?? PATIENCE_MS);
  }

  /** Runs one idempotent statement, again while the server is away. Throws kind `store`. */
  query<R = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> {
    return this.retried(async () => (await this.pool.query(text, values)).rows as R[]);
  }

  /** Like `query`, for a library that brings its own statements. */
  execute(text: string, values: unknown[] = []): Promise<{ rows: Record<string, unknown>[] }> {
    return this.retried(() => this.pool.query(text, values));
  }

  /** Runs several statements as one transaction, again as a whole while the server is away: `work` must be idempotent.
   * Throws kind `store`, and what `work` throws. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.retried(async () => {
      const client = await this.pool.connect();
      let broken: Error | undefined;
      // Without a listener an error between two statements would end the process.
      const onError = (error: Error): void => {
        broken = error;
      };
      client.on("error", onError);
      try {
        return await inTransaction(client, work);
      } catch (error) {
        if (!(error instanceof AtomsmithError))
          broken = error instanceof Error ? error : new Error(String(error));
        throw error;
      } finally {
        client.off("error", onError);
        client.release(broken);
      }
    });
  }

  /** Ends all waiting and closes the pool. */
  async close(): Promise<void> {
    this.ended.abort(
      new AtomsmithError("store", `the connection to ${this.name} was closed`, { where: this.name }),
    );
    await Promise.race([this.pool.end(), Bun.sleep(2_000)]);
  }

  private retried<T>(work: () => Promise<T>): Promise<T> {
    return withRetries(
      {
        maxRetries: Number.POSITIVE_INFINITY,
        clock: systemClock,
        random: Math.random,
        signal: this.ended.signal,
        deadline: systemClock.now() + this.patience,
        onRetry: () => undefined,
        backoff: BACKOFF,
      },
      async () => {
        this.ended.signal.throwIfAborted();
        try {
          return await work();
        } catch (error) {
          throw this.failure(error);
        }
      },
    );
  }

  private failure(error: unknown): unknown {
    if (error instanceof AtomsmithError) return error;
    const { code, message, file } = error as { code?: string; message?: string; file?: string };
    const retryable = isAway(code, message ?? "") || isRefusedWrite(code, file);
    return new AtomsmithError("store", `the database ${this.name} failed: ${message ?? String(error)}`, {
      where: this.name,
      retryable,
      hint: retryable
        ? "nothing stored is lost; see to it that the server runs and can be reached, and run the same command again"
        : (HINTS[code ?? ""] ?? "see the log of the server"),
      cause: error,
    });
  }
}

async function inTransaction<T>(client: PoolClient, work: (query: Query) => Promise<T>): Promise<T> {
  await client.query("BEGIN");
  try {
    const result = await work(async (text, values = []) => (await client.query(text, values)).rows);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // After an error of the database its connection is closed, which rolls back. A statement on a connection that a
    // firewall forgot would only wait a second time.
    if (error instanceof AtomsmithError) await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Errors that pass: a server that restarts, is full or lost the connection, and transactions that got in each other's
 * way. Codes: PostgreSQL, appendix A. */
function isAway(code: string | undefined, message: string): boolean {
  if (code === undefined) return /connection|timeout|terminated|closed/i.test(message);
  return (
    /^(08|53|57P|40001|40P01|55P03|58)/.test(code) ||
    [
      "ECONNREFUSED",
      "ECONNRESET",
      "EPIPE",
      "ETIMEDOUT",
      "EAI_AGAIN",
      "ENETUNREACH",
      "EHOSTUNREACH",
      "57014",
    ].includes(code)
  );
}

/** A full disk is 53100; a quota or a limit of file sizes has no specific code, but the storage manager reports it. */
function isRefusedWrite(code: string | undefined, file: string | undefined): boolean {
  return code === "XX000" && (file === "md.c" || file === "fd.c");
}

const HINTS: Record<string, string> = {
  "28P01": "the user or password of the URL is wrong; the password can be in PGPASSWORD",
  "28000": "the server does not let this user in",
  "3D000": "create the database first",
  "42501":
    "the user needs the right to create schemas in this database (or an administrator runs `worker` once)",
  ENOTFOUND: "the host of the URL is unknown",
};
