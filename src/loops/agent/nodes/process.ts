// process: one request for the current todo. Its tool calls are run by `tools`.
import { truncate } from "../../../core/limits.ts";
import type { NodeTime } from "../../../engine/index.ts";
import type { ChatReply, ToolCall } from "../../../llm/types.ts";
import { askInContext } from "../context/compaction.ts";
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { afterText, guarded, withUserText } from "../watch.ts";

/** Maximum bytes of a text, or of the arguments of a call, kept in later requests. */
const MAX_ECHO_BYTES = 64 * 1024;

export async function process(
  state: AgentState,
  services: AgentServices,
  time: NodeTime,
): Promise<AgentState> {
  const { state: asked, reply } = await askInContext(state, services, time, "process");
  const calls = withOwnIds(reply.tool_calls, asked);
  const content = services.redact(truncate(reply.content || (reply.refusal ?? ""), MAX_ECHO_BYTES).text);
  if (calls.length > 0) {
    const message = { role: "assistant" as const, content, tool_calls: calls.map(shortened) };
    return { ...asked, messages: [...asked.messages, message], pending: calls };
  }
  const text = { role: "assistant" as const, content: content === "" ? "(empty reply)" : content };
  const answer = services.say(reply.finish_reason === "length" ? "cut" : "go_on");
  const heard = {
    ...asked,
    messages: withUserText([...asked.messages, text], answer),
    watch: afterText(asked.watch, content),
  };
  return guarded(heard, services);
}

/** Some servers give every call the same id; strict ones reject a conversation with duplicate ids. */
function withOwnIds(calls: ChatReply["tool_calls"], state: AgentState): ToolCall[] {
  const used = new Set(
    state.messages.flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : [])),
  );
  return calls.map((call, index) => {
    const id = call.id === "" || used.has(call.id) ? `call_${state.requests}_${index}` : call.id;
    used.add(id);
    return { ...call, id };
  });
}

/** A call as it is kept in the conversation: arguments that are too long are replaced by a note. */
function shortened(call: ToolCall): ToolCall {
  const bytes = Buffer.byteLength(call.arguments);
  return bytes <= MAX_ECHO_BYTES ? call : { ...call, arguments: JSON.stringify({ cut: `${bytes} bytes` }) };
}
