// Tools for servers and models that know none: the tools are described in the instructions, a call is a fenced
// block of JSON in the reply, and a result is a message of the user. The quirk `no_tools` is made of this.
import { isJsonObject } from "../core/json.ts";
import type { ToolCall } from "./types.ts";
import type { WireBody, WireMessage, WireTool } from "./wire.ts";

/** The body without tools: descriptions and earlier calls and results as text. */
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

/** Calls that stand in a reply as fenced blocks, and the reply without them. */
export function callsFromText(content: string): { content: string; toolCalls: ToolCall[] } {
  const toolCalls: ToolCall[] = [];
  // What a model thinks of calling is no call.
  const said = content.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/, "");
  const kept = said.replace(/^```tool[ \t]*\n([\s\S]*?)^```[ \t]*$/gm, (_, text: string) => {
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

/** A block that is no JSON object with a name becomes a call whose arguments are malformed: it is answered with
 * what is wrong, like any other malformed call. */
function readCall(text: string, index: number): ToolCall {
  const id = `text_${index}`;
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value) && typeof value["name"] === "string") {
      return { id, name: value["name"], arguments: JSON.stringify(value["arguments"] ?? {}) };
    }
  } catch {
    // Said by the answer to the call.
  }
  return { id, name: /"name":\s*"(\w+)"/.exec(text)?.[1] ?? "unreadable", arguments: text };
}
