// Responses of the operations on factory runs.
import { z } from "zod";
import { attemptRecordSchema, runSummarySchema, workOrderSchema } from "../../loops/factory/schemas.ts";

const row = z
  .object({
    id: z.string().describe("RUN_ID, or FOLDER~RUN_ID for a run of several orders"),
    order_id: z.string(),
    title: z.string(),
    verdict: z.enum(["PASS", "FAIL"]).nullable().describe("null: not finished"),
    ended_stage: z.string(),
    attempts: z.int(),
    started_at: z.string().nullable(),
    ended_at: z.string().nullable(),
    repository: z.string(),
  })
  .meta({ id: "FactoryRunRow" });

export const factorySchemas = {
  list: z.object({
    folder: z.string(),
    repositories: z.array(z.string()).describe("on which work orders may be started"),
    runs: z.array(row).describe("newest first"),
  }),
  run: row.extend({
    summary: runSummarySchema.nullable(),
    order: workOrderSchema.nullable(),
    attempts_made: z.array(z.object({ record: attemptRecordSchema, diff: z.string(), proposal: z.string() })),
    files: z.array(z.object({ path: z.string(), bytes: z.int() })),
  }),
  plan: z.object({ orders: z.array(workOrderSchema) }),
};
export type FactoryRowWire = z.infer<typeof row>;
export type FactoryListWire = z.infer<typeof factorySchemas.list>;
export type FactoryRunWire = z.infer<typeof factorySchemas.run>;
export type FactoryPlanWire = z.infer<typeof factorySchemas.plan>;
