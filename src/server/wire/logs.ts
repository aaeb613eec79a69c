// Responses of the operations on logs.
import { z } from "zod";

export const logLinesSchema = z
  .object({
    file: z.string(),
    start_line: z.int(),
    lines: z.array(z.string()),
    more: z.boolean(),
    total_lines: z.int().nullable().describe("null: not counted yet"),
    size: z.int().describe("bytes on disk"),
    encoding: z.string(),
    compression: z.string(),
  })
  .meta({ id: "LogLines" });
export const logSearchSchema = z
  .object({
    hits: z.array(z.object({ line: z.int(), text: z.string().nullable() })),
    complete: z.boolean().describe("the whole log was searched"),
    stopped: z.string().nullable(),
    total_lines: z.int().nullable(),
  })
  .meta({ id: "LogSearch" });
