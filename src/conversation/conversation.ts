// One conversation with a model: the messages so far, and the rule that a reply is stored before anything acts on it
// and is never paid for twice. Independent of the loops, their tools and prompts.
import type { ToolSpec } from "../contract/tool-spec.ts";
import { truncate } from "../core/limits.ts";
import { turnKey } from "../llm/turns.ts";
import type { ChatMessage, ChatReply, ModelRole, ReplyFormat, ToolCall } from "../llm/types.ts";
import { type AskOptions, askLogged } from "./logged-ask.ts";

/** Maximum size of an earlier reply in the next request. */
const MAX_ECHO_BYTES = 64 * 1024;

export interface ConversationOptions extends AskOptions {
  role: ModelRole;
  stage: string;
  iteration: number;
  tools: ToolSpec[];
  /** Format of the replies, for servers that can enforce it. */
  format?: ReplyFormat;
  /** Configuration key that sets the deadline, for the error message. */
  deadlineKey: string;
}

export class Conversation {
  readonly options: ConversationOptions;
  private readonly messages: ChatMessage[];
  private index = 0;
  /** Number of messages that earlier turns have recorded. */
  private recorded: number;

  constructor(options: ConversationOptions, messages: ChatMessage[], recorded = 0) {
    this.options = options;
    this.messages = messages.map((m) => ({ ...m, content: options.redact(m.content) }));
    this.recorded = recorded;
  }

  /** A copy of the conversation so far, to be continued under another stage name. */
  fork(stage: string): Conversation {
    return new Conversation({ ...this.options, stage }, this.messages, this.messages.length);
  }

  say(text: string): void {
    this.messages.push({ role: "user", content: this.options.redact(text) });
  }

  /** Answers the open calls of the last reply: servers reject a request with an unanswered call. */
  answerOpenCalls(text: string): void {
    const answered = new Set(this.messages.flatMap((m) => (m.role === "tool" ? [m.tool_call_id] : [])));
    const last = this.messages.findLast((m) => m.role === "assistant");
    for (const call of last?.tool_calls ?? []) if (!answered.has(call.id)) this.answer(call.id, text);
  }

  answer(callId: string, text: string): void {
    this.messages.push({ role: "tool", tool_call_id: callId, content: this.options.redact(text) });
  }

  /** Gets the next reply, from the turn log if it is stored there, and appends it to the messages. */
  async ask(): Promise<ChatReply> {
    const { role, stage, iteration, tools, format, turns } = this.options;
    const request = { role, messages: [...this.messages], tools, ...(format ? { format } : {}) };
    const place = { stage, iteration, index: this.index };
    const reply = await askLogged(this.options, request, place, {
      key: turnKey(place, request),
      portableKey: turns.portable && turnKey(place, request, turns.portable),
      recorded: this.recorded,
    });
    this.index += 1;
    this.append(reply);
    this.recorded = this.messages.length;
    return reply;
  }

  /** Adds a reply to the messages. Several servers reject empty messages, so an empty reply gets a placeholder. */
  private append(reply: ChatReply): void {
    const calls = reply.tool_calls;
    const content = truncate(reply.content || (reply.refusal ?? ""), MAX_ECHO_BYTES).text;
    this.messages.push({
      role: "assistant",
      content: content === "" && calls.length === 0 ? "(empty reply)" : content,
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(limitArguments) }),
    });
  }
}

/** A call for the next request: arguments that are too long are replaced by an object with their size. */
function limitArguments(call: ToolCall): ToolCall {
  const bytes = Buffer.byteLength(call.arguments);
  return bytes <= MAX_ECHO_BYTES ? call : { ...call, arguments: JSON.stringify({ cut: `${bytes} bytes` }) };
}
