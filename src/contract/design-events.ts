// The events of the design loop. The subject is the name of the project, the loop is `design`.
import { z } from "zod";

/** Events of the design loop in addition to those of core/events.ts, without the envelope. */
export const designEventBodySchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("design_state"), state: z.string(), turn: z.number().int() }),
  z.object({ type: z.literal("design_patch"), patch_id: z.string(), status: z.string() }),
  z.object({ type: z.literal("design_run"), run_id: z.string(), status: z.string() }),
]);
export type DesignEventBody = z.infer<typeof designEventBodySchema>;
