// One request of a job: checked against its limits, counted, and stored in the turn log. The number of the request is
// the key of its reply, so that a resumed job never requests the same reply again.
import type { ToolSpec } from "../../../contract/tool-spec.ts";
import { askLogged } from "../../../conversation/logged-ask.ts";
import { AtomsmithError } from "../../../core/errors.ts";
import type { NodeTime } from "../../../engine/index.ts";
import { addUsage } from "../../../llm/turns.ts";
import type { ChatMessage, ChatReply } from "../../../llm/types.ts";
import { AGENT_LOOP, type AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { correctedRatio } from "./tokens.ts";

/** Longest wait for one reply, including retries; the timeout of a single request is `llm.agent.timeout`. */
const MAX_WAIT_MS = 3_600_000;

export interface Asked {
  state: AgentState;
  reply: ChatReply;
}

/** Sizes of the layers of a request, for the event. */
export interface Sizes {
  system: number;
  todos: number;
  tools: number;
  summary: number;
  conversation: number;
}

export function totalOf(sizes: Sizes): number {
  return sizes.system + sizes.todos + sizes.tools + sizes.summary + sizes.conversation;
}

/** Sends a request. Throws kind `budget` at a limit of the job, `interrupted` when it was cancelled, and what the model throws. */
export async function ask(
  state: AgentState,
  services: AgentServices,
  time: NodeTime,
  request: { node: string; messages: ChatMessage[]; tools: ToolSpec[]; sizes: Sizes },
): Promise<Asked> {
  services.check();
  throwAtLimit(state, services);
  const { node, messages, tools, sizes } = request;
  const counted = totalOf(sizes);
  const number = state.requests + 1;
  services.emit({
    type: "context",
    request: number,
    system_tokens: sizes.system,
    todo_tokens: sizes.todos,
    tool_tokens: sizes.tools,
    summary_tokens: sizes.summary,
    conversation_tokens: sizes.conversation,
    total_tokens: counted,
    messages: messages.length,
  });
  const { clock } = services;
  const place = { stage: node, iteration: state.phase.number, index: number };
  const reply = await askLogged(
    {
      model: services.model,
      turns: services.turns,
      signal: time.signal,
      clock,
      deadline: Math.min(time.deadline, clock.now() + MAX_WAIT_MS),
      emit: services.emit,
      stream: services.stream,
      redact: services.redact,
    },
    { role: AGENT_LOOP, messages, tools },
    place,
    {
      key: `${number}/${node}`,
      recorded: 1 + messages.findLastIndex((message) => message.role === "assistant"),
    },
  );
  const exact = reply.usage.estimated !== true;
  return {
    reply,
    state: {
      ...state,
      requests: number,
      phase_steps: state.phase_steps + 1,
      usage: addUsage(state.usage, reply),
      token_ratio: exact ? correctedRatio(counted, reply.usage.input_tokens) : state.token_ratio,
    },
  };
}

function throwAtLimit(state: AgentState, services: AgentServices): void {
  const { limits } = services.agent;
  const tokens = state.usage.input_tokens + state.usage.output_tokens;
  const reached = [
    { key: "max_iterations", used: state.requests, limit: limits.max_iterations },
    { key: "max_steps_per_phase", used: state.phase_steps, limit: limits.max_steps_per_phase },
    { key: "max_tokens", used: tokens, limit: limits.max_tokens },
    { key: "max_cost_usd", used: state.usage.known_cost_usd, limit: limits.max_cost_usd },
  ].find(({ used, limit }) => limit !== undefined && used >= limit);
  if (reached !== undefined)
    throw limitReached(services.jobId, reached.key, reached.used, reached.limit ?? 0);
}

/** The error of a limit of the agent configuration; the job can be resumed. */
export function limitReached(job: string, key: string, used: number, limit: number): AtomsmithError {
  return new AtomsmithError("budget", `job ${job} reached limits.${key}: ${used} of ${limit}`, {
    where: `limits.${key}`,
    hint: `Raise limits.${key} in the agent configuration, then: atomsmith agent resume ${job}`,
  });
}
