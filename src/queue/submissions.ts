// Submits jobs and collects their results. An open job with the same inputs is reused; one with different inputs is
// replaced.
import { AtomsmithError } from "../core/errors.ts";
import { randomHex } from "../core/random.ts";
import type { Query } from "../store/postgres/database.ts";
import { replaceFiles, type StoredFile } from "./files.ts";
import type { Queue } from "./queue.ts";
import { type JobKind, type JobResult, type Submission, submissionSchema } from "./types.ts";

export interface NewJob {
  /** Subject of the job; unique among the open jobs of a project and kind. */
  subject: string;
  /** Hash of everything that affects the result. */
  inputs: string;
  /** JSON text for the worker. */
  payload: string;
  /** Initial files of the run. */
  files: readonly StoredFile[];
  turns: readonly string[];
  /** Lines of an agent's call log. */
  calls?: readonly string[];
  checkpoint: { id: string; body: string } | undefined;
}

/** Maximum number of jobs per transaction. */
const BATCH_SIZE = 100;

/** Submits jobs. Returns the job id of each subject: that of a new job, or of an open one with the same inputs. */
export async function submitJobs(
  queue: Queue,
  submissionId: string,
  submission: Submission,
  jobs: readonly NewJob[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  await saveSubmission(queue, submissionId, submission);
  for (let at = 0; at < jobs.length; at += BATCH_SIZE) {
    const batch = jobs
      .slice(at, at + BATCH_SIZE)
      .map((job) => ({ id: crypto.randomUUID() as string, ...job }));
    const open = await openJobs(queue, submission, batch);
    const replaced = open.filter((job) => !job.same).map((job) => job.id);
    if (replaced.length > 0) await queue.cancel(replaced, "replaced by a later submission with other inputs");
    const attached = new Map(open.filter((job) => job.same).map((job) => [job.subject, job.id]));
    for (const [subject, id] of attached) ids.set(subject, id);
    const fresh = batch.filter((job) => !attached.has(job.subject));
    await queue.db.transaction(async (query) => {
      for (const job of fresh) await insertJob(query, submissionId, submission, job);
      await queue.enqueue(
        query,
        submission.kind,
        submissionId,
        fresh.map((job) => job.id),
      );
    });
    for (const { subject, id } of fresh) ids.set(subject, id);
  }
  await queue.analyze();
  return ids;
}

async function saveSubmission(queue: Queue, id: string, submission: Submission): Promise<void> {
  const { kind, project, host, max_cost_usd, max_tokens } = submission;
  await queue.db.query(
    `INSERT INTO atomsmith.submission (id, kind, project, host, document, max_cost_usd, max_tokens)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    [id, kind, project, host, JSON.stringify(submission), max_cost_usd ?? null, max_tokens ?? null],
  );
}

async function openJobs(
  queue: Queue,
  { project, kind }: Submission,
  jobs: readonly NewJob[],
): Promise<{ id: string; subject: string; same: boolean }[]> {
  const inputs = new Map(jobs.map((job) => [job.subject, job.inputs]));
  const rows = await queue.db.query<{ id: string; subject: string; inputs: string }>(
    "SELECT id, subject, inputs FROM atomsmith.job WHERE project = $1 AND kind = $2 AND state = 'open' AND subject = ANY($3)",
    [project, kind, [...inputs.keys()]],
  );
  return rows.map(({ id, subject, inputs: own }) => ({ id, subject, same: own === inputs.get(subject) }));
}

async function insertJob(
  query: Query,
  submissionId: string,
  { project, kind }: Submission,
  job: NewJob & { id: string },
): Promise<void> {
  await query(
    `INSERT INTO atomsmith.job (id, submission, kind, project, subject, inputs, payload) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [job.id, submissionId, kind, project, job.subject, job.inputs, job.payload],
  );
  const key = [project, kind, job.subject];
  // The new epoch rejects all writes of earlier jobs of this subject.
  await query(
    `INSERT INTO atomsmith.run AS run (space, loop, id, epoch) VALUES ($1, $2, $3, 1)
     ON CONFLICT (space, loop, id) DO UPDATE SET epoch = run.epoch + 1, job = NULL`,
    key,
  );
  for (const table of ["checkpoint", "journal", "turn", "turn_aside", "view", "log"]) {
    await query(`DELETE FROM atomsmith.${table} WHERE space = $1 AND loop = $2 AND id = $3`, key);
  }
  await replaceFiles(query, { space: project, loop: kind, id: job.subject }, job.files);
  if (job.turns.length > 0) {
    await query(
      `INSERT INTO atomsmith.turn (space, loop, id, n, line)
       SELECT $1, $2, $3, at - 1, text FROM unnest($4::text[]) WITH ORDINALITY AS line (text, at)`,
      [...key, [...job.turns]],
    );
  }
  if (job.calls !== undefined && job.calls.length > 0) {
    await query(
      `INSERT INTO atomsmith.log (space, loop, id, name, n, line)
       SELECT $1, $2, $3, 'calls', at - 1, text FROM unnest($4::text[]) WITH ORDINALITY AS line (text, at)`,
      [...key, [...job.calls]],
    );
  }
  if (job.checkpoint !== undefined) {
    await query(
      "INSERT INTO atomsmith.checkpoint (space, loop, id, n, checkpoint_id, body) VALUES ($1, $2, $3, 0, $4, $5)",
      [...key, job.checkpoint.id, job.checkpoint.body],
    );
  }
}

/** A submission; undefined when it was cleaned up. Throws kind `store` for one that this program cannot read. */
export async function loadSubmission(queue: Queue, id: string): Promise<Submission | undefined> {
  const [row] = await queue.db.query<{ document: string }>(
    "SELECT document FROM atomsmith.submission WHERE id = $1",
    [id],
  );
  if (row === undefined) return undefined;
  const parsed = submissionSchema.safeParse(JSON.parse(row.document));
  if (parsed.success) return parsed.data;
  throw new AtomsmithError("store", `submission ${id} was written by another version of atomsmith`, {
    where: id,
  });
}

/** Results of these jobs that have ended and were not collected yet. */
export function endedJobs(queue: Queue, ids: readonly string[]): Promise<JobResult[]> {
  return queue.db.query<JobResult & Record<string, unknown>>(
    "SELECT id, subject, state, result, reason FROM atomsmith.job WHERE id = ANY($1) AND state <> 'open'",
    [[...ids]],
  );
}

/** Finished jobs of a project without a waiting submitter. */
export function uncollectedJobs(
  queue: Queue,
  project: string,
  kind: JobKind,
): Promise<(JobResult & { payload: string })[]> {
  return queue.db.query<JobResult & { payload: string }>(
    `SELECT id, subject, state, result, reason, payload FROM atomsmith.job
     WHERE project = $1 AND kind = $2 AND NOT collected AND state = 'done' ORDER BY ended_at`,
    [project, kind],
  );
}

export async function markCollected(queue: Queue, id: string): Promise<void> {
  await queue.db.query("UPDATE atomsmith.job SET collected = true WHERE id = $1", [id]);
}

/** Stops a submission: its waiting jobs are no longer started. The first reason is kept. */
export async function stopSubmission(
  queue: Queue,
  id: string,
  reason: string,
  exit: number | null,
): Promise<void> {
  await queue.db.query(
    "UPDATE atomsmith.submission SET stopped = $2, stopped_exit = $3 WHERE id = $1 AND stopped IS NULL",
    [id, reason, exit],
  );
}

export function newSubmissionId(): string {
  return crypto.randomUUID();
}

/** Removes old ended jobs with their runs. Returns the number of jobs. */
export async function removeOld(queue: Queue, days: number): Promise<number> {
  return queue.db.transaction(async (query) => {
    const rows = await query<{ project: string; kind: string; subject: string }>(
      `DELETE FROM atomsmith.job WHERE state <> 'open' AND ended_at < clock_timestamp() - $1 * interval '1 day'
       RETURNING project, kind, subject`,
      [days],
    );
    const columns = [
      rows.map((row) => row.project),
      rows.map((row) => row.kind),
      rows.map((row) => row.subject),
    ];
    for (const table of ["checkpoint", "journal", "turn", "turn_aside", "view", "log", "file", "run"]) {
      await query(
        `DELETE FROM atomsmith.${table} AS stored USING unnest($1::text[], $2::text[], $3::text[]) AS old (space, loop, id)
         WHERE stored.space = old.space AND stored.loop = old.loop AND stored.id = old.id
           AND NOT EXISTS (SELECT 1 FROM atomsmith.job WHERE project = old.space AND kind = old.loop AND subject = old.id)`,
        columns,
      );
    }
    await query("DELETE FROM atomsmith.call WHERE until < clock_timestamp() - interval '1 day'");
    await query(
      `DELETE FROM atomsmith.submission AS s WHERE s.at < clock_timestamp() - $1 * interval '1 day'
       AND NOT EXISTS (SELECT 1 FROM atomsmith.job WHERE submission = s.id)
       AND NOT EXISTS (SELECT 1 FROM atomsmith.call WHERE submission = s.id)`,
      [days],
    );
    return rows.length;
  });
}

/** A name for this process among the workers of the fleet. */
export function newWorkerName(host: string): string {
  return `${host}-${process.pid}-${randomHex(2)}`;
}
