// The events of the factory loop. The subject is the id of the work order, the loop is `factory`.
import { z } from "zod";

/** Events of the factory in addition to those of core/events.ts, without the envelope. */
export const factoryEventBodySchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("order_started"),
    run_id: z.string(),
    title: z.string(),
    continued: z.boolean(),
  }),
  z.object({
    type: z.literal("order_finished"),
    run_id: z.string().nullable(),
    status: z.enum(["pass", "fail", "error", "interrupted"]),
    message: z.string(),
    duration_ms: z.number(),
  }),
  z.object({ type: z.literal("attempt_started"), attempt: z.number().int(), max_attempts: z.number().int() }),
  z.object({
    type: z.literal("attempt_failed"),
    attempt: z.number().int(),
    stage: z.string(),
    reason: z.string(),
  }),
  z.object({ type: z.literal("command_started"), attempt: z.number().int(), command: z.string() }),
  z.object({
    type: z.literal("command_finished"),
    attempt: z.number().int(),
    command: z.string(),
    exit_code: z.number().int(),
    duration_ms: z.number(),
  }),
  z.object({ type: z.literal("rolled_back"), attempt: z.number().int(), drift: z.number().int() }),
]);
export type FactoryEventBody = z.infer<typeof factoryEventBodySchema>;
