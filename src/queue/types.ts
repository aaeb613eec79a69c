// What stands in the queue: submissions (one `batch --queue`, `check --queue` or `agent run --queue`), and their jobs.
import { z } from "zod";

export const JOB_KINDS = ["item", "check", "job"] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** What all jobs of a submission share; paths are those of the machine that submitted it. */
export const submissionSchema = z.object({
  format: z.literal(1),
  kind: z.enum(JOB_KINDS),
  project: z.string(),
  host: z.string(),
  /** Hash of everything in the program that decides about results: another program leaves the jobs alone. */
  program: z.string(),
  /** The configuration, without secrets: these are in the environment of each worker. */
  config: z.record(z.string(), z.json()),
  /** Name of the search root, by which a worker finds its own path, and the hash of what lies in it; null: jobs without
   * logs of their own. */
  root: z.object({ name: z.string(), hash: z.string() }).nullable(),
  /** Files below the search root that are no logs, relative to it. */
  own_files: z.array(z.string()),
  seed: z.number().int(),
  /** Flags that commands suggested in reports repeat. */
  command_flags: z.array(z.string()),
  /** Where runs and sets are stored. */
  store: z.enum(["postgres", "files"]),
  /** Of a shared folder: what a worker must find in it. */
  store_mark: z.string().exactOptional(),
  max_cost_usd: z.number().exactOptional(),
  max_tokens: z.number().int().exactOptional(),
  /** Settings of the kind of job. */
  options: z.record(z.string(), z.json()),
});
export type Submission = z.infer<typeof submissionSchema>;

/** What a worker is given, in the queue itself. */
export const envelopeSchema = z.object({ submission: z.string() });

export type JobState = "open" | "done" | "dead" | "cancelled";

/** A claim on a job; `attempt` fences everything done under it. */
export interface ClaimedJob {
  id: string;
  kind: JobKind;
  attempt: number;
  submission: string;
  subject: string;
  payload: string;
  /** Why it is not to be started: its submission was stopped, or has used up its budget. */
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
