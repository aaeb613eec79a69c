// One conversation with a model: the messages so far, and the rule that a reply is stored before anything acts on it
// and is never paid for twice. Independent of the loops, their tools and prompts.

import type { ToolSpec } from "../contract/tool-spec.ts";
import type { Emit } from "../core/events.ts";
import { truncate } from "../core/limits.ts";
import type { Redact } from "../core/redact.ts";
import type { Clock } from "../llm/clock.ts";
import { replayedCall } from "../llm/replayed.ts";
import { type AgentTurn, type TurnLog, turnKey } from "../llm/turns.ts";
import type {
  ChatContext,
  ChatMessage,
  ChatModel,
  ChatReply,
  ModelRole,
  ReplyFormat,
  ToolCall,
} from "../llm/types.ts";

/** Maximum size of an earlier reply in the next request. */
const MAX_ECHO_BYTES = 64 * 1024;
/** Streamed text is emitted in pieces of about this many characters. */
const DELTA_CHARS = 80;

export interface ConversationOptions {
  model: ChatModel;
  role: ModelRole;
  turns: TurnLog;
  stage: string;
  iteration: number;
  tools: ToolSpec[];
  /** The form of the replies, for servers that can hold a model to it. */
  format?: ReplyFormat;
  signal: AbortSignal;
  clock: Clock;
  /** Time of `clock` at which the stage ends. */
  deadline: number;
  /** Configuration key that sets the deadline, for the error message. */
  deadlineKey: string;
  emit: Emit;
  stream: boolean;
  /** Masks secrets in every message, and so in everything that is sent or stored. */
  redact: Redact;
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
    const { role, turns, stage, iteration, tools, format } = this.options;
    const request = { role, messages: [...this.messages], tools, ...(format ? { format } : {}) };
    const key = turnKey({ stage, iteration, index: this.index }, request);
    const stored = await turns.findTurn(key);
    const reply = stored ? this.replay(stored.reply) : await this.requestReply(key, request);
    this.index += 1;
    this.append(reply);
    this.recorded = this.messages.length;
    return reply;
  }

  private async requestReply(key: string, request: Parameters<ChatModel["complete"]>[0]): Promise<ChatReply> {
    const { model, turns, signal, deadline, stream, clock } = this.options;
    const started = clock.now();
    const delta = new DeltaBuffer((text) => this.emitDelta(text));
    const context: ChatContext = {
      signal,
      deadline,
      ...(stream ? { onDelta: (text: string) => delta.add(text) } : {}),
      onPartial: (partial) =>
        turns.appendTurn(this.turn("partial", `${key}/partial`, request.messages, partial, started)),
    };
    const reply = await model.complete(request, context);
    delta.flush();
    await turns.appendTurn(this.turn("reply", key, request.messages, reply, started));
    return reply;
  }

  private turn(
    record: AgentTurn["record"],
    key: string,
    messages: ChatMessage[],
    reply: ChatReply,
    started: number,
  ): AgentTurn {
    const { stage, iteration, role, tools } = this.options;
    return {
      format: 1,
      record,
      key,
      at: new Date().toISOString(),
      stage,
      iteration,
      index: this.index,
      role,
      messages: messages.slice(this.recorded),
      messages_total: messages.length,
      tools: tools.map((tool) => tool.name),
      reply,
      duration_ms: Math.round(this.options.clock.now() - started),
    };
  }

  private replay(reply: ChatReply): ChatReply {
    this.options.emit(replayedCall(this.options.role, reply));
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

  private emitDelta(text: string): void {
    const { emit, role, redact } = this.options;
    emit({ type: "model_delta", role, text: redact(text) });
  }
}

/** A call for the next request: arguments that are too long are replaced by an object with their size. */
function limitArguments(call: ToolCall): ToolCall {
  const bytes = Buffer.byteLength(call.arguments);
  return bytes <= MAX_ECHO_BYTES ? call : { ...call, arguments: JSON.stringify({ cut: `${bytes} bytes` }) };
}

/** Collects the chunks of a stream into pieces large enough for an event. */
class DeltaBuffer {
  private text = "";
  private readonly send: (text: string) => void;

  constructor(send: (text: string) => void) {
    this.send = send;
  }

  add(text: string): void {
    this.text += text;
    if (this.text.length >= DELTA_CHARS) this.flush();
  }

  flush(): void {
    if (this.text !== "") this.send(this.text);
    this.text = "";
  }
}
