// Response of `GET /status`.
import { z } from "zod";
import { usageSchema } from "../jobs/record.ts";

const counts = z.record(z.string(), z.int());

export const statusSchema = z
  .object({
    version: z.string(),
    started_at: z.string(),
    items: counts.describe("number of items by state"),
    jobs: counts.describe("number of jobs by state"),
    last_check: z.string().nullable().describe("id of the newest finished check"),
    search_root: z.string(),
    kinds: z.array(z.object({ name: z.string(), summary: z.string() })),
    usage: usageSchema.describe("of all kept jobs"),
    waiting: z
      .array(z.object({ kind: z.enum(["design", "agent"]), id: z.string(), what: z.string() }))
      .describe("projects and agents that need a decision; for items see /api/items"),
    queue: z.boolean().describe("a queue of a fleet is configured"),
    streams: z.int(),
  })
  .meta({ id: "Status" });
export type Status = z.infer<typeof statusSchema>;
