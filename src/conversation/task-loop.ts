// The loop of one task: ask, answer tool calls, judge what is handed in, say what is wrong with it, and stop when it
// is done, when the model leaves the task, or when going on would only burn money. What an answer is, which tools
// there are, how the task is left and what is said are the task's.
import { AtomsmithError } from "../core/errors.ts";
import { hashJson } from "../core/hash.ts";
import { isJsonObject } from "../core/json.ts";
import type { ChatReply, ToolCall } from "../llm/types.ts";
import type { Conversation } from "./conversation.ts";
import { fenceData } from "./fence.ts";
import { type Nudges, type NudgeValues, TASK_NUDGES } from "./nudges.ts";
import type { ToolBox } from "./tool-box.ts";

export interface TaskLimits {
  /** Replies at most. */
  turns: number;
  /** Of these, how many may call tools; after them only an answer counts. */
  toolTurns: number;
  /** Times the same fault is answered before the task is given up, and faults of all kinds together. */
  sameNudge: number;
  nudges: number;
  /** Tool calls answered in one turn. */
  callsPerTurn: number;
  /** Times an identical call is answered. */
  sameCall: number;
}

const DEFAULT_LIMITS: TaskLimits = {
  turns: 30,
  toolTurns: 24,
  sameNudge: 2,
  nudges: 6,
  callsPerTurn: 16,
  sameCall: 2,
};

/** What a task thinks of something handed in: done, or which nudge to answer with. `once` is for a fault that is
 * insisted on only once: when it comes again, this is taken. */
export type Judgement<T> =
  | { done: T }
  | { nudge: string; values?: NudgeValues; once?: T; lastSource?: string };

/** Why a task ended without an answer. */
export interface Stopped {
  reason: string;
  /** The last work that was handed in and not accepted; empty when none came. */
  lastSource: string;
}

/** One piece of work. `T` is its answer, `G` what it ends with when there is none. */
export interface Task<T, G> {
  nudges: Nudges;
  /** The tool that hands in the work. A task without one is answered by text alone. */
  submit?: { tool: string; read(args: Record<string, unknown>): Judgement<T> };
  /** Judges a reply that calls no tool. */
  fromText(reply: string): Judgement<T>;
  /** What the model may call beside. Without it no call is answered any more. */
  tools?: ToolBox;
  /** A tool by which the model itself ends the task without an answer; `answer` is what the call is told. */
  leave?: { tool: string; answer: string; read(args: Record<string, unknown>, stopped: Stopped): G };
  giveUp(stopped: Stopped): G;
  /** The work in a reply that is not judged, because it calls other tools beside: kept for whoever reads why the
   * task was given up. `args`: of the call that hands work in, if there is one. */
  sourceIn?(text: string, args: Record<string, unknown> | undefined): string | undefined;
}

/** Runs a task to its end. Throws `provider` when the stage's time is over, and what the model throws. */
export async function runTask<T, G>(
  conversation: Conversation,
  task: Task<T, G>,
  limits: Partial<TaskLimits> = {},
): Promise<T | G> {
  const within = { ...DEFAULT_LIMITS, ...limits };
  const loop = new TaskLoop(conversation, task, within);
  for (let turn = 0; turn < within.turns; turn += 1) {
    checkTime(conversation);
    const reply = await conversation.ask();
    const end = await loop.react(reply, turn >= within.toolTurns);
    if (end !== undefined) return end;
  }
  return loop.giveUp(`the model took ${within.turns} turns without handing in an answer`);
}

class TaskLoop<T, G> {
  private readonly nudges = new Map<string, number>();
  private readonly calls = new Map<string, number>();
  private lastSource = "";
  private readonly conversation: Conversation;
  private readonly task: Task<T, G>;
  private readonly limits: TaskLimits;

  constructor(conversation: Conversation, task: Task<T, G>, limits: TaskLimits) {
    this.conversation = conversation;
    this.task = task;
    this.limits = limits;
  }

  /** Acts on one reply. Returns the end of the task, or undefined to go on. */
  async react(reply: ChatReply, lastCall: boolean): Promise<T | G | undefined> {
    const fault = faultOf(reply);
    if (fault !== undefined) {
      for (const call of reply.tool_calls) this.conversation.answer(call.id, this.task.nudges(fault));
      return this.send(fault, {}, this.explain(fault, reply));
    }
    if (reply.tool_calls.length > 0) return this.answerCalls(reply, lastCall);
    return this.judge(this.task.fromText(reply.content));
  }

  /** The fault in words for the person who reads why it was given up. */
  private explain(fault: string, reply: ChatReply): string {
    const { role } = this.conversation.options;
    if (fault === TASK_NUDGES.cut) {
      return `replies are cut off at their length limit (${reply.usage.output_tokens} tokens); raise llm.${role}.max_tokens`;
    }
    if (fault === TASK_NUDGES.refused) return `the model refuses: ${reply.refusal ?? ""}`;
    return `the reply is ${fault}`;
  }

  private async answerCalls(
    { tool_calls: calls, content }: ChatReply,
    lastCall: boolean,
  ): Promise<T | G | undefined> {
    const { submit, leave } = this.task;
    // Other tools come first, so that work handed in beside them can be sent back with the results at hand.
    let news = 0;
    let submitted: { call: ToolCall; args: Record<string, unknown> } | undefined;
    let left: Record<string, unknown> | undefined;
    for (const [position, call] of calls.entries()) {
      const args = parseArguments(call.arguments);
      if (typeof args === "string") {
        this.refuse(call, TASK_NUDGES.badArguments, { problem: args });
        this.count(TASK_NUDGES.badArguments);
      } else if (call.name === submit?.tool) {
        if (submitted) this.conversation.answer(call.id, "Only the first submission of a turn is looked at.");
        else submitted = { call, args };
      } else if (leave !== undefined && call.name === leave.tool) {
        left = args;
        this.conversation.answer(call.id, leave.answer);
      } else if (position >= this.limits.callsPerTurn || lastCall) {
        this.refuseMore(call);
      } else {
        news += (await this.callTool(call, args)) ? 1 : 0;
      }
    }
    this.lastSource = this.task.sourceIn?.(content, submitted?.args) ?? this.lastSource;
    if (submit && submitted) {
      const { call, args } = submitted;
      if (news > 0 && this.count(TASK_NUDGES.submitAfterResults) <= 1) {
        this.refuse(call, TASK_NUDGES.submitAfterResults);
        return undefined;
      }
      return this.judge(submit.read(args), call.id);
    }
    if (leave && left) return leave.read(left, this.stopped(`the model called ${leave.tool}`));
    return (
      this.tooMany(TASK_NUDGES.badArguments, "sent tool calls that are no JSON") ?? this.roundInCircles()
    );
  }

  /** Answers one call of a tool of the task. True when it showed something new. */
  private async callTool(call: ToolCall, args: Record<string, unknown>): Promise<boolean> {
    const { tools } = this.task;
    const isTold = this.conversation.options.tools.some(({ name }) => name === call.name);
    if (!tools && isTold) {
      this.refuseMore(call);
      this.count(TASK_NUDGES.unknownTool);
      return false;
    }
    if (!tools?.specs.some(({ name }) => name === call.name)) {
      this.refuse(call, TASK_NUDGES.unknownTool, {
        name: call.name.slice(0, 60),
        tools: this.toolNames().join(", "),
      });
      this.count(TASK_NUDGES.unknownTool);
      return false;
    }
    const key = hashJson([call.name, args]);
    const count = (this.calls.get(key) ?? 0) + 1;
    this.calls.set(key, count);
    if (count > this.limits.sameCall) {
      this.refuse(call, TASK_NUDGES.sameCall, { count: count - 1 });
      return false;
    }
    const { text, isData, isNew } = await tools.call(call.name, args);
    const shown = isData ? fenceData(call.name, text) : text;
    const budget = tools.budgetLine();
    this.conversation.answer(call.id, budget === undefined ? shown : `${shown}\n${budget}`);
    return isNew;
  }

  private toolNames(): string[] {
    const { tools, submit, leave } = this.task;
    return [
      ...(tools?.specs ?? []).map(({ name }) => name),
      ...(submit ? [submit.tool] : []),
      ...(leave ? [leave.tool] : []),
    ];
  }

  private refuse(call: ToolCall, nudge: string, values: NudgeValues = {}): void {
    this.conversation.answer(call.id, this.task.nudges(nudge, values));
  }

  private refuseMore(call: ToolCall): void {
    const { submit } = this.task;
    this.refuse(call, TASK_NUDGES.noMoreCalls, submit ? { tool: submit.tool } : {});
  }

  private judge(judgement: Judgement<T>, callId?: string): T | G | undefined {
    if ("done" in judgement) return judgement.done;
    this.lastSource = judgement.lastSource ?? this.lastSource;
    const text = this.task.nudges(judgement.nudge, judgement.values);
    // What may be insisted on only once is accepted when it comes again.
    if (judgement.once !== undefined && (this.nudges.get(judgement.nudge) ?? 0) >= 1) return judgement.once;
    if (callId === undefined) return this.send(judgement.nudge, judgement.values ?? {});
    this.conversation.answer(callId, text);
    this.count(judgement.nudge);
    return this.tooMany(judgement.nudge, text);
  }

  private send(name: string, values: NudgeValues, said?: string): G | undefined {
    const text = this.task.nudges(name, values);
    this.conversation.say(text);
    this.count(name);
    return this.tooMany(name, said ?? text);
  }

  private count(name: string): number {
    const count = (this.nudges.get(name) ?? 0) + 1;
    this.nudges.set(name, count);
    return count;
  }

  private tooMany(name: string, text: string): G | undefined {
    const same = this.nudges.get(name) ?? 0;
    const all = [...this.nudges.values()].reduce((sum, count) => sum + count, 0);
    if (same <= this.limits.sameNudge && all <= this.limits.nudges) return undefined;
    return this.giveUp(
      `the model's answer could not be used ${same > 1 ? `${same} times` : "again"}: ${text}`,
    );
  }

  private roundInCircles(): G | undefined {
    const worst = Math.max(0, ...this.calls.values());
    if (worst <= this.limits.sameCall + 3) {
      return this.tooMany(TASK_NUDGES.unknownTool, "it calls tools that do not exist");
    }
    return this.giveUp(`the model made the same tool call ${worst} times`);
  }

  giveUp(reason: string): G {
    return this.task.giveUp(this.stopped(reason));
  }

  private stopped(reason: string): Stopped {
    return { reason, lastSource: this.lastSource };
  }
}

/** A reply that cannot be an answer, whatever it contains. */
function faultOf(reply: ChatReply): string | undefined {
  if (reply.refusal !== undefined) return TASK_NUDGES.refused;
  if (reply.finish_reason === "content_filter") return TASK_NUDGES.filtered;
  if (reply.finish_reason === "length") return TASK_NUDGES.cut;
  if (reply.tool_calls.length === 0 && reply.content.trim() === "") return TASK_NUDGES.empty;
  return undefined;
}

/** The arguments as an object, or what is wrong with them. No arguments are an empty object. */
function parseArguments(text: string): Record<string, unknown> | string {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : "not an object";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function checkTime(conversation: Conversation): void {
  const { deadline, deadlineKey, stage, signal, clock } = conversation.options;
  if (signal.aborted) {
    throw signal.reason instanceof AtomsmithError
      ? signal.reason
      : new AtomsmithError("interrupted", `interrupted in stage ${stage}`);
  }
  if (clock.now() < deadline) return;
  throw new AtomsmithError("limit", `stage ${stage} ran out of time`, {
    retryable: false,
    hint: `Raise ${deadlineKey}; what was paid for is kept, and a resume goes on from there.`,
  });
}
