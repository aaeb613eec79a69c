// The events of the agent loop: nodes, todos, composition of a request, compaction, stuck warnings, the end.
import { z } from "zod";
import type { Emit, EventBody } from "../core/events.ts";

export const agentEventBodySchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("job_started"),
    agent: z.string(),
    resumed: z.boolean(),
    workspace: z.string(),
  }),
  z.object({ type: z.literal("node_started"), node: z.string(), phase: z.string() }),
  z.object({
    type: z.literal("phase_started"),
    number: z.number().int().nullable(),
    name: z.string(),
    total: z.number().int().nullable(),
    todos: z.number().int(),
  }),
  z.object({
    type: z.literal("todo_finished"),
    id: z.string(),
    text: z.string(),
    done: z.number().int(),
    total: z.number().int(),
  }),
  z.object({
    type: z.literal("context"),
    request: z.number().int(),
    system_tokens: z.number().int(),
    todo_tokens: z.number().int(),
    tool_tokens: z.number().int(),
    summary_tokens: z.number().int(),
    conversation_tokens: z.number().int(),
    total_tokens: z.number().int(),
    messages: z.number().int(),
  }),
  z.object({
    type: z.literal("compaction"),
    why: z.enum(["phase", "threshold", "emergency"]),
    tokens_before: z.number().int(),
    tokens_after: z.number().int(),
  }),
  z.object({
    type: z.literal("stuck"),
    reason: z.string(),
    measure: z.enum(["checkpoint", "rewind", "wait"]),
  }),
  z.object({ type: z.literal("rewound"), by: z.enum(["model", "program"]), issue: z.string() }),
  z.object({
    type: z.literal("job_finished"),
    status: z.enum(["completed", "failed", "cancelled", "waiting", "processing"]),
    message: z.string(),
    duration_ms: z.number(),
  }),
]);
export type AgentEventBody = z.infer<typeof agentEventBodySchema>;

/** Emits the events of one job and those of all loops. */
export type AgentEmit = Emit<EventBody | AgentEventBody>;
