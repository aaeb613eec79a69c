// The turn log: every reply of a model that was paid for, written down before anything acts on it. A resumed
// stage asks the log first, so no reply is bought twice. The store keeps it as `agent_turns.jsonl`.
import { z } from "zod";
import { hashJson } from "../core/hash.ts";
import type { JsonObject } from "../core/json.ts";
import type { ChatReply, ChatRequest, Usage } from "./types.ts";

const toolCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() });

export const messageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), content: z.string() }),
  z.object({ role: z.literal("user"), content: z.string() }),
  z.object({
    role: z.literal("assistant"),
    content: z.string(),
    tool_calls: z.array(toolCall).exactOptional(),
  }),
  z.object({ role: z.literal("tool"), tool_call_id: z.string(), content: z.string() }),
]);

export const replySchema = z.object({
  content: z.string(),
  tool_calls: z.array(toolCall),
  finish_reason: z.enum(["stop", "tool_calls", "length", "content_filter", "other"]),
  refusal: z.string().exactOptional(),
  usage: z.object({
    input_tokens: z.number().int(),
    cached_tokens: z.number().int(),
    output_tokens: z.number().int(),
    estimated: z.boolean().exactOptional(),
  }),
  cost_usd: z.number().nullable(),
  model: z.string(),
});

/** One line of `agent_turns.jsonl`. Text in it is already masked. */
export const agentTurnSchema = z.object({
  format: z.literal(1),
  /** `reply` answers a resumed stage; `partial` is a reply that broke off: paid for, kept to read, never
   * used as an answer. */
  record: z.enum(["reply", "partial"]),
  key: z.string(),
  at: z.string(),
  stage: z.string(),
  iteration: z.number().int(),
  /** Number of the model call within the stage, from 0. */
  index: z.number().int(),
  role: z.string(),
  /** The messages that are new since the turn before it in the same conversation. */
  messages: z.array(messageSchema),
  /** How many messages the whole request had. */
  messages_total: z.number().int(),
  tools: z.array(z.string()),
  reply: replySchema,
  duration_ms: z.number(),
});
export type AgentTurn = z.infer<typeof agentTurnSchema>;

/** Where the turns of one subject are kept. The log belongs to one run of it, from its start to its end: whoever
 * starts over (changed page, `--force`) starts a new log. */
export interface TurnLog {
  /** Resolves when the turn is flushed to disk; nothing acts on a reply before that. */
  appendTurn(turn: AgentTurn): Promise<void>;
  /** The stored `reply` with this key (`partial` turns are never found). */
  findTurn(key: string): Promise<AgentTurn | undefined>;
  /** All turns in the order they were appended, `partial` ones too. */
  listTurns(): AgentTurn[];
}

/** Where lines of JSON are kept; `src/store`'s TurnFile is one. `append` resolves when the line is flushed. */
export interface TurnLines {
  append(line: JsonObject): Promise<void>;
  all(): readonly JsonObject[];
}

/** A turn log over lines of a file. Lines that are no turns of this format are passed over: what they answered
 * is asked again. */
export function turnLogOver(lines: TurnLines): TurnLog {
  const turns = lines.all().flatMap((line) => {
    const parsed = agentTurnSchema.safeParse(line);
    return parsed.success ? [parsed.data] : [];
  });
  const byKey = new Map(turns.filter((turn) => turn.record === "reply").map((turn) => [turn.key, turn]));
  return {
    appendTurn: async (turn) => {
      await lines.append(turn as unknown as JsonObject);
      turns.push(turn);
      if (turn.record === "reply") byKey.set(turn.key, turn);
    },
    findTurn: async (key) => byKey.get(key),
    listTurns: () => [...turns],
  };
}

/** A log that lives as long as the process; for tests and for one-off calls such as `doctor --provider`. */
export function memoryTurnLog(): TurnLog {
  const lines: JsonObject[] = [];
  return turnLogOver({ append: async (line) => void lines.push(line), all: () => lines });
}

/** Identity of a model call: where it stands in the run and what it asks. */
export function turnKey(
  place: { stage: string; iteration: number; index: number },
  request: ChatRequest,
): string {
  return `${place.stage}/${place.iteration}/${place.index}/${requestHash(request)}`;
}

/** 16 hex digits over everything of a request that the model sees. */
function requestHash(request: ChatRequest): string {
  return hashJson({
    role: request.role,
    messages: request.messages,
    tools: request.tools.map((tool) => tool.name),
  }).slice(0, 16);
}

export interface UsageTotal extends Usage {
  calls: number;
  /** null when one call had no known price. */
  cost_usd: number | null;
  /** US dollars of the calls whose price is known. */
  known_cost_usd: number;
}

export const NO_USAGE: UsageTotal = {
  calls: 0,
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  cost_usd: 0,
  known_cost_usd: 0,
};

/** Sum of what replies cost. */
export function addUsage(total: UsageTotal, reply: Pick<ChatReply, "usage" | "cost_usd">): UsageTotal {
  return {
    calls: total.calls + 1,
    input_tokens: total.input_tokens + reply.usage.input_tokens,
    cached_tokens: total.cached_tokens + reply.usage.cached_tokens,
    output_tokens: total.output_tokens + reply.usage.output_tokens,
    cost_usd: total.cost_usd === null || reply.cost_usd === null ? null : total.cost_usd + reply.cost_usd,
    known_cost_usd: total.known_cost_usd + (reply.cost_usd ?? 0),
  };
}
