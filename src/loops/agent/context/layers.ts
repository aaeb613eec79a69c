// The five layers of a request. 1 system prompt with the memory, 2 todo display, 3 tools: rebuilt for each request. 4
// summary, 5 conversation: these may shrink.
import type { ToolSpec } from "../../../contract/tool-spec.ts";
import { fenceData } from "../../../conversation/fence.ts";
import { render } from "../../../conversation/prompts.ts";
import type { ChatMessage } from "../../../llm/types.ts";
import { PROMPTS } from "../prompts.ts";
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { todoDisplay } from "../todo/display.ts";

/** Largest size of workspace.md, in characters. */
export const MEMORY_LIMIT = 16_000;

export interface Layers {
  system: string;
  todos: string;
  tools: ToolSpec[];
  /** Layer 4 as the first message of the conversation. */
  opening: ChatMessage;
  conversation: ChatMessage[];
}

type Sources = Pick<AgentServices, "agent" | "workspace" | "tools" | "redact" | "say">;

/** The layers of the next request of a todo. */
export function layersOf(state: AgentState, services: Sources): Layers {
  const { tools, say, redact } = services;
  const opening =
    state.summary === ""
      ? say("begin")
      : say("begin_summary", { summary: fenceData("summary", state.summary) });
  return {
    system: systemText(services),
    todos: redact(todoDisplay(state.phase, state.todos)),
    tools: tools.offered(state).map((tool) => tool.spec),
    opening: { role: "user", content: redact(opening) },
    conversation: state.messages,
  };
}

/** Layer 1. The only text of the model in it is the memory, between data marks. */
export function systemText({
  agent,
  workspace,
  redact,
}: Pick<Sources, "agent" | "workspace" | "redact">): string {
  const memory = workspace.page("workspace.md").slice(0, MEMORY_LIMIT);
  const text = render(PROMPTS.system, {
    display_name: agent.display_name,
    memory: fenceData("workspace.md", memory),
  });
  return redact(text.trimEnd());
}

/** The messages of a request, with one system message: many servers reject a second one. */
export function messagesOf(layers: Layers): ChatMessage[] {
  return [
    { role: "system", content: `${layers.system}\n\n${layers.todos}` },
    layers.opening,
    ...layers.conversation,
  ];
}
