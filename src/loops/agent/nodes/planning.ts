// Shared by the planning steps: pages as input, one request with a required form, and at most two replies returned to
// the model with the reason. Without a usable reply, the job waits for the user.
import type { ToolSpec } from "../../../contract/tool-spec.ts";
import { withoutThoughts } from "../../../conversation/blocks.ts";
import type { NodeTime } from "../../../engine/index.ts";
import type { ChatMessage, ChatReply } from "../../../llm/types.ts";
import { ask } from "../context/ask.ts";
import { systemText } from "../context/layers.ts";
import { pages, transcript } from "../context/transcript.ts";
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";

/** Maximum number of replies returned to the model. */
const MAX_SENT_BACK = 2;
const CHARS_PER_TOKEN = 2.5;
/** Maximum size of the input of a step, in characters. */
const MAX_MATERIAL = 40_000;

/** Verdict of a step on a reply. `once`: accepted when the model repeats it. */
export type Verdict<T> = { done: T } | { back: string; once?: T };

export interface Step<T> {
  node: "update_memory" | "update_plan" | "create_todos";
  instruction: string;
  material: { name: string; text: string }[];
  tools: ToolSpec[];
  judge(reply: ChatReply): Verdict<T>;
}

/** Runs a step. Without a value the job waits. */
export async function planningStep<T>(
  state: AgentState,
  services: AgentServices,
  time: NodeTime,
  step: Step<T>,
): Promise<{ state: AgentState; value: T | undefined }> {
  const { tokens, redact, agent } = services;
  const system = systemText(services);
  const fixed = tokens.text(system) + tokens.text(step.instruction) + tokens.tools(step.tools);
  const room = agent.limits.context_threshold_tokens / state.token_ratio - fixed;
  const material = pages(step.material, Math.min(MAX_MATERIAL, Math.floor(room * CHARS_PER_TOKEN)));
  const first: ChatMessage[] = [
    { role: "system", content: system },
    { role: "user", content: redact(`${material}\n\n${step.instruction}`.trim()) },
  ];
  let messages = first;
  let now = state;
  let reason = "";
  let sentBackForOnce = false;
  for (let round = 0; round <= MAX_SENT_BACK; round += 1) {
    const sizes = {
      system: tokens.text(system),
      todos: 0,
      tools: tokens.tools(step.tools),
      summary: 0,
      conversation: tokens.messages(messages.slice(1)),
    };
    const { state: asked, reply } = await ask(now, services, time, {
      node: step.node,
      messages,
      tools: step.tools,
      sizes,
    });
    now = asked;
    const verdict = judged(reply, step, services);
    if ("done" in verdict) return { state: now, value: verdict.done };
    if (verdict.once !== undefined && sentBackForOnce) {
      services.emit({
        type: "log",
        level: "warning",
        message: `${step.node}: accepted despite: ${verdict.back}`,
      });
      return { state: now, value: verdict.once };
    }
    sentBackForOnce ||= verdict.once !== undefined;
    reason = verdict.back;
    messages = [...first, ...sentBack(reply, reason)];
  }
  const text = `${step.node}: ${MAX_SENT_BACK + 1} replies could not be used; the last: ${reason}`;
  return { state: { ...now, waiting: { reason: "unusable", text, node: step.node } }, value: undefined };
}

function judged<T>(reply: ChatReply, step: Step<T>, { say }: AgentServices): Verdict<T> {
  if (
    reply.refusal !== undefined ||
    reply.finish_reason === "length" ||
    reply.finish_reason === "content_filter"
  ) {
    return { back: say("cut_reply", { node: step.node }) };
  }
  if (step.tools.length === 0 && reply.tool_calls.length > 0)
    return { back: say("called_tool", { node: step.node }) };
  return step.judge(reply);
}

/** A reply and its problem, as messages. Calls get a result, as strict servers require, and only calls of offered
 * tools are kept. */
function sentBack(reply: ChatReply, reason: string): ChatMessage[] {
  const content = reply.content.slice(0, 20_000) || "(empty reply)";
  const calls = reply.tool_calls.filter((call) => call.name === "todo_write").slice(0, 1);
  const [call] = calls;
  if (call === undefined)
    return [
      { role: "assistant", content },
      { role: "user", content: reason },
    ];
  return [
    { role: "assistant", content: reply.content.slice(0, 20_000), tool_calls: calls },
    { role: "tool", tool_call_id: call.id, content: reason },
  ];
}

/** The page in a reply: the whole text, without thoughts and without an enclosing fence. */
export function pageOf(reply: ChatReply): string {
  const text = withoutThoughts(reply.content).trim();
  const fenced = /^(`{3,})(?:markdown|md)?[ \t]*\n([\s\S]*)\n\1$/.exec(text);
  const inner = fenced?.[2];
  return inner === undefined || inner.includes(`\n${fenced?.[1]}`) ? text : inner.trim();
}

/** Answers of the user and the reason of the rewind, for every step. */
export function background(state: AgentState): { name: string; text: string }[] {
  const answers = state.answers
    .slice(-5)
    .map(({ question, answer }) => `Question: ${question}\nAnswer: ${answer}`);
  return [
    { name: "issue: why the last todos were given up", text: state.issue },
    { name: "answers of a person", text: answers.join("\n\n") },
  ];
}

/** The latest lines of progress.md. */
export function latestProgress(page: string): { name: string; text: string } {
  return { name: "progress.md, the latest lines", text: page.split("\n").slice(-40).join("\n") };
}

/** Summary of the finished phase. */
export function history(state: AgentState): { name: string; text: string }[] {
  return [
    { name: "summary of earlier work", text: state.summary },
    { name: "conversation of the last phase", text: transcript(state.messages, 12_000) },
  ];
}
