// Asks the model for the proposal of an attempt. A reply is stored before anything acts on it, and a stored reply is
// never requested again.
import { Conversation } from "../../conversation/conversation.ts";
import { AtomsmithError } from "../../core/errors.ts";
import type { Emit } from "../../core/events.ts";
import { addUsage, NO_USAGE, type TurnLog, type UsageTotal } from "../../llm/turns.ts";
import type { ChatMessage, ChatReply, ReplyFormat } from "../../llm/types.ts";
import type { RunContext } from "../../run/context.ts";

/** Model role of the loop. */
export const FACTORY_ROLE = "factory";

export interface Question {
  stage: string;
  iteration: number;
  messages: ChatMessage[];
  format: ReplyFormat;
  signal: AbortSignal;
}

/** A conversation that can be continued. */
export interface Dialogue {
  /** The text of the next reply, or the reason why it is not usable. */
  next(): Promise<{ ok: true; text: string } | { ok: false; problem: string; text: string }>;
  say(text: string): void;
}

export type Ask = (question: Question) => Dialogue;

export interface AskOptions {
  run: RunContext;
  turns: TurnLog;
  emit: Emit;
  /** Id of the work order or plan, in events and cassettes. */
  subject: string;
  /** Replaced by a constant in the keys of cassettes. */
  root: string;
}

/** Creates the function that calls the model of the loop's role. Throws kind `config` if the role is not usable. */
export function createAsk({ run, turns, emit, subject, root }: AskOptions): Ask {
  const { llm, config } = run;
  const spent = usageOf(turns);
  const model = llm.model(FACTORY_ROLE, {
    cassette: subject,
    ledger: llm.ledger("factory", { subject, spent }, emit),
    emit,
    searchRoot: root,
  });
  return ({ stage, iteration, messages, format, signal }) => {
    const conversation = new Conversation(
      {
        model,
        role: FACTORY_ROLE,
        turns,
        stage,
        iteration,
        tools: [],
        format,
        signal,
        clock: llm.clock,
        deadline: llm.clock.now() + config.execution.timeout_per_stage * 1000,
        deadlineKey: "execution.timeout_per_stage",
        emit,
        stream: config.execution.enable_streaming,
        redact: run.redact,
      },
      messages,
    );
    return {
      say: (text) => conversation.say(text),
      next: async () => {
        if (signal.aborted) throw interruption(signal);
        const reply = await conversation.ask();
        const problem = problemOf(reply);
        return problem === undefined
          ? { ok: true, text: reply.content }
          : { ok: false, problem, text: reply.content || (reply.refusal ?? "") };
      },
    };
  };
}

/** Cost of the stored replies, including incomplete ones. */
export function usageOf(turns: TurnLog): UsageTotal {
  return turns.listTurns().reduce((total, { reply }) => addUsage(total, reply), NO_USAGE);
}

/** The reason why a reply is not usable, independent of its text. */
function problemOf(reply: ChatReply): string | undefined {
  if (reply.refusal !== undefined) return `the model refused: ${reply.refusal}`;
  if (reply.finish_reason === "length") {
    return `the reply was cut at its length limit (${reply.usage.output_tokens} tokens); llm.factory.max_tokens raises it`;
  }
  if (reply.finish_reason === "content_filter") return "a content filter of the server stopped the reply";
  if (reply.tool_calls.length > 0) return "the reply calls a tool, but no tools are offered";
  return undefined;
}

function interruption(signal: AbortSignal): AtomsmithError {
  const { reason } = signal;
  return reason instanceof AtomsmithError ? reason : new AtomsmithError("interrupted", "interrupted");
}
