// What is stored of a job, `<cache>/@serve/jobs/<id>/`: `job.json`, the events of its command, its document, its
// messages and the reports it wrote. A job is found again by the next start of the server.
import { z } from "zod";

export const JOB_STATES = ["queued", "running", "finished", "failed", "cancelled", "interrupted"] as const;

const NO_USAGE = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };

/** Usage of model calls. */
export const usageSchema = z
  .object({
    calls: z.int(),
    input_tokens: z.int(),
    output_tokens: z.int(),
    cost_usd: z.number().nullable().describe("null: the price of a call is unknown"),
  })
  .default(NO_USAGE);
export type JobUsage = z.infer<typeof usageSchema>;

export function addUsage(total: JobUsage, more: JobUsage): JobUsage {
  const unknown = total.cost_usd === null || more.cost_usd === null;
  return {
    calls: total.calls + more.calls,
    input_tokens: total.input_tokens + more.input_tokens,
    output_tokens: total.output_tokens + more.output_tokens,
    cost_usd: unknown ? null : (total.cost_usd ?? 0) + (more.cost_usd ?? 0),
  };
}

export const jobSchema = z
  .object({
    id: z.string(),
    kind: z.string(),
    title: z.string(),
    params: z.record(z.string(), z.json()),
    state: z.enum(JOB_STATES).describe("interrupted: the server was stopped; resume continues it"),
    exit_code: z.int().nullable(),
    waits_for_person: z.boolean().describe("exit code 3, and no other job continues it"),
    message: z.string().nullable().describe("why it failed"),
    totals: z.record(z.string(), z.number()).describe("of the event run_finished"),
    usage: usageSchema,
    progress: z.object({ what: z.string(), done: z.number(), total: z.number().nullable() }).nullable(),
    created_at: z.string(),
    started_at: z.string().nullable(),
    finished_at: z.string().nullable(),
    continues: z.string().nullable().describe("the job that this one continues"),
    files: z.array(z.string()).describe("names for GET /jobs/{id}/files/{name}"),
    can: z.array(z.enum(["cancel", "resume", "answer", "approve"])),
  })
  .meta({ id: "Job" });
export type Job = z.infer<typeof jobSchema>;

/** `job.json`. */
export const storedJobSchema = jobSchema.omit({ can: true, files: true, progress: true }).extend({
  format: z.literal(1),
  pid: z.int().nullable(),
});
export type StoredJob = z.infer<typeof storedJobSchema>;

/** State of an ended job by the exit code of its command. */
export function stateOfExit(code: number): Job["state"] {
  // 3: review is needed; 7 and 8: a check failed or could not be decided. The command succeeded.
  return [0, 3, 7, 8].includes(code) ? "finished" : code === 130 ? "interrupted" : "failed";
}
