// One conversation with a model: the messages so far, and the rule that a reply is written down before anything
// acts on it and is never bought twice. Knows nothing of loops, their tools or their words.

import type { ToolSpec } from "../contract/tool-spec.ts";
import { truncate } from "../core/limits.ts";
import { turnKey } from "../llm/turns.ts";
import type { ChatMessage, ChatReply, ModelRole, ReplyFormat, ToolCall } from "../llm/types.ts";
import { type AskOptions, askLogged } from "./logged-ask.ts";

/** Bytes of an earlier reply that are sent along in the next request. */
const MAX_ECHO_BYTES = 64 * 1024;

export interface ConversationOptions extends AskOptions {
  role: ModelRole;
  stage: string;
  iteration: number;
  tools: ToolSpec[];
  /** The form of the replies, for servers that can hold a model to it. */
  format?: ReplyFormat;
  /** Key of the configuration that sets the deadline, for the error that says it is over. */
  deadlineKey: string;
}

export class Conversation {
  readonly options: ConversationOptions;
  private readonly messages: ChatMessage[];
  private index = 0;
  /** How many of the messages earlier turns have already recorded. */
  private recorded: number;

  constructor(options: ConversationOptions, messages: ChatMessage[], recorded = 0) {
    this.options = options;
    this.messages = messages.map((m) => ({ ...m, content: options.redact(m.content) }));
    this.recorded = recorded;
  }

  /** The same conversation up to here, to be continued under another stage name. */
  fork(stage: string): Conversation {
    return new Conversation({ ...this.options, stage }, this.messages, this.messages.length);
  }

  say(text: string): void {
    this.messages.push({ role: "user", content: this.options.redact(text) });
  }

  /** Answers the calls of the last reply that nobody answered: servers refuse a request that leaves one open. */
  answerOpenCalls(text: string): void {
    const answered = new Set(this.messages.flatMap((m) => (m.role === "tool" ? [m.tool_call_id] : [])));
    const last = this.messages.findLast((m) => m.role === "assistant");
    for (const call of last?.tool_calls ?? []) if (!answered.has(call.id)) this.answer(call.id, text);
  }

  answer(callId: string, text: string): void {
    this.messages.push({ role: "tool", tool_call_id: callId, content: this.options.redact(text) });
  }

  /** Asks for the next reply, from the turn log if it is there, and appends it to the messages. */
  async ask(): Promise<ChatReply> {
    const { role, stage, iteration, tools, format } = this.options;
    const request = { role, messages: [...this.messages], tools, ...(format ? { format } : {}) };
    const place = { stage, iteration, index: this.index };
    const reply = await askLogged(this.options, request, place, {
      key: turnKey(place, request),
      recorded: this.recorded,
    });
    this.index += 1;
    this.append(reply);
    this.recorded = this.messages.length;
    return reply;
  }

  /** What is sent along of a reply. Several servers refuse empty messages: an empty reply says that it was. */
  private append(reply: ChatReply): void {
    const calls = reply.tool_calls;
    const content = truncate(reply.content || (reply.refusal ?? ""), MAX_ECHO_BYTES).text;
    this.messages.push({
      role: "assistant",
      content: content === "" && calls.length === 0 ? "(empty reply)" : content,
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(shortened) }),
    });
  }
}

/** A call as it is sent along: arguments that are too long become an object that says so. */
function shortened(call: ToolCall): ToolCall {
  const bytes = Buffer.byteLength(call.arguments);
  return bytes <= MAX_ECHO_BYTES ? call : { ...call, arguments: JSON.stringify({ cut: `${bytes} bytes` }) };
}
