// The turn log: every paid reply of a model, stored before anything acts on it. A resumed stage consults the log first,
// so no reply is paid for twice. The store keeps it as `agent_turns.jsonl`.
import { z } from "zod";
import { hashJson } from "../core/hash.ts";
import type { JsonObject } from "../core/json.ts";
import { type Normalize, normalRequest } from "./normal-request.ts";
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

/** One line of `agent_turns.jsonl`. Its text is masked already. */
export const agentTurnSchema = z.object({
  format: z.literal(1),
  /** `reply` is used by a resumed stage; `partial` is an incomplete reply: paid for, kept for reading, never used as an
   * answer. */
  record: z.enum(["reply", "partial"]),
  key: z.string(),
  /** The key without what differs between machines: where workers of a fleet see the logs below different folders. */
  portable_key: z.string().exactOptional(),
  at: z.string(),
  stage: z.string(),
  iteration: z.number().int(),
  /** Number of the model call within the stage, from 0. */
  index: z.number().int(),
  role: z.string(),
  /** The messages added since the previous turn of the same conversation. */
  messages: z.array(messageSchema),
  /** Number of messages of the whole request. */
  messages_total: z.number().int(),
  tools: z.array(z.string()),
  reply: replySchema,
  duration_ms: z.number(),
});
export type AgentTurn = z.infer<typeof agentTurnSchema>;

/** The stored turns of one subject. A log belongs to one run of it; starting over (changed page, `--force`) starts a new
 * log. */
export interface TurnLog {
  /** Resolves when the turn is flushed to disk; nothing may act on the reply before that. */
  appendTurn(turn: AgentTurn): Promise<void>;
  /** The stored `reply` with this key (`partial` turns are never found). */
  findTurn(key: string): Promise<AgentTurn | undefined>;
  /** All turns in the order they were appended, `partial` ones too. */
  listTurns(): AgentTurn[];
  /** Set if turns must also be found from other machines. */
  portable?: Normalize | undefined;
}

/** Storage for JSON lines, such as TurnFile of `src/store`. `append` resolves when the line is flushed. */
export interface TurnLines {
  append(line: JsonObject): Promise<void>;
  all(): readonly JsonObject[];
}

/** A turn log over the lines of a file. Lines of another format are ignored, so their replies are requested again. */
export function turnLogOver(lines: TurnLines, portable?: Normalize): TurnLog {
  const turns = lines.all().flatMap((line) => {
    const parsed = agentTurnSchema.safeParse(line);
    return parsed.success ? [parsed.data] : [];
  });
  const byKey = new Map<string, AgentTurn>();
  const index = (turn: AgentTurn): void => {
    if (turn.record !== "reply") return;
    byKey.set(turn.key, turn);
    if (turn.portable_key !== undefined) byKey.set(turn.portable_key, turn);
  };
  turns.forEach(index);
  return {
    portable,
    appendTurn: async (turn) => {
      await lines.append(turn as unknown as JsonObject);
      turns.push(turn);
      index(turn);
    },
    findTurn: async (key) => byKey.get(key),
    listTurns: () => [...turns],
  };
}

/** A log in memory, for tests and one-off calls such as `doctor --provider`. */
export function memoryTurnLog(): TurnLog {
  const lines: JsonObject[] = [];
  return turnLogOver({ append: async (line) => void lines.push(line), all: () => lines });
}

/** Identity of a model call: its position in the run and the hash of the request. */
export function turnKey(
  position: { stage: string; iteration: number; index: number },
  request: ChatRequest,
  normalize?: Normalize,
): string {
  const hash = normalize === undefined ? requestHash(request) : `p-${normalRequest(request, normalize).key}`;
  return `${position.stage}/${position.iteration}/${position.index}/${hash}`;
}

/** 16 hex digits: the hash of everything in the request that the model sees. */
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

/** Adds the usage of a reply to a total. */
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
