// Tools for servers and models without tool support: the tools are described in the instructions, a call is a fenced
// JSON block in the reply, and a result is a user message. Implements the quirk `no_tools`.
import { isJsonObject } from "../core/json.ts";
import type { ToolCall } from "./types.ts";
import type { WireBody, WireMessage, WireTool } from "./wire.ts";

/** Converts a body: tool descriptions, earlier calls and results become text. */
export function toolsAsText(body: WireBody): WireBody {
  const { tools, parallel_tool_calls: _, ...rest } = body;
  if (tools === undefined) return body;
  const [first, ...others] = rest.messages.map(asText);
  const described = describeTools(tools);
  const messages: WireMessage[] =
    first?.role === "system"
      ? [{ ...first, content: `${first.content}\n\n${described}` }, ...others]
      : [{ role: "system", content: described }, ...(first ? [first, ...others] : [])];
  return { ...rest, messages };
}

/** Extracts calls in fenced blocks from a reply; returns them and the rest of the reply. */
export function callsFromText(content: string): { content: string; toolCalls: ToolCall[] } {
  const toolCalls: ToolCall[] = [];
  // Calls inside the model's reasoning do not count.
  const answer = content.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/, "");
  const kept = answer.replace(/^```tool[ \t]*\n([\s\S]*?)^```[ \t]*$/gm, (_, text: string) => {
    toolCalls.push(readCall(text, toolCalls.length));
    return "";
  });
  return { content: toolCalls.length === 0 ? content : kept.trim(), toolCalls };
}

function describeTools(tools: readonly WireTool[]): string {
  const list = tools.map(
    ({ function: f }) => `- ${f.name}: ${f.description}\n  arguments: ${JSON.stringify(f.parameters)}`,
  );
  return [
    "# Calling tools",
    "Call a tool by writing a fenced block with one JSON object, as often as you need, and then stop:",
    "```tool",
    '{"name": "list_available_files", "arguments": {"patterns": ["*.log"]}}',
    "```",
    "The results come in the next message. The tools are:",
    ...list,
  ].join("\n");
}

function asText(message: WireMessage): WireMessage {
  if (message.role === "tool") {
    return { role: "user", content: `Result of the call ${message.tool_call_id}:\n${message.content}` };
  }
  if (message.role !== "assistant" || message.tool_calls === undefined) return message;
  const calls = message.tool_calls.map(
    (call) =>
      `\`\`\`tool\n{"name": ${JSON.stringify(call.function.name)}, "arguments": ${call.function.arguments}}\n\`\`\``,
  );
  return { role: "assistant", content: [message.content ?? "", ...calls].join("\n").trim() };
}

/** A block that is not a JSON object with a name becomes a call with malformed arguments, which is answered with an error
 * like any other malformed call. */
function readCall(text: string, index: number): ToolCall {
  const id = `text_${index}`;
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value) && typeof value["name"] === "string") {
      return { id, name: value["name"], arguments: JSON.stringify(value["arguments"] ?? {}) };
    }
  } catch {
    // Reported in the answer to the call.
  }
  return { id, name: /"name":\s*"(\w+)"/.exec(text)?.[1] ?? "unreadable", arguments: text };
}
