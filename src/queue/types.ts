// Types of the queue: submissions (one `batch --queue`, `check --queue` or `agent run --queue`) and their jobs.
import { z } from "zod";

export const JOB_KINDS = ["item", "check", "job"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** Data shared by all jobs of a submission; paths are those of the submitting machine. */
export const submissionSchema = z.object({
  format: z.literal(1),
  kind: z.enum(JOB_KINDS),
  project: z.string(),
  host: z.string(),
  /** Hash of everything in the program that affects results; workers with another hash refuse the jobs. */
  program: z.string(),
  /** The configuration, without secrets, which are in the environment of each worker. */
  config: z.record(z.string(), z.json()),
  /** Name of the search root, which a worker maps to a local path, and the hash of its content; null for jobs without
   * logs. */
  root: z.object({ name: z.string(), hash: z.string() }).nullable(),
  /** Files below the search root that are not logs, relative to it. */
  own_files: z.array(z.string()),
  seed: z.number().int(),
  /** Flags to repeat in the commands that reports suggest. */
  command_flags: z.array(z.string()),
  /** Where runs and sets are stored. */
  store: z.enum(["postgres", "files"]),
  /** Mark that a worker must find in the shared output folder. */
  store_mark: z.string().exactOptional(),
  max_cost_usd: z.number().exactOptional(),
  max_tokens: z.number().int().exactOptional(),
  /** Settings specific to the kind of job. */
  options: z.record(z.string(), z.json()),
});
export type Submission = z.infer<typeof submissionSchema>;

/** Data of a job in the tables of pg-boss. */
export const envelopeSchema = z.object({ submission: z.string() });

export type JobState = "open" | "done" | "dead" | "cancelled";

/** A claim on a job; `attempt` is the fencing token of all its writes. */
export interface ClaimedJob {
  id: string;
  kind: JobKind;
  attempt: number;
  submission: string;
  subject: string;
  payload: string;
  /** Why the job must not be started: its submission was stopped, or its budget is exhausted. */
  stopped?: { reason: string; exit: number | null };
}

export interface JobResult {
  id: string;
  subject: string;
  state: Exclude<JobState, "open">;
  /** JSON text; null for a job without a result. */
  result: string | null;
  reason: string | null;
}
