// What `queue ls --json` and `GET /api/queue` answer: the jobs of a fleet, and its workers.
import { z } from "zod";

export const queuedJobSchema = z.object({
  id: z.string(),
  kind: z.enum(["item", "check", "job"]),
  project: z.string(),
  /** The item, the set, or the job of an agent. */
  subject: z.string(),
  state: z.enum(["waiting", "running", "done", "dead", "cancelled"]),
  attempts: z.int(),
  worker: z.string().nullable().describe("the worker that finished it, or handed it back last"),
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
