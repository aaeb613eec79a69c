// Keeps a conversation small without losing information: older tool results are replaced by a line with the path of
// the full result.
import type { ChatMessage } from "../../../llm/types.ts";
import { resultPath } from "../tools/calls.ts";

/** True when the text is already a replacement. */
const PLACEHOLDER = /^\[older result: see [^\n\]]+\]$/;

/** The conversation with all but the latest `keep` results replaced.
 * @param calls number of the last call in it: calls are numbered without gaps */
export function cleared(messages: readonly ChatMessage[], calls: number, keep: number): ChatMessage[] {
  const names = new Map(
    messages.flatMap((message) =>
      message.role === "assistant"
        ? (message.tool_calls ?? []).map((call) => [call.id, call.name] as const)
        : [],
    ),
  );
  const results = messages.filter((message) => message.role === "tool").length;
  let seen = 0;
  return messages.map((message) => {
    if (message.role !== "tool") return message;
    seen += 1;
    if (results - seen < keep || PLACEHOLDER.test(message.content)) return message;
    const path = resultPath(calls - (results - seen), names.get(message.tool_call_id) ?? "");
    return { ...message, content: `[older result: see ${path}]` };
  });
}
