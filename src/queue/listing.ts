// Lists the jobs of the queue.
import type { QueuedJob } from "../contract/queue.ts";
import { AtomsmithError } from "../core/errors.ts";
import type { Database } from "../store/postgres/database.ts";
import { BOSS_SCHEMA } from "./queue.ts";

const COLUMNS = `job.id, job.kind, job.project, job.subject,
  CASE WHEN job.state <> 'open' THEN job.state WHEN boss.state = 'active' THEN 'running' ELSE 'waiting' END AS state,
  coalesce(boss.retry_count, job.attempt, 0) - job.handed_back + CASE WHEN boss.started_on IS NULL AND job.attempt IS NULL THEN 0 ELSE 1 END AS attempts,
  job.worker, job.reason,
  to_char(job.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at,
  to_char(job.ended_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS ended_at`;
const FROM = `FROM atomsmith.job AS job LEFT JOIN ${BOSS_SCHEMA}.job AS boss ON boss.id = job.id AND boss.name = job.kind`;

export interface Filter {
  kinds: readonly string[];
  states: readonly string[];
  project?: string;
  limit: number;
}

/** Jobs, newest first, and the number of jobs in each state. */
export async function listJobs(
  db: Database,
  { kinds, states, project, limit }: Filter,
): Promise<{ jobs: QueuedJob[]; totals: Record<string, number> }> {
  const jobs = await db.query<QueuedJob & Record<string, unknown>>(
    `SELECT * FROM (SELECT ${COLUMNS} ${FROM}
       WHERE (cardinality($1::text[]) = 0 OR job.kind = ANY($1)) AND ($3::text IS NULL OR job.project = $3)) AS listed
     WHERE cardinality($2::text[]) = 0 OR state = ANY($2) ORDER BY at DESC, subject LIMIT $4`,
    [[...kinds], [...states], project ?? null, limit],
  );
  const totals = await db.query<{ state: string; jobs: number }>(
    `SELECT state, count(*)::int AS jobs FROM (SELECT ${COLUMNS} ${FROM}
       WHERE (cardinality($1::text[]) = 0 OR job.kind = ANY($1)) AND ($2::text IS NULL OR job.project = $2)) AS listed
     GROUP BY state`,
    [[...kinds], project ?? null],
  );
  return { jobs, totals: Object.fromEntries(totals.map((row) => [row.state, row.jobs])) };
}

/** Finds one job by its subject, its id, or a prefix of the id. Throws kind `usage` when none or several match. */
export async function findJob(db: Database, id: string): Promise<QueuedJob> {
  const jobs = await db.query<QueuedJob & Record<string, unknown>>(
    `SELECT ${COLUMNS} ${FROM} WHERE starts_with(job.id::text, $1) OR job.subject = $1 ORDER BY job.at DESC LIMIT 2`,
    [id],
  );
  const [first, second] = jobs;
  if (first === undefined) {
    throw new AtomsmithError("usage", `no job ${id}`, {
      where: id,
      hint: "list the jobs with: atomsmith queue ls",
    });
  }
  if (second !== undefined && !(first.subject === id && second.subject === id)) {
    throw new AtomsmithError("usage", `several jobs match ${id}`, {
      where: id,
      hint: "use a longer prefix of the id",
    });
  }
  return first;
}
