// The connection to a database: a pool, time limits, and retries while the server restarts. A statement may run twice when
// its answer is lost with the connection, so every statement passed to `query` must be idempotent.
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
  /** Maximum number of connections. */
  connections: number;
  /** Shown in pg_stat_activity. */
  application: string;
  /** See `Database.patience`. */
  patience?: number;
  /** Maximum time of one statement, milliseconds; it is then sent again over another connection. */
  statementMs?: number;
}

/** Runs one statement in a transaction. */
export type Query = <R = Record<string, unknown>>(text: string, values?: unknown[]) => Promise<R[]>;

export class Database {
  readonly url: string;
  /** Without user and password. */
  readonly name: string;
  private readonly pool: Pool;
  /** Maximum time that the server may be unavailable before a statement fails, milliseconds. */
  patience: number;
  private readonly ended = new AbortController();

  private constructor(url: string, pool: Pool, patience: number) {
    this.url = url;
    this.name = databaseName(url);
    this.pool = pool;
    this.patience = patience;
  }

  /** Opens a pool, which connects for the first statement. Throws kind `usage` for a text that is not a PostgreSQL URL. */
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
      // A connection dropped by a firewall neither fails nor answers.
      query_timeout: statementMs + Math.min(5_000, statementMs / 2),
      idle_in_transaction_session_timeout: statementMs,
      keepAlive: true,
    });
    // The server closed an idle connection; the next statement opens another one.
    pool.on("error", () => undefined);
    return new Database(url, pool, options.patience ?? PATIENCE_MS);
  }

  /** Runs one idempotent statement; retries while the server is unavailable. Throws kind `store`. */
  query<R = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<R[]> {
    return this.retried(async () => (await this.pool.query(text, values)).rows as R[]);
  }

  /** Like `query`, for the statements of a library. */
  execute(text: string, values: unknown[] = []): Promise<{ rows: Record<string, unknown>[] }> {
    return this.retried(() => this.pool.query(text, values));
  }

  /** Runs several statements as one transaction; retries it as a whole while the server is unavailable, so `work` must be
   * idempotent. Throws kind `store`, and the errors of `work`. */
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

  /** Cancels all waiting statements and closes the pool. */
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
    const retryable = isTransient(code, message ?? "") || isStorageFull(code, file);
    return new AtomsmithError("store", `the database ${this.name} failed: ${message ?? String(error)}`, {
      where: this.name,
      retryable,
      hint: retryable
        ? "nothing stored is lost; make sure that the server is running and reachable, and run the same command again"
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
    // After an error of the database its connection is closed, which rolls back. Another statement on a dropped connection
    // would only wait again.
    if (error instanceof AtomsmithError) await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

/** Transient errors: the server restarts, has no resources or lost the connection, or transactions conflict. Codes:
 * PostgreSQL documentation, appendix A. */
function isTransient(code: string | undefined, message: string): boolean {
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

/** Errors of a disk quota or file size limit: they have no specific code (a full disk is 53100), but come from the storage
 * manager. */
function isStorageFull(code: string | undefined, file: string | undefined): boolean {
  return code === "XX000" && (file === "md.c" || file === "fd.c");
}

const HINTS: Record<string, string> = {
  "28P01": "the user or password of the URL is wrong; the password can be in PGPASSWORD",
  "28000": "the server does not allow this user to connect",
  "3D000": "create the database first",
  "42501":
    "the user needs the privilege to create schemas in this database, or an administrator must run `worker` once",
  ENOTFOUND: "the host of the URL is unknown",
};
