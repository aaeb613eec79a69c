// The one stream of events. The progress display, --events, the journal on disk and the reports are views of it. This
// file has the envelope and the events that all loops share; each loop defines its own in a separate file
// (src/contract/item-events.ts), and src/loops/events.ts combines them.
import { z } from "zod";

const ms = z.number();

/** What the bus adds to every event. `loop` and `subject` identify its source: both null for the run itself. */
export const envelopeSchema = z.object({
  seq: z.number().int(),
  at: z.string(),
  run: z.string(),
  loop: z.string().nullable(),
  subject: z.string().nullable(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

/** The events of any loop, without the envelope. */
export const eventBodySchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run_started"),
    command: z.string(),
    version: z.string(),
    items: z.number().int().nullable(),
  }),
  z.object({
    type: z.literal("run_finished"),
    exit_code: z.number().int(),
    totals: z.record(z.string(), z.number()),
    duration_ms: ms,
  }),
  z.object({ type: z.literal("stage_started"), stage: z.string(), iteration: z.number().int() }),
  z.object({
    type: z.literal("stage_finished"),
    stage: z.string(),
    iteration: z.number().int(),
    next: z.string(),
    duration_ms: ms,
  }),
  z.object({
    type: z.literal("model_call_started"),
    role: z.string(),
    model: z.string(),
    messages: z.number().int(),
  }),
  z.object({
    type: z.literal("model_call_finished"),
    role: z.string(),
    model: z.string(),
    input_tokens: z.number().int(),
    cached_tokens: z.number().int(),
    output_tokens: z.number().int(),
    cost_usd: z.number().nullable(),
    replayed: z.boolean(),
    finish_reason: z.string(),
    duration_ms: ms,
  }),
  z.object({ type: z.literal("model_delta"), role: z.string(), text: z.string() }),
  z.object({
    type: z.literal("tool_called"),
    tool: z.string(),
    summary: z.string(),
    ok: z.boolean(),
    bytes: z.number().int(),
    bytes_left: z.number().int(),
  }),
  z.object({
    type: z.literal("retry"),
    what: z.string(),
    attempt: z.number().int(),
    wait_ms: ms,
    reason: z.string(),
  }),
  z.object({
    type: z.literal("budget"),
    scope: z.string().describe("run, or the loop whose subject has used up its part"),
    what: z.enum(["tokens", "cost_usd", "tool_bytes"]),
    used: z.number(),
    limit: z.number(),
  }),
  z.object({ type: z.literal("checkpoint"), id: z.string(), stage: z.string() }),
  z.object({
    type: z.literal("sandbox"),
    what: z.enum(["child_started", "child_killed", "child_retired", "unpacked", "level"]),
    detail: z.string(),
  }),
  z.object({
    type: z.literal("progress"),
    what: z.string(),
    done: z.number(),
    total: z.number().nullable(),
  }),
  z.object({
    type: z.literal("log"),
    level: z.enum(["debug", "info", "warning", "error"]),
    message: z.string(),
  }),
]);
export type EventBody = z.infer<typeof eventBodySchema>;

/** An event of any loop, as the bus delivers it. */
export type Event = Envelope & { type: string };

/** Sends an event. Must not throw. `Body`: the events that may be sent; the emit of a loop accepts its own events in
 * addition to the common ones, so it can be used wherever an emit of common events is expected. */
export type Emit<Body extends { type: string } = EventBody> = (body: Body) => void;
