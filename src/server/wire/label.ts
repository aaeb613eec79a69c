// Responses of the labelling operations.
import { z } from "zod";

const logLine = z.object({ file: z.string(), line: z.int(), text: z.string() });
const previewSchema = z.union([
  z.object({ kind: z.literal("nothing") }),
  z.object({
    kind: z.literal("records"),
    total: z.int(),
    records: z.array(logLine.extend({ value: z.string(), fields: z.record(z.string(), z.string()) })),
    others_total: z.int(),
    others: z.array(logLine.extend({ why: z.string() })).describe("lines that resemble records but are not"),
  }),
  z.object({ kind: z.literal("question"), at: logLine, readings: z.array(z.string()) }),
  z.object({ kind: z.literal("contradiction"), message: z.string() }),
]);
export const sessionSchema = z
  .object({
    id: z.string(),
    item: z.string(),
    page: z.string(),
    logs: z.array(z.object({ path: z.string(), lines: z.int(), named: z.boolean() })),
    kinds: z
      .array(z.object({ text: z.string(), file: z.string(), line: z.int(), count: z.int() }))
      .describe("kinds of lines, most frequent first"),
    names: z.array(z.string()).describe("field names of the page and its examples"),
    examples: z.int(),
    own: z.array(z.string()).describe("examples of this session, as blocks"),
    has_check: z.boolean(),
    proposed_check: z.string().nullable(),
    preview: previewSchema.describe("what the examples extract from all logs"),
    written: z.array(z.int()).optional().describe("lines of the page at which blocks were written"),
  })
  .meta({ id: "LabelSession" });
export type LabelWire = z.infer<typeof sessionSchema>;
