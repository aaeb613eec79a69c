// Makes one model request through the turn log: a reply is stored before anything acts on it, and a stored reply is
// never requested again.
import type { Clock } from "../core/clock.ts";
import type { Emit } from "../core/events.ts";
import type { Redact } from "../core/redact/index.ts";
import { replayedCall } from "../llm/replayed.ts";
import type { AgentTurn, TurnLog } from "../llm/turns.ts";
import type { ChatContext, ChatModel, ChatReply, ChatRequest } from "../llm/types.ts";
import { DeltaBuffer } from "./delta-buffer.ts";

export interface AskOptions {
  model: ChatModel;
  turns: TurnLog;
  signal: AbortSignal;
  clock: Clock;
  /** Deadline of the stage, in time of `clock`. */
  deadline: number;
  emit: Emit;
  stream: boolean;
  /** Masks secrets in everything that is sent or stored. */
  redact: Redact;
}

/** Position of a call in its run. */
export interface AskPlace {
  stage: string;
  iteration: number;
  index: number;
}

/** Returns the reply to a request, from the turn log if it is stored there.
 * @param log the lookup key, and the number of messages that earlier turns have recorded */
export async function askLogged(
  options: AskOptions,
  request: ChatRequest,
  place: AskPlace,
  log: { key: string; portableKey?: string | undefined; recorded: number },
): Promise<ChatReply> {
  const { model, turns, signal, deadline, stream, clock, redact, emit } = options;
  const { portableKey } = log;
  const stored =
    (await turns.findTurn(log.key)) ??
    (portableKey === undefined ? undefined : await turns.findTurn(portableKey));
  if (stored) {
    emit(replayedCall(request.role, stored.reply));
    return stored.reply;
  }
  const started = clock.now();
  const turn = (record: AgentTurn["record"], key: string, reply: ChatReply): AgentTurn => ({
    format: 1,
    record,
    key,
    ...(portableKey === undefined || record === "partial" ? {} : { portable_key: portableKey }),
    at: new Date().toISOString(),
    ...place,
    role: request.role,
    messages: request.messages.slice(log.recorded),
    messages_total: request.messages.length,
    tools: request.tools.map((tool) => tool.name),
    reply,
    duration_ms: Math.round(clock.now() - started),
  });
  const delta = new DeltaBuffer(redact, (text) => emit({ type: "model_delta", role: request.role, text }));
  const context: ChatContext = {
    signal,
    deadline,
    ...(stream ? { onDelta: (text: string) => delta.add(text) } : {}),
    onPartial: (partial) => turns.appendTurn(turn("partial", `${log.key}/partial`, partial)),
  };
  const reply = await model.complete(request, context);
  delta.flush();
  await turns.appendTurn(turn("reply", log.key, reply));
  return reply;
}
