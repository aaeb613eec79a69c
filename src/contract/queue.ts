// The documents of `queue ls --json` and `GET /api/queue`: the jobs and workers of a fleet.
import { z } from "zod";

export const queuedJobSchema = z.object({
  id: z.string(),
  kind: z.enum(["item", "check", "job"]),
  project: z.string(),
  /** The item, the set, or the job of an agent. */
  subject: z.string(),
  state: z.enum(["waiting", "running", "done", "dead", "cancelled"]),
  attempts: z.int(),
  worker: z.string().nullable().describe("the worker that has it, finished it, or handed it back last"),
  reason: z.string().nullable().describe("why it was handed back, died or was cancelled"),
  at: z.string(),
  ended_at: z.string().nullable(),
});
export type QueuedJob = z.infer<typeof queuedJobSchema>;

export const workerSchema = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  kinds: z.string(),
  roots: z.string(),
  concurrency: z.int(),
  running: z.int(),
  done: z.int(),
  refused: z.string().nullable().describe("why it leaves jobs to others"),
  drain: z.boolean().describe("it finishes what it has and ends"),
  started_at: z.string(),
  silent_seconds: z.int(),
});
export type WorkerRow = z.infer<typeof workerSchema>;

export const queueDocumentSchema = z.object({
  jobs: z.array(queuedJobSchema),
  totals: z.record(z.string(), z.int()).describe("jobs by state"),
  workers: z.array(workerSchema),
});

/** Further members of `GET /api/queue`. */
export const fleetOverviewSchema = z.object({
  kinds: z
    .array(
      z.object({
        kind: z.enum(["item", "check", "job"]),
        waiting: z.int(),
        running: z.int(),
        done: z.int(),
        dead: z.int(),
        cancelled: z.int(),
        oldest_waiting_seconds: z.int().nullable().describe("age of the oldest waiting job"),
      }),
    )
    .describe("number of jobs by kind and state"),
  leases_lost: z.int().describe("attempts of the jobs kept whose worker stopped responding"),
  running_jobs: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(["item", "check", "job"]),
      subject: z.string(),
      worker: z.string().nullable(),
    }),
  ),
  submissions: z
    .array(
      z.object({
        id: z.string(),
        kind: z.enum(["item", "check", "job"]),
        project: z.string(),
        host: z.string().describe("the machine that submitted it"),
        at: z.string(),
        open_jobs: z.int(),
        stopped: z.string().nullable().describe("why its waiting jobs are not started"),
        cost_usd: z.number().describe("spent, and reserved by calls under way"),
        max_cost_usd: z.number().nullable(),
        tokens: z.number(),
        max_tokens: z.number().nullable(),
        calls: z.int().describe("calls under way"),
        max_calls: z.int().nullable().describe("calls at once to an endpoint"),
      }),
    )
    .describe("submissions with open jobs, the newest first"),
  endpoints: z.array(
    z.object({
      url: z.string(),
      calls: z.int().describe("calls under way"),
      paused_seconds: z.int().nullable().describe("what is left of a pause that the endpoint asked for"),
    }),
  ),
});
export type FleetOverview = z.infer<typeof fleetOverviewSchema>;
