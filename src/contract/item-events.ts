// The events of the item loop: started, skipped and finished, each gate, the verdict of a check. They are defined here
// because gates and checks emit them.
import { z } from "zod";
import type { Emit, EventBody } from "../core/events.ts";

const ms = z.number();

/** Events of the item loop in addition to those of core/events.ts, without the envelope. */
export const itemEventBodySchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("item_started"), reason: z.string() }),
  z.object({ type: z.literal("item_skipped"), reason: z.string() }),
  z.object({
    type: z.literal("item_finished"),
    status: z.enum(["accepted", "human_required", "error", "interrupted", "pass", "fail"]),
    message: z.string().optional(),
    duration_ms: ms,
  }),
  z.object({
    type: z.literal("gate_finished"),
    gate: z.string(),
    passed: z.boolean().nullable(),
    errors: z.number().int(),
    duration_ms: ms,
  }),
  z.object({
    type: z.literal("verdict"),
    outcome: z.enum(["pass", "fail", "error"]),
    message: z.string(),
  }),
]);
export type ItemEventBody = z.infer<typeof itemEventBodySchema>;

/** Emits the events of one item and those of all loops. */
export type ItemEmit = Emit<EventBody | ItemEventBody>;
