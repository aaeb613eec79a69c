// The one stream of events. The progress display, --events, the journal on disk and the reports are views of
// it; state is what the events add up to. Add a member here before you print anything anywhere else.
import { z } from "zod";

const item = z.string();
const ms = z.number();

/** Every kind of event, without the envelope that the bus adds (`seq`, `at`, `run`). */
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
  z.object({ type: z.literal("item_started"), item, reason: z.string() }),
  z.object({ type: z.literal("item_skipped"), item, reason: z.string() }),
  z.object({
    type: z.literal("item_finished"),
    item,
    status: z.enum(["accepted", "human_required", "error", "interrupted", "pass", "fail"]),
    message: z.string().optional(),
    duration_ms: ms,
  }),
  z.object({ type: z.literal("stage_started"), item, stage: z.string(), iteration: z.number().int() }),
  z.object({
    type: z.literal("stage_finished"),
    item,
    stage: z.string(),
    iteration: z.number().int(),
    next: z.string(),
    duration_ms: ms,
  }),
  z.object({
    type: z.literal("model_call_started"),
    item,
    role: z.string(),
    model: z.string(),
    messages: z.number().int(),
  }),
  z.object({
    type: z.literal("model_call_finished"),
    item,
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
  z.object({ type: z.literal("model_delta"), item, role: z.string(), text: z.string() }),
  z.object({
    type: z.literal("tool_called"),
    item,
    tool: z.string(),
    summary: z.string(),
    ok: z.boolean(),
    bytes: z.number().int(),
    bytes_left: z.number().int(),
  }),
  z.object({
    type: z.literal("gate_finished"),
    item,
    gate: z.string(),
    passed: z.boolean().nullable(),
    errors: z.number().int(),
    duration_ms: ms,
  }),
  z.object({
    type: z.literal("retry"),
    item: item.nullable(),
    what: z.string(),
    attempt: z.number().int(),
    wait_ms: ms,
    reason: z.string(),
  }),
  z.object({
    type: z.literal("budget"),
    scope: z.enum(["item", "run"]),
    what: z.enum(["tokens", "cost_usd", "tool_bytes"]),
    used: z.number(),
    limit: z.number(),
  }),
  z.object({ type: z.literal("checkpoint"), item, id: z.string(), stage: z.string() }),
  z.object({
    type: z.literal("verdict"),
    item,
    outcome: z.enum(["pass", "fail", "error"]),
    message: z.string(),
  }),
  z.object({
    type: z.literal("sandbox"),
    what: z.enum(["child_started", "child_killed", "child_retired", "unpacked", "level"]),
    detail: z.string(),
  }),
  z.object({
    type: z.literal("progress"),
    item: item.nullable(),
    what: z.string(),
    done: z.number(),
    total: z.number().nullable(),
  }),
  z.object({
    type: z.literal("log"),
    level: z.enum(["debug", "info", "warning", "error"]),
    item: item.nullable(),
    message: z.string(),
  }),
]);
export type EventBody = z.infer<typeof eventBodySchema>;

export const eventSchema = z.intersection(
  z.object({ seq: z.number().int(), at: z.string(), run: z.string() }),
  eventBodySchema,
);
export type Event = EventBody & { seq: number; at: string; run: string };

/** Where parts of the program send what happens. Must not throw. */
export type Emit = (event: EventBody) => void;
export type Listener = (event: Event) => void;
