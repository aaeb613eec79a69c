// Responses of the operations on checks.
import { z } from "zod";
import { checkEntrySchema, comparisonSchema } from "../../contract/documents.ts";
import { jobSchema } from "../jobs/record.ts";

const rowSchema = z.object({
  item_id: z.string(),
  type: z.int().nullable(),
  outcome: z.enum(["pass", "fail", "error"]),
  found: z.int(),
  missing: z.int(),
  extra: z.int(),
  waived: z.int(),
  message: z.string(),
  change: z.string().nullable(),
  duration_ms: z.number(),
});
export type CheckRow = z.infer<typeof rowSchema>;

export const listSchema = z.object({ checks: z.array(jobSchema) });
export const resultsSchema = z.object({
  check: jobSchema,
  totals: z.record(z.string(), z.int()),
  results: z.array(rowSchema),
  total: z.int(),
  comparison: comparisonSchema.nullable(),
});
export type CheckWire = z.infer<typeof resultsSchema>;
export const outcomeSchema = z.object({ id: z.string(), outcome: z.string(), at: z.string() });
export const resultSchema = z.object({
  result: checkEntrySchema,
  logs: z.array(z.string()),
  lists: z
    .array(
      z.object({
        key: z.enum(["found", "missing", "extra", "waived"]),
        title: z.string(),
        violates: z.boolean().describe("its entries fail the check, except those marked INFO"),
        entries: z.array(z.looseObject({})),
      }),
    )
    .describe("in the order of reports: failures first"),
  waivers: z
    .array(z.object({ pattern: z.string(), reason: z.string().nullable(), until: z.string().nullable() }))
    .describe("of the current config of the item"),
  outcomes: z.array(outcomeSchema).describe("of the item in checks that were read, newest first"),
});
export type CheckResultWire = z.infer<typeof resultSchema>;
