// The ChatModel port: a vendor-neutral interface to language models.
import type { ToolSpec } from "../contract/tool-spec.ts";
import type { JsonObject } from "../core/json.ts";

export interface ToolCall {
  id: string;
  name: string;
  /** As sent by the model; may be malformed JSON. */
  arguments: string;
}

export type ChatMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string }
  | { role: "assistant"; content: string; tool_calls?: ToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

/** Name of a role: its settings are `llm.<name>` of the configuration. */
export type ModelRole = string;

/** Format of a reply, for servers that can enforce it. The caller still validates the reply. */
export interface ReplyFormat {
  name: string;
  /** JSON Schema of the one object that the reply is. */
  schema: JsonObject;
}

export interface ChatRequest {
  role: ModelRole;
  messages: ChatMessage[];
  tools: ToolSpec[];
  format?: ReplyFormat;
}

export interface Usage {
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  /** The server reported no usage; the numbers are estimated from the length of the text. */
  estimated?: boolean;
}

export interface ChatReply {
  content: string;
  tool_calls: ToolCall[];
  finish_reason: "stop" | "tool_calls" | "length" | "content_filter" | "other";
  /** Set when the model refused to answer. */
  refusal?: string;
  usage: Usage;
  /** US dollars, null when the price of the model is unknown. */
  cost_usd: number | null;
  model: string;
}

export interface ChatContext {
  signal: AbortSignal;
  /** Time of `performance.now()` after which no further attempt is made. */
  deadline?: number;
  onDelta?: (text: string) => void;
  /** Called when a reply ended early after part of it arrived: it was billed and must be stored. Awaited before the next
   * attempt. */
  onPartial?: (partial: ChatReply) => Promise<void>;
}

/** Throws AtomsmithError of kind `provider`, `rate_limit`, `budget` or `interrupted`; returns every billed reply, even
 * one cut at its length limit. */
export interface ChatModel {
  readonly name: string;
  complete(request: ChatRequest, context: ChatContext): Promise<ChatReply>;
}
