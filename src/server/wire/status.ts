// What `GET /status` answers.
import { z } from "zod";

const counts = z.record(z.string(), z.int());

export const statusSchema = z
  .object({
    version: z.string(),
    started_at: z.string(),
    items: counts.describe("number of items by state"),
    jobs: counts.describe("number of jobs by state"),
    last_check: z.string().nullable().describe("id of the newest check that ended"),
    search_root: z.string(),
    kinds: z.array(z.object({ name: z.string(), summary: z.string() })),
    streams: z.int(),
  })
  .meta({ id: "Status" });
export type Status = z.infer<typeof statusSchema>;
