// The queue: pg-boss on the fleet's database. Claims, heartbeats, retries and completions are those of pg-boss,
// fenced by job and attempt; submissions and results are in the tables of `atomsmith`, so that one transaction
// completes a job and stores its result.
import type { PgBoss } from "pg-boss";
import { EXIT } from "../core/errors.ts";
import type { Lease } from "../store/index.ts";
import { Database, type Query } from "../store/postgres/database.ts";
import { databaseLibraries } from "../store/postgres/driver.ts";
import { migrate } from "../store/postgres/migrations.ts";
import { type ClaimedJob, envelopeSchema, JOB_KINDS, type JobKind } from "./types.ts";

/** Separate schema for pg-boss: a team may use another version of it in the same database. */
export const BOSS_SCHEMA = "atomsmith_queue";

/** SQL expression: the error of the last attempt in a row of pg-boss. */
const MESSAGE = "coalesce(boss.output->>'message', boss.output->'value'->>'message', 'failed')";

/** A worker without heartbeats for this long loses its jobs, seconds; the minimum of pg-boss. */
const HEARTBEAT_SECONDS = 10;
/** Only missing heartbeats end a job, apart from its own limits. pg-boss requires a value below a day. */
const EXPIRE_SECONDS = 86_000;
/** Tolerated unavailability of the server, milliseconds: at the start of a command, and later. */
const CONNECT_MS = 5_000;
const PATIENCE_MS = 60_000;
const KEEP_SECONDS = 14 * 86_400;
/** Timeout of a heartbeat's statement: two of them, over different connections, end before the lease does. */
const PULSE_MS = 2_500;

export interface QueueOptions {
  application: string;
  connections: number;
  /** Requeues lapsed jobs of the whole fleet. */
  supervise?: boolean;
  /** Milliseconds to wait for a server that does not respond yet. */
  connectMs?: number;
  /** Attempts of a job submitted here before it counts as dead. */
  maxAttempts: number;
  warn(message: string): void;
}

export class Queue {
  readonly db: Database;
  /** Connection used only for heartbeats, so that they never wait. */
  readonly pulse: Database;
  private readonly boss: PgBoss;

  private readonly maxAttempts: number;

  private constructor(db: Database, pulse: Database, boss: PgBoss, maxAttempts: number) {
    this.db = db;
    this.pulse = pulse;
    this.boss = boss;
    this.maxAttempts = maxAttempts;
  }

  /** Connects, and brings the tables up to date. Throws kind `store` when the database cannot be used. */
  static async open(url: string, options: QueueOptions): Promise<Queue> {
    const { application, connections, connectMs } = options;
    const db = await Database.open(url, { application, connections, patience: connectMs ?? CONNECT_MS });
    try {
      await migrate(db);
      const { PgBoss } = await databaseLibraries();
      const boss = new PgBoss({
        schema: BOSS_SCHEMA,
        db: { executeSql: (text, values) => db.execute(text, values) },
        supervise: options.supervise === true,
        // Both intervals control the search for lapsed jobs; the default is once a minute.
        superviseIntervalSeconds: 1,
        monitorIntervalSeconds: 2,
        maintenanceIntervalSeconds: 3_600,
        schedule: false,
      });
      boss.on("error", (error) => options.warn(`queue: ${error.message}`));
      await install(db, async () => {
        await boss.start();
        for (const kind of JOB_KINDS) await declare(boss, kind);
      });
      db.patience = PATIENCE_MS;
      const pulse = await Database.open(url, { application, connections: 1, statementMs: PULSE_MS });
      return new Queue(db, pulse, boss, options.maxAttempts);
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.race([this.boss.stop({ graceful: false, close: false }), Bun.sleep(2_000)]).catch(
      () => undefined,
    );
    await Promise.all([this.db.close(), this.pulse.close()]);
  }

  /** Enqueues jobs within a transaction. */
  async enqueue(query: Query, kind: JobKind, submission: string, ids: readonly string[]): Promise<void> {
    const retryLimit = this.maxAttempts - 1;
    const jobs = ids.map((id) => ({ id, data: { submission }, group: { id: submission }, retryLimit }));
    if (jobs.length > 0) await this.boss.insert(kind, jobs, { db: connection(query) });
  }

  /** Claims up to `count` jobs for a worker, excluding the given submissions. One transaction, so that a lost connection
   * leaves no job claimed by a worker that does not know of it. */
  claim(kind: JobKind, count: number, excluded: readonly string[], worker: string): Promise<ClaimedJob[]> {
    return this.db.transaction(async (query) => {
      const fetched = await this.boss.fetch(kind, {
        batchSize: count,
        includeMetadata: true,
        db: connection(query),
        ...(excluded.length === 0 ? {} : { ignoreGroups: [...excluded] }),
      });
      if (fetched.length === 0) return [];
      const rows = await query<ClaimedRow>(
        `UPDATE atomsmith.job AS job SET worker = $2 FROM atomsmith.submission AS s
         WHERE job.id = ANY($1) AND job.state = 'open' AND s.id = job.submission
         RETURNING job.id, subject, payload, stopped, stopped_exit,
           coalesce(cost_usd >= max_cost_usd, false) OR coalesce(tokens >= max_tokens, false) AS used_up`,
        [fetched.map((job) => job.id), worker],
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      const claimed: ClaimedJob[] = [];
      for (const { id, retryCount, data } of fetched) {
        const row = byId.get(id);
        if (row === undefined) {
          // Cancelled, or finished by an attempt whose completion was not confirmed.
          await this.boss.complete(kind, { id, retryCount }, null, { db: connection(query) });
          continue;
        }
        const { submission } = envelopeSchema.parse(data);
        const { subject, payload } = row;
        claimed.push({ id, kind, attempt: retryCount, submission, subject, payload, ...stopOf(row) });
      }
      return claimed;
    });
  }

  /** Renews the leases of attempts. Returns the ids of those still owned by this worker. */
  async touch(kind: JobKind, jobs: readonly ClaimedJob[]): Promise<ReadonlySet<string>> {
    if (jobs.length === 0) return new Set();
    await this.boss.touch(
      kind,
      jobs.map(({ id, attempt }) => ({ id, retryCount: attempt })),
      { db: { executeSql: (text, values) => this.pulse.execute(text, values) } },
    );
    const rows = await this.pulse.query<{ id: string; retry_count: number }>(
      `SELECT id, retry_count FROM ${BOSS_SCHEMA}.job WHERE name = $1 AND id = ANY($2) AND state = 'active'`,
      [kind, jobs.map((job) => job.id)],
    );
    const attempts = new Map(rows.map((row) => [row.id, row.retry_count]));
    return new Set(jobs.filter((job) => attempts.get(job.id) === job.attempt).map((job) => job.id));
  }

  /** Completes a job and stores its result, in one transaction with the writes of `store`. False, without storing
   * anything, when the attempt lost the job. */
  async complete(
    job: ClaimedJob,
    worker: string,
    result: string,
    store: (query: Query) => Promise<void> = async () => undefined,
  ): Promise<boolean> {
    return this.db.transaction(async (query) => {
      const [row] = await query<{ state: string; attempt: number | null; worker: string | null }>(
        "SELECT state, attempt, worker FROM atomsmith.job WHERE id = $1 FOR UPDATE",
        [job.id],
      );
      // Repetition of a commit whose answer was lost.
      if (row?.state === "done" && row.attempt === job.attempt && row.worker === worker) return true;
      if (row?.state !== "open" || !(await this.isActive(query, job))) return false;
      await store(query);
      await query(
        "UPDATE atomsmith.job SET state = 'done', result = $2, worker = $3, attempt = $4, ended_at = clock_timestamp() WHERE id = $1",
        [job.id, result, worker, job.attempt],
      );
      await this.boss.complete(job.kind, attemptOf(job), null, { db: connection(query) });
      return true;
    });
  }

  /** Records a failed attempt: the job is retried, or is dead after its last attempt. */
  async fail(job: ClaimedJob, worker: string, reason: string): Promise<void> {
    await this.db.transaction(async (query) => {
      if (!(await this.isActive(query, job))) return;
      await query(
        "UPDATE atomsmith.job SET worker = $2, reason = $3, failed = failed + 1 WHERE id = $1 AND state = 'open'",
        [job.id, worker, reason],
      );
      await this.boss.fail(job.kind, attemptOf(job), { message: reason }, { db: connection(query) });
    });
  }

  /** Returns a job that this worker cannot run or must stop; not counted as an attempt.
   * @param delaySeconds before the job can be claimed again */
  async handBack(job: ClaimedJob, worker: string, reason: string, delaySeconds: number): Promise<void> {
    await this.recordReason(job, worker, reason);
    await this.db.query(
      `WITH back AS (
         UPDATE ${BOSS_SCHEMA}.job SET state = 'retry', retry_limit = retry_limit + 1, heartbeat_on = NULL,
           start_after = ${BOSS_SCHEMA}.job_now() + $4 * interval '1 second'
         WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3 RETURNING id)
       UPDATE atomsmith.job AS job SET handed_back = handed_back + 1 FROM back WHERE job.id = back.id`,
      [job.kind, job.id, job.attempt, delaySeconds],
    );
  }

  /** Marks jobs dead that used all attempts. Returns their number. */
  async markDead(): Promise<number> {
    const rows = await this.pulse.query(
      `UPDATE atomsmith.job AS job SET state = 'dead', ended_at = clock_timestamp(), attempt = boss.retry_count,
         reason = ${MESSAGE} || ' (attempt ' || boss.retry_count + 1 - job.handed_back || ')'
           || coalesce('; ' || nullif(job.reason, ${MESSAGE}), '')
       FROM ${BOSS_SCHEMA}.job AS boss
       WHERE boss.id = job.id AND boss.name = job.kind AND boss.state = 'failed' AND job.state = 'open'
       RETURNING job.id`,
    );
    return rows.length;
  }

  /** Cancels open and dead jobs. A running job is stopped at its worker's next heartbeat. Returns the number of
   * cancelled jobs. */
  async cancel(ids: readonly string[], reason: string): Promise<number> {
    return this.db.transaction(async (query) => {
      const rows = await query<{ id: string; kind: JobKind }>(
        `UPDATE atomsmith.job SET state = 'cancelled', ended_at = clock_timestamp(),
           reason = $2 || CASE WHEN state = 'dead' THEN coalesce('; ' || reason, '') ELSE '' END
         WHERE id = ANY($1) AND state IN ('open', 'dead') RETURNING id, kind`,
        [[...ids], reason],
      );
      for (const kind of JOB_KINDS) {
        const own = rows.filter((row) => row.kind === kind).map((row) => row.id);
        if (own.length > 0) await this.boss.cancel(kind, own, { db: connection(query) });
      }
      return rows.length;
    });
  }

  /** Gives dead and cancelled jobs new attempts. Returns their number. */
  async retry(ids: readonly string[]): Promise<number> {
    return this.db.transaction(async (query) => {
      const rows = await query<{ id: string; kind: JobKind }>(
        `UPDATE atomsmith.job SET state = 'open', reason = NULL, ended_at = NULL, collected = false
         WHERE id = ANY($1) AND state IN ('dead', 'cancelled') RETURNING id, kind`,
        [[...ids]],
      );
      for (const { id, kind } of rows) {
        await query(
          `UPDATE ${BOSS_SCHEMA}.job SET state = 'retry', retry_limit = retry_count + retry_limit + 1, completed_on = NULL,
             start_after = ${BOSS_SCHEMA}.job_now() WHERE name = $1 AND id = $2 AND state IN ('failed', 'cancelled')`,
          [kind, id],
        );
      }
      return rows.length;
    });
  }

  /** Claims are slow after a bulk insert until the planner knows the sizes. */
  async analyze(): Promise<void> {
    await this.db.query(`ANALYZE ${BOSS_SCHEMA}.job`).catch(() => undefined); // permitted only to the owner of the table
  }

  private async isActive(query: Query, job: ClaimedJob): Promise<boolean> {
    const rows = await query(
      `SELECT 1 FROM ${BOSS_SCHEMA}.job WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3 FOR UPDATE`,
      [job.kind, job.id, job.attempt],
    );
    return rows.length > 0;
  }

  private async recordReason(job: ClaimedJob, worker: string, reason: string): Promise<void> {
    await this.db.query(
      "UPDATE atomsmith.job SET worker = $2, reason = $3 WHERE id = $1 AND state = 'open'",
      [job.id, worker, reason],
    );
  }
}

interface ClaimedRow extends Pick<ClaimedJob, "id" | "subject" | "payload">, Record<string, unknown> {
  stopped: string | null;
  stopped_exit: number | null;
  used_up: boolean;
}

function stopOf({ stopped, stopped_exit, used_up }: ClaimedRow): Pick<ClaimedJob, "stopped"> {
  if (stopped !== null) return { stopped: { reason: stopped, exit: stopped_exit } };
  return used_up ? { stopped: { reason: "the budget is exhausted", exit: EXIT.budget } } : {};
}

/** Arbitrary constant key of the advisory lock. */
const INSTALL_LOCK = 7_160_231_482;

/** Starts pg-boss; creates its tables under a lock if they are missing. */
async function install(db: Database, start: () => Promise<void>): Promise<void> {
  const [table] = await db.query<{ name: string | null }>(
    `SELECT to_regclass('${BOSS_SCHEMA}.queue')::text AS name`,
  );
  if (table?.name != null) return start();
  await db.transaction(async (query) => {
    await query("SELECT pg_advisory_xact_lock($1)", [INSTALL_LOCK]);
    await start();
  });
}

/** The lease of a claimed job for its store. */
export function leaseOf(job: ClaimedJob): Lease {
  return { job: job.id, attempt: job.attempt };
}

async function declare(boss: PgBoss, kind: JobKind): Promise<void> {
  if ((await boss.getQueue(kind)) !== null) return;
  await boss.createQueue(kind, {
    policy: "standard",
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 10,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    expireInSeconds: EXPIRE_SECONDS,
    retentionSeconds: KEEP_SECONDS,
    deleteAfterSeconds: KEEP_SECONDS,
  });
}

function attemptOf({ id, attempt }: ClaimedJob): { id: string; retryCount: number } {
  return { id, retryCount: attempt };
}

/** Runs statements of pg-boss within our transaction. */
function connection(query: Query): {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
} {
  return { executeSql: async (text, values) => ({ rows: await query(text, values) }) };
}
