// The body of a chat completions request, before quirks are applied.
import type { JsonObject } from "../core/json.ts";
import type { ChatMessage, ChatRequest } from "./types.ts";

export interface WireToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export type WireMessage =
  | { role: "system" | "developer"; content: string }
  | { role: "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: WireToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

export interface WireTool {
  type: "function";
  function: { name: string; description: string; parameters: JsonObject };
}

export interface WireBody {
  model: string;
  messages: WireMessage[];
  tools?: WireTool[];
  parallel_tool_calls?: boolean;
  temperature?: number;
  max_tokens?: number;
  max_completion_tokens?: number;
  reasoning_effort?: string;
  stream: boolean;
  stream_options?: { include_usage: boolean };
  response_format?:
    | { type: "json_schema"; json_schema: { name: string; schema: JsonObject } }
    | { type: "json_object" };
}

/** The settings of a role that are part of the body. */
export interface WireSettings {
  model: string;
  temperature: number | undefined;
  maxTokens: number | undefined;
  reasoningEffort: string | undefined;
}

/** Builds the standard body that every compatible server should accept. */
export function toWire(request: ChatRequest, settings: WireSettings, stream: boolean): WireBody {
  return {
    model: settings.model,
    messages: request.messages.map(wireMessage),
    ...(request.tools.length === 0
      ? {}
      : {
          tools: request.tools.map((tool) => ({
            type: "function" as const,
            function: { name: tool.name, description: tool.description, parameters: tool.parameters },
          })),
        }),
    ...(request.format === undefined
      ? {}
      : { response_format: { type: "json_schema" as const, json_schema: { ...request.format } } }),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.maxTokens === undefined ? {} : { max_tokens: settings.maxTokens }),
    ...(settings.reasoningEffort === undefined ? {} : { reasoning_effort: settings.reasoningEffort }),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
  };
}

function wireMessage(message: ChatMessage): WireMessage {
  if (message.role !== "assistant") return message;
  const calls = message.tool_calls ?? [];
  if (calls.length === 0) return { role: "assistant", content: message.content };
  return {
    role: "assistant",
    content: message.content === "" ? null : message.content,
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: "function",
      // Some servers parse the arguments of earlier turns again and fail on their own malformed ones.
      function: { name: call.name, arguments: validJson(call.arguments) ? call.arguments : "{}" },
    })),
  };
}

function validJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
