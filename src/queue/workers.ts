// Rows of the workers of a fleet: capabilities, current load, and drain requests.
import type { WorkerRow } from "../contract/queue.ts";
import type { Database } from "../store/postgres/database.ts";
import type { Queue } from "./queue.ts";

/** A worker without heartbeats for this long is not listed, seconds. */
const LISTED_SECONDS = 30;

export interface WorkerFacts {
  id: string;
  host: string;
  version: string;
  kinds: readonly string[];
  roots: readonly string[];
  concurrency: number;
}

/** Sends a heartbeat and renews the worker's call slots. Returns whether the worker was asked to drain. */
export async function sendHeartbeat(
  queue: Queue,
  facts: WorkerFacts,
  now: { running: number; done: number; refused: string | null },
): Promise<boolean> {
  const [row] = await queue.pulse.query<{ drain: boolean }>(
    `WITH kept AS (
       UPDATE atomsmith.call SET until = clock_timestamp() + interval '60 seconds'
       WHERE worker = $1 AND until > clock_timestamp())
     INSERT INTO atomsmith.worker AS worker (id, host, pid, version, kinds, roots, concurrency, running, done, refused)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (id) DO UPDATE SET running = $8, done = $9, refused = $10, seen_at = clock_timestamp()
     RETURNING drain`,
    [
      facts.id,
      facts.host,
      process.pid,
      facts.version,
      facts.kinds.join(","),
      facts.roots.join(","),
      facts.concurrency,
      now.running,
      now.done,
      now.refused,
    ],
  );
  return row?.drain === true;
}

/** Removes the worker, and others without heartbeats for an hour. */
export async function removeWorker(queue: Queue, id: string): Promise<void> {
  await queue.db.query(
    "DELETE FROM atomsmith.worker WHERE id = $1 OR seen_at < clock_timestamp() - interval '1 hour'",
    [id],
  );
}

/** The live workers. */
export function listWorkers(db: Database): Promise<WorkerRow[]> {
  return db.query<WorkerRow>(
    `SELECT id, host, pid, version, kinds, roots, concurrency, running, done::int, refused, drain,
       to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS started_at,
       extract(epoch FROM clock_timestamp() - seen_at)::int AS silent_seconds
     FROM atomsmith.worker WHERE seen_at > clock_timestamp() - $1 * interval '1 second' ORDER BY id`,
    [LISTED_SECONDS],
  );
}

/** Asks one worker or all to finish their jobs and exit. Returns their ids. */
export async function drainWorkers(queue: Queue, id: string | undefined): Promise<string[]> {
  const rows = await queue.db.query<{ id: string }>(
    `UPDATE atomsmith.worker SET drain = true
     WHERE ($1::text IS NULL OR id = $1) AND seen_at > clock_timestamp() - $2 * interval '1 second' RETURNING id`,
    [id ?? null, LISTED_SECONDS],
  );
  return rows.map((row) => row.id);
}
