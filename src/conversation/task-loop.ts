// The loop of one task: request a reply, answer tool calls, judge submissions and reply with their problems, until the
// task is done, the model gives up, or a limit shows that it makes no progress. The task defines the answer, the tools,
// how to give up and the texts.
import { AtomsmithError } from "../core/errors.ts";
import { hashJson } from "../core/hash.ts";
import { isJsonObject } from "../core/json.ts";
import type { ChatReply, ToolCall } from "../llm/types.ts";
import type { Conversation } from "./conversation.ts";
import { fenceData } from "./fence.ts";
import { type Nudges, type NudgeValues, TASK_NUDGES } from "./nudges.ts";
import type { ToolBox } from "./tool-box.ts";

export interface TaskLimits {
  /** Maximum number of replies. */
  turns: number;
  /** Replies that may call tools; after them only an answer is accepted. */
  toolTurns: number;
  /** Limits after which the task is given up: repetitions of one fault, and faults of all kinds together. */
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

/** The judgement of a submission: accepted, or the nudge to reply with. `once`: the answer to accept when the same fault
 * occurs again. */
export type Judgement<T> =
  | { done: T }
  | { nudge: string; values?: NudgeValues; once?: T; lastSource?: string };

/** Why a task ended without an answer. */
export interface Stopped {
  reason: string;
  /** The last rejected submission; empty if there was none. */
  lastSource: string;
}

/** A task for a model. `T` is its answer, `G` the result without one. */
export interface Task<T, G> {
  nudges: Nudges;
  /** The tool that submits the work. A task without one is answered by text alone. */
  submit?: { tool: string; read(args: Record<string, unknown>): Judgement<T> };
  /** Judges a reply that calls no tool. */
  fromText(reply: string): Judgement<T>;
  /** The other tools. Without it no further call is answered. */
  tools?: ToolBox;
  /** A tool with which the model gives up the task; `answer` is the reply to that call. */
  leave?: { tool: string; answer: string; read(args: Record<string, unknown>, stopped: Stopped): G };
  giveUp(stopped: Stopped): G;
  /** The submission in a reply that is not judged because it also calls other tools; kept for the report on a task
   * that was given up. `args`: arguments of the submit call, if any. */
  sourceIn?(text: string, args: Record<string, unknown> | undefined): string | undefined;
}

/** Runs a task to its end. Throws kind `limit` when the stage runs out of time, and any error of the model. */
export async function runTask<T, G>(
  conversation: Conversation,
  task: Task<T, G>,
  limits: Partial<TaskLimits> = {},
): Promise<T | G> {
  const effective = { ...DEFAULT_LIMITS, ...limits };
  const loop = new TaskLoop(conversation, task, effective);
  for (let turn = 0; turn < effective.turns; turn += 1) {
    checkTime(conversation);
    const reply = await conversation.ask();
    const end = await loop.handleReply(reply, turn >= effective.toolTurns);
    if (end !== undefined) return end;
  }
  return loop.giveUp(`the model took ${effective.turns} turns without submitting an answer`);
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

  /** Handles one reply. Returns the result of the task, or undefined to continue. */
  async handleReply(reply: ChatReply, lastCall: boolean): Promise<T | G | undefined> {
    const fault = faultOf(reply);
    if (fault !== undefined) {
      for (const call of reply.tool_calls) this.conversation.answer(call.id, this.task.nudges(fault));
      return this.send(fault, {}, this.explain(fault, reply));
    }
    if (reply.tool_calls.length > 0) return this.answerCalls(reply, lastCall);
    return this.judge(this.task.fromText(reply.content));
  }

  /** Describes a fault for the report on a task that was given up. */
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
    // Other tools first, so that a submission made at the same time can be rejected with their results available.
    let newResults = 0;
    let submitted: { call: ToolCall; args: Record<string, unknown> } | undefined;
    let leaveArgs: Record<string, unknown> | undefined;
    for (const [position, call] of calls.entries()) {
      const args = parseArguments(call.arguments);
      if (typeof args === "string") {
        this.refuse(call, TASK_NUDGES.badArguments, { problem: args });
        this.count(TASK_NUDGES.badArguments);
      } else if (call.name === submit?.tool) {
        if (submitted) this.conversation.answer(call.id, "Only the first submission of a turn is judged.");
        else submitted = { call, args };
      } else if (leave !== undefined && call.name === leave.tool) {
        leaveArgs = args;
        this.conversation.answer(call.id, leave.answer);
      } else if (position >= this.limits.callsPerTurn || lastCall) {
        this.refuseFurtherCall(call);
      } else {
        newResults += (await this.callTool(call, args)) ? 1 : 0;
      }
    }
    this.lastSource = this.task.sourceIn?.(content, submitted?.args) ?? this.lastSource;
    if (submit && submitted) {
      const { call, args } = submitted;
      if (newResults > 0 && this.count(TASK_NUDGES.submitAfterResults) <= 1) {
        this.refuse(call, TASK_NUDGES.submitAfterResults);
        return undefined;
      }
      return this.judge(submit.read(args), call.id);
    }
    if (leave && leaveArgs) return leave.read(leaveArgs, this.stopped(`the model called ${leave.tool}`));
    return (
      this.giveUpIfTooMany(TASK_NUDGES.badArguments, "sent tool calls that are not valid JSON") ??
      this.checkRepeatedCalls()
    );
  }

  /** Answers one call of a tool of the task. True when the result was new to the model. */
  private async callTool(call: ToolCall, args: Record<string, unknown>): Promise<boolean> {
    const { tools } = this.task;
    const isDeclared = this.conversation.options.tools.some(({ name }) => name === call.name);
    if (!tools && isDeclared) {
      this.refuseFurtherCall(call);
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

  private refuseFurtherCall(call: ToolCall): void {
    const { submit } = this.task;
    this.refuse(call, TASK_NUDGES.noMoreCalls, submit ? { tool: submit.tool } : {});
  }

  private judge(judgement: Judgement<T>, callId?: string): T | G | undefined {
    if ("done" in judgement) return judgement.done;
    this.lastSource = judgement.lastSource ?? this.lastSource;
    const text = this.task.nudges(judgement.nudge, judgement.values);
    // A fault with `once` is rejected only the first time.
    if (judgement.once !== undefined && (this.nudges.get(judgement.nudge) ?? 0) >= 1) return judgement.once;
    if (callId === undefined) return this.send(judgement.nudge, judgement.values ?? {});
    this.conversation.answer(callId, text);
    this.count(judgement.nudge);
    return this.giveUpIfTooMany(judgement.nudge, text);
  }

  private send(name: string, values: NudgeValues, explanation?: string): G | undefined {
    const text = this.task.nudges(name, values);
    this.conversation.say(text);
    this.count(name);
    return this.giveUpIfTooMany(name, explanation ?? text);
  }

  private count(name: string): number {
    const count = (this.nudges.get(name) ?? 0) + 1;
    this.nudges.set(name, count);
    return count;
  }

  private giveUpIfTooMany(name: string, text: string): G | undefined {
    const same = this.nudges.get(name) ?? 0;
    const all = [...this.nudges.values()].reduce((sum, count) => sum + count, 0);
    if (same <= this.limits.sameNudge && all <= this.limits.nudges) return undefined;
    return this.giveUp(
      `the model's answer could not be used ${same > 1 ? `${same} times` : "again"}: ${text}`,
    );
  }

  private checkRepeatedCalls(): G | undefined {
    const worst = Math.max(0, ...this.calls.values());
    if (worst <= this.limits.sameCall + 3) {
      return this.giveUpIfTooMany(TASK_NUDGES.unknownTool, "it calls tools that do not exist");
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

/** The fault of a reply that cannot be an answer, regardless of its content. */
function faultOf(reply: ChatReply): string | undefined {
  if (reply.refusal !== undefined) return TASK_NUDGES.refused;
  if (reply.finish_reason === "content_filter") return TASK_NUDGES.filtered;
  if (reply.finish_reason === "length") return TASK_NUDGES.cut;
  if (reply.tool_calls.length === 0 && reply.content.trim() === "") return TASK_NUDGES.empty;
  return undefined;
}

/** Parses arguments to an object, or describes the problem. Missing arguments are an empty object. */
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
    hint: `Raise ${deadlineKey} and resume; stored replies are reused.`,
  });
}
