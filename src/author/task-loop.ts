// The loop of one stage: ask, answer tool calls, judge what is handed in, say what is wrong with it, and stop
// when it is done, when the model asks a person, or when going on would only burn money.
import { AtomsmithError } from "../core/errors.ts";
import { hashJson } from "../core/hash.ts";
import { isJsonObject } from "../core/json.ts";
import type { ChatReply, ToolCall } from "../llm/types.ts";
import { type FileTools, TOOL_NAMES } from "../tools/types.ts";
import type { Conversation } from "./conversation.ts";
import { fenceData } from "./fence.ts";
import { nudge } from "./prompts.ts";
import { ASK_PERSON, askPersonArguments } from "./submit-tools.ts";
import type { GivenUp } from "./types.ts";

/** Replies of one stage at most. */
const MAX_TURNS = 30;
/** From this turn on no log is read any more. */
const LAST_READING_TURN = 24;
/** Times the same fault is answered before the stage is given up, and faults of all kinds together. */
const MAX_SAME_NUDGE = 2;
const MAX_NUDGES = 6;
/** Tool calls answered in one turn. */
const MAX_CALLS_PER_TURN = 16;
/** Times an identical call is answered. */
const MAX_SAME_CALL = 2;

/** What a task thinks of something handed in: done, or which nudge to answer with. `once` is for
 * a fault that is insisted on only once: when it comes again, this is taken. */
export type Judgement<T> =
  | { done: T }
  | { nudge: string; values?: Record<string, string | number>; once?: T; lastSource?: string };

export interface Task<T> {
  submitTool: string;
  fromCall(args: Record<string, unknown>): Judgement<T>;
  fromText(reply: string): Judgement<T>;
}

/** Runs a task to its end. Throws `provider` when the stage's time is over, and what the model throws. */
export async function runTask<T>(
  conversation: Conversation,
  task: Task<T>,
  files: FileTools | undefined,
): Promise<T | GivenUp> {
  const loop = new TaskLoop(conversation, task, files);
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    checkTime(conversation);
    const reply = await conversation.ask();
    const end = await loop.react(reply, turn >= LAST_READING_TURN);
    if (end !== undefined) return end;
  }
  return loop.giveUp(`the model took ${MAX_TURNS} turns without handing in an answer`);
}

class TaskLoop<T> {
  private readonly nudges = new Map<string, number>();
  private readonly calls = new Map<string, number>();
  private lastSource = "";
  private readonly conversation: Conversation;
  private readonly task: Task<T>;
  private readonly files: FileTools | undefined;

  constructor(conversation: Conversation, task: Task<T>, files: FileTools | undefined) {
    this.conversation = conversation;
    this.task = task;
    this.files = files;
  }

  /** Acts on one reply. Returns the end of the stage, or undefined to go on. */
  async react(reply: ChatReply, lastCall: boolean): Promise<T | GivenUp | undefined> {
    const fault = faultOf(reply);
    if (fault !== undefined) {
      for (const call of reply.tool_calls) this.conversation.answer(call.id, nudge(fault));
      return this.send(fault, {}, this.explain(fault, reply));
    }
    if (reply.tool_calls.length > 0) return this.answerCalls(reply.tool_calls, lastCall);
    return this.judge(this.task.fromText(reply.content));
  }

  /** The fault in words for the person who reads why it was given up. */
  private explain(fault: string, reply: ChatReply): string {
    const { role } = this.conversation.options;
    if (fault === "cut") {
      return `replies are cut off at their length limit (${reply.usage.output_tokens} tokens); raise llm.${role}.max_tokens`;
    }
    if (fault === "refused") return `the model refuses: ${reply.refusal ?? ""}`;
    return `the reply is ${fault}`;
  }

  private async answerCalls(calls: ToolCall[], lastCall: boolean): Promise<T | GivenUp | undefined> {
    // Reading comes first, so that work handed in beside it can be sent back with the results at hand.
    let read = 0;
    let submitted: { call: ToolCall; args: Record<string, unknown> } | undefined;
    let question: { args: Record<string, unknown> } | undefined;
    for (const [position, call] of calls.entries()) {
      const args = parseArguments(call.arguments);
      if (typeof args === "string") {
        this.conversation.answer(call.id, nudge("bad_arguments", { problem: args }));
        this.count("bad_arguments");
      } else if (call.name === this.task.submitTool) {
        if (submitted) this.conversation.answer(call.id, "Only the first submission of a turn is looked at.");
        else submitted = { call, args };
      } else if (call.name === ASK_PERSON) {
        question = { args };
        this.conversation.answer(call.id, "A person will be asked.");
      } else {
        if (position >= MAX_CALLS_PER_TURN || lastCall) {
          this.conversation.answer(call.id, nudge("no_more_calls", { tool: this.task.submitTool }));
        } else {
          read += (await this.read(call, args)) ? 1 : 0;
        }
      }
    }
    if (submitted) {
      const { call, args } = submitted;
      if (read > 0 && this.count("submit_after_results") <= 1) {
        this.conversation.answer(call.id, nudge("submit_after_results"));
        return undefined;
      }
      return this.judge(this.task.fromCall(args), call.id);
    }
    if (question) return this.asked(question.args);
    return this.tooMany("bad_arguments", "sent tool calls that are no JSON") ?? this.roundInCircles();
  }

  /** Answers one reading call. True when it showed something new. */
  private async read(call: ToolCall, args: Record<string, unknown>): Promise<boolean> {
    const isReading = (TOOL_NAMES as readonly string[]).includes(call.name);
    if (isReading && !this.files) {
      this.conversation.answer(call.id, nudge("no_more_calls", { tool: this.task.submitTool }));
      this.count("unknown_tool");
      return false;
    }
    if (!this.files || !isReading) {
      const tools = [...(this.files ? TOOL_NAMES : []), this.task.submitTool, ASK_PERSON].join(", ");
      this.conversation.answer(call.id, nudge("unknown_tool", { name: call.name.slice(0, 60), tools }));
      this.count("unknown_tool");
      return false;
    }
    const key = hashJson([call.name, args]);
    const count = (this.calls.get(key) ?? 0) + 1;
    this.calls.set(key, count);
    if (count > MAX_SAME_CALL) {
      this.conversation.answer(call.id, nudge("same_call", { count: count - 1 }));
      return false;
    }
    const result = await this.files.call(call.name, args);
    const left = `${this.files.bytesLeft()} of ${this.files.limits.maxTotalBytes} bytes of reading are left.`;
    // A refusal is the program's own word; what a tool read is not.
    const shown = result.ok ? fenceData(call.name, result.content) : result.content;
    this.conversation.answer(call.id, `${shown}\n${left}`);
    return result.ok && result.bytes > 0;
  }

  private judge(judgement: Judgement<T>, callId?: string): T | GivenUp | undefined {
    if ("done" in judgement) return judgement.done;
    this.lastSource = judgement.lastSource ?? this.lastSource;
    const text = nudge(judgement.nudge, judgement.values);
    // What may be insisted on only once is accepted when it comes again.
    if (judgement.once !== undefined && (this.nudges.get(judgement.nudge) ?? 0) >= 1) return judgement.once;
    if (callId === undefined) return this.send(judgement.nudge, judgement.values ?? {});
    this.conversation.answer(callId, text);
    this.count(judgement.nudge);
    return this.tooMany(judgement.nudge, text);
  }

  private send(name: string, values: Record<string, string | number>, said?: string): GivenUp | undefined {
    const text = nudge(name, values);
    this.conversation.say(text);
    this.count(name);
    return this.tooMany(name, said ?? text);
  }

  private count(name: string): number {
    const count = (this.nudges.get(name) ?? 0) + 1;
    this.nudges.set(name, count);
    return count;
  }

  private tooMany(name: string, text: string): GivenUp | undefined {
    const same = this.nudges.get(name) ?? 0;
    const all = [...this.nudges.values()].reduce((sum, count) => sum + count, 0);
    if (same <= MAX_SAME_NUDGE && all <= MAX_NUDGES) return undefined;
    return this.giveUp(
      `the model's answer could not be used ${same > 1 ? `${same} times` : "again"}: ${text}`,
    );
  }

  private roundInCircles(): GivenUp | undefined {
    const worst = Math.max(0, ...this.calls.values());
    if (worst <= MAX_SAME_CALL + 3) return this.tooMany("unknown_tool", "it calls tools that do not exist");
    return this.giveUp(`the model made the same tool call ${worst} times`);
  }

  private asked(args: Record<string, unknown>): GivenUp {
    const { reasons, questions } = askPersonArguments.parse(args);
    const given = this.giveUp(reasons[0] ?? "the model asks a person and gives no reason");
    return { ...given, reasons: reasons.length > 0 ? reasons : given.reasons, questions };
  }

  giveUp(reason: string): GivenUp {
    const code = this.lastSource;
    return {
      kind: "gave_up",
      reasons: [reason],
      questions: [],
      candidates: code === "" ? [] : [{ code, note: "the last source the model sent; it was not accepted" }],
      log_summary: "",
    };
  }
}

/** A reply that cannot be an answer, whatever it contains. */
function faultOf(reply: ChatReply): string | undefined {
  if (reply.refusal !== undefined) return "refused";
  if (reply.finish_reason === "content_filter") return "filtered";
  if (reply.finish_reason === "length") return "cut";
  if (reply.tool_calls.length === 0 && reply.content.trim() === "") return "empty";
  return undefined;
}

/** The arguments as an object, or what is wrong with them. No arguments are an empty object. */
export function parseArguments(text: string): Record<string, unknown> | string {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : "not an object";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function checkTime(conversation: Conversation): void {
  const { deadline, stage, signal, clock } = conversation.options;
  if (signal.aborted) {
    throw signal.reason instanceof AtomsmithError
      ? signal.reason
      : new AtomsmithError("interrupted", `interrupted in stage ${stage}`);
  }
  if (clock.now() < deadline) return;
  throw new AtomsmithError("provider", `stage ${stage} ran out of time`, {
    retryable: false,
    hint: "Raise execution.timeout_per_stage; what was paid for is kept, and a resume goes on from there.",
  });
}
