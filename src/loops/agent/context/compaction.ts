// Keeps a request below the threshold: older results are cleared, then the conversation is summarised by the same
// model into layer 4. If the server still rejects the request, there is one emergency compaction; after that, the job
// ends.
import { fenceData } from "../../../conversation/fence.ts";
import { render } from "../../../conversation/prompts.ts";
import { AtomsmithError } from "../../../core/errors.ts";
import type { NodeTime } from "../../../engine/index.ts";
import type { ChatMessage } from "../../../llm/types.ts";
import { PROMPTS } from "../prompts.ts";
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { type Asked, ask, type Sizes, totalOf } from "./ask.ts";
import { cleared } from "./clearing.ts";
import { type Layers, layersOf, messagesOf, systemText } from "./layers.ts";
import { transcript } from "./transcript.ts";

/** Largest running summary, in characters. */
const SUMMARY_LIMIT = 8_000;
/** Characters per token, a low estimate, for texts that must fit a limit. */
const CHARS_PER_TOKEN = 2.5;

/** Sizes of the layers, corrected by the token counts of the server. */
export function sizesOf(layers: Layers, services: AgentServices): Sizes {
  const { tokens } = services;
  return {
    system: tokens.text(layers.system),
    todos: tokens.text(layers.todos),
    tools: tokens.tools(layers.tools),
    summary: tokens.message(layers.opening),
    conversation: tokens.messages(layers.conversation),
  };
}

/** Requests the next step of a todo: keeps the request below the threshold, and retries after a rejection for
 * length. */
export async function askInContext(
  state: AgentState,
  services: AgentServices,
  time: NodeTime,
  node: string,
): Promise<Asked> {
  const { limits, context_management: rules } = services.agent;
  let now = { ...state, messages: cleared(state.messages, state.calls, rules.keep_recent_tool_results) };
  const size = (): number => totalOf(sizesOf(layersOf(now, services), services)) * now.token_ratio;
  if (size() > limits.context_threshold_tokens && now.messages.length > 0) {
    now = await compacted(now, services, time, "threshold");
  }
  try {
    return await send(now, services, time, node);
  } catch (error) {
    if (!mayBeTooLong(error) || now.messages.length + now.summary.length === 0) throw error;
    now = await compacted({ ...now, requests: now.requests + 1 }, services, time, "emergency");
  }
  try {
    return await send(now, services, time, node);
  } catch (error) {
    throw mayBeTooLong(error) ? stillTooLong(error, now, services) : error;
  }
}

function send(state: AgentState, services: AgentServices, time: NodeTime, node: string): Promise<Asked> {
  const layers = layersOf(state, services);
  const sizes = sizesOf(layers, services);
  return ask(state, services, time, { node, messages: messagesOf(layers), tools: layers.tools, sizes });
}

/** Layers 4 and 5 as one new summary. */
export async function compacted(
  state: AgentState,
  services: AgentServices,
  time: NodeTime,
  why: "phase" | "threshold" | "emergency",
): Promise<AgentState> {
  const before = totalOf(sizesOf(layersOf(state, services), services));
  // Below the threshold a step may need the result that was just read: the last exchange stays when it is small.
  const kept = why === "threshold" ? lastExchange(state.messages, services) : [];
  const result = await summarised(state, services, time, why);
  const after = { ...result, messages: kept };
  const tokens_after = totalOf(sizesOf(layersOf(after, services), services));
  services.emit({ type: "compaction", why, tokens_before: before, tokens_after });
  return after;
}

async function summarised(
  state: AgentState,
  services: AgentServices,
  time: NodeTime,
  why: "phase" | "threshold" | "emergency",
): Promise<AgentState> {
  const { limits, context_management: rules } = services.agent;
  const system = systemText(services);
  const instruction = render(PROMPTS.summarize, { prompt: rules.summarization_prompt, limit: SUMMARY_LIMIT });
  const room =
    limits.context_threshold_tokens / state.token_ratio -
    services.tokens.text(system) -
    services.tokens.text(instruction);
  const chars = Math.max(
    0,
    Math.floor((why === "emergency" ? room / 2 : room) * CHARS_PER_TOKEN) - state.summary.length,
  );
  const material = [
    ...(state.summary === "" ? [] : [fenceData("earlier summary", state.summary)]),
    fenceData("conversation", transcript(state.messages, chars)),
  ];
  const content = services.redact([...material, instruction.trimEnd()].join("\n\n"));
  const messages: ChatMessage[] = [
    { role: "system", content: system },
    { role: "user", content },
  ];
  const sizes = {
    system: services.tokens.text(system),
    todos: 0,
    tools: 0,
    summary: 0,
    conversation: services.tokens.text(content),
  };
  try {
    const answer = await ask(state, services, time, { node: "summary", messages, tools: [], sizes });
    const text = answer.reply.content.trim().slice(0, SUMMARY_LIMIT);
    return { ...answer.state, summary: text === "" ? state.summary : text };
  } catch (error) {
    // The server rejects even the summary request: drop the conversation, the files contain the history.
    if (why !== "emergency" || !mayBeTooLong(error)) throw error;
    return { ...state, summary: "", requests: state.requests + 1 };
  }
}

/** The last reply with its results, if they take less than a third of the threshold. */
function lastExchange(messages: readonly ChatMessage[], services: AgentServices): ChatMessage[] {
  const from = messages.findLastIndex((message) => message.role === "assistant");
  const last = from < 0 ? [] : messages.slice(from);
  return services.tokens.messages(last) <= services.agent.limits.context_threshold_tokens / 3 ? last : [];
}

/** True when the server rejected the request itself. Servers report excessive length in different ways, so any
 * rejection is retried with a shorter request. */
function mayBeTooLong(error: unknown): boolean {
  if (!(error instanceof AtomsmithError) || error.kind !== "provider") return false;
  return [400, 413, 422].includes(error.details.status ?? 0);
}

function stillTooLong(error: unknown, state: AgentState, services: AgentServices): AtomsmithError {
  const sizes = sizesOf(layersOf(state, services), services);
  const parts = Object.entries(sizes).map(([layer, tokens]) => `${layer} ${tokens}`);
  const reason = error instanceof Error ? error.message : String(error);
  return new AtomsmithError(
    "provider",
    `the server refuses a request of about ${totalOf(sizes)} tokens (${parts.join(", ")}), also after compaction: ${reason}`,
    {
      ...(error instanceof AtomsmithError && error.details.status !== undefined
        ? { status: error.details.status }
        : {}),
      retryable: false,
      hint: "Lower limits.context_threshold_tokens, or offer fewer tools.",
    },
  );
}
