// Parameters of a new job, for its row in the store and for the queue of a fleet.
import { z } from "zod";

export const jobRequestSchema = z.object({
  agent_id: z.string(),
  /** Reference to the configuration: absolute path, or name of an embedded one. */
  config_ref: z.string(),
  description: z.string(),
  /** Absolute; empty for a job without logs. */
  search_root: z.string(),
});
export type JobRequest = z.infer<typeof jobRequestSchema>;
