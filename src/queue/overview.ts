// The state of a fleet in numbers: jobs by kind and state, what each worker runs, and how much of the limits is used.
import { z } from "zod";
import type { FleetOverview } from "../contract/queue.ts";
import type { Database } from "../store/postgres/database.ts";
import { BOSS_SCHEMA } from "./queue.ts";

/** Maximum number of rows per list. */
const MOST = { running: 500, submissions: 50 };

const JOIN = `atomsmith.job AS job LEFT JOIN ${BOSS_SCHEMA}.job AS boss ON boss.id = job.id AND boss.name = job.kind`;
const STATE = `CASE WHEN job.state <> 'open' THEN job.state WHEN boss.state = 'active' THEN 'running' ELSE 'waiting' END`;
/** Number of ended attempts. pg-boss counts an attempt at the next claim, so the last one of a waiting or dead job is
 * added. */
const ENDED = `coalesce(boss.retry_count, job.attempt, 0)
  + CASE WHEN job.state = 'dead' OR (job.state = 'open' AND boss.state IN ('retry', 'failed')) THEN 1 ELSE 0 END`;

/** Reads the overview in four statements; the lists are bounded. */
export async function fleetOverview(db: Database): Promise<FleetOverview> {
  const [kinds, running_jobs, submissions, endpoints] = await Promise.all([
    jobsByKind(db),
    runningJobs(db),
    openSubmissions(db),
    endpointCalls(db),
  ]);
  const leases_lost = kinds.reduce((sum, { lost }) => sum + lost, 0);
  return {
    kinds: kinds.map(({ lost: _, ...counts }) => counts),
    leases_lost,
    running_jobs,
    submissions: submissions.map(({ document, ...row }) => ({ ...row, max_calls: maxCallsOf(document) })),
    endpoints,
  };
}

type KindRow = FleetOverview["kinds"][number] & { lost: number };

function jobsByKind(db: Database): Promise<KindRow[]> {
  const count = (state: string): string => `count(*) FILTER (WHERE state = '${state}')::int AS ${state}`;
  return db.query<KindRow>(
    `SELECT kind, ${["waiting", "running", "done", "dead", "cancelled"].map(count).join(", ")},
       extract(epoch FROM clock_timestamp() - min(at) FILTER (WHERE state = 'waiting'))::int AS oldest_waiting_seconds,
       sum(greatest(0, lost))::int AS lost
     FROM (SELECT job.kind, ${STATE} AS state, job.at, ${ENDED} - job.handed_back - job.failed AS lost FROM ${JOIN}) AS job
     GROUP BY kind ORDER BY kind`,
  );
}

function runningJobs(db: Database): Promise<FleetOverview["running_jobs"]> {
  return db.query(
    `SELECT job.id, job.kind, job.subject, job.worker FROM ${JOIN}
     WHERE job.state = 'open' AND boss.state = 'active' ORDER BY job.worker, job.subject LIMIT $1`,
    [MOST.running],
  );
}

type SubmissionRow = Omit<FleetOverview["submissions"][number], "max_calls"> & { document: string };

/** Submissions with open jobs, newest first; reservations of active calls count as used. */
function openSubmissions(db: Database): Promise<SubmissionRow[]> {
  return db.query(
    `SELECT s.id, s.kind, s.project, s.host, s.document, s.stopped, s.max_cost_usd, s.max_tokens::float8,
       (SELECT count(*) FROM atomsmith.job WHERE submission = s.id AND state = 'open')::int AS open_jobs,
       s.cost_usd + reserved.cost_usd AS cost_usd, (s.tokens + reserved.tokens)::float8 AS tokens, reserved.calls,
       to_char(s.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at
     FROM atomsmith.submission AS s CROSS JOIN LATERAL (
       SELECT count(*)::int AS calls, coalesce(sum(cost_usd), 0) AS cost_usd, coalesce(sum(tokens), 0) AS tokens
       FROM atomsmith.call WHERE submission = s.id AND until > clock_timestamp()) AS reserved
     WHERE EXISTS (SELECT FROM atomsmith.job WHERE submission = s.id AND state = 'open')
     ORDER BY s.at DESC LIMIT $1`,
    [MOST.submissions],
  );
}

const documentSchema = z.looseObject({
  config: z.looseObject({ llm: z.looseObject({ max_concurrency: z.int() }) }),
});

/** Maximum number of concurrent calls of a submission; null for one written by another version. */
function maxCallsOf(document: string): number | null {
  return documentSchema.safeParse(JSON.parse(document)).data?.config.llm.max_concurrency ?? null;
}

function endpointCalls(db: Database): Promise<FleetOverview["endpoints"]> {
  return db.query(
    `SELECT url, (SELECT count(*) FROM atomsmith.call WHERE url = e.url AND until > clock_timestamp())::int AS calls,
       greatest(0, ceil(extract(epoch FROM paused_until - clock_timestamp())))::int AS paused_seconds
     FROM atomsmith.endpoint AS e ORDER BY url`,
  );
}
