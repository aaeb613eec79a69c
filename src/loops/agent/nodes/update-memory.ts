// update_memory: the model rewrites workspace.md, within its size.
import { render } from "../../../conversation/prompts.ts";
import type { NodeTime } from "../../../engine/index.ts";
import { MEMORY_LIMIT } from "../context/layers.ts";
import { PROMPTS } from "../prompts.ts";
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { background, history, pageOf, planningStep } from "./planning.ts";

export async function updateMemory(
  state: AgentState,
  services: AgentServices,
  time: NodeTime,
): Promise<AgentState> {
  const { workspace, say } = services;
  const page = (name: string): { name: string; text: string } => ({ name, text: workspace.page(name) });
  const { state: next, value } = await planningStep<string>(state, services, time, {
    node: "update_memory",
    instruction: render(PROMPTS.update_memory, { limit: MEMORY_LIMIT }).trim(),
    material: [...background(state), page("main_plan.md"), page("workspace_summary.md"), ...history(state)],
    tools: [],
    judge(reply) {
      const text = pageOf(reply);
      if (text === "") return { back: say("memory_empty") };
      const size = text.length;
      return size > MEMORY_LIMIT
        ? { back: say("memory_long", { size, limit: MEMORY_LIMIT }) }
        : { done: text };
    },
  });
  if (value !== undefined) await workspace.apply({ op: "write", path: "workspace.md", text: `${value}\n` });
  return next;
}
