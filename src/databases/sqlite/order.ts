// Input and output of the process that runs a statement.
import { z } from "zod";

export const orderSchema = z.strictObject({
  path: z.string(),
  statement: z.string(),
  write: z.boolean(),
  maxRows: z.number(),
  maxBytes: z.number(),
});
export type SqliteOrder = z.infer<typeof orderSchema>;

export const reportSchema = z.union([
  z.strictObject({ lines: z.array(z.string()), more: z.boolean(), changed: z.number().nullable() }),
  z.strictObject({ refused: z.string() }),
]);
export type SqliteReport = z.infer<typeof reportSchema>;
