// update_plan: the model updates main_plan.md, whose phases must be readable.
import type { NodeTime } from "../../../engine/index.ts";
import { planProblem } from "../plan.ts";
import { PROMPTS } from "../prompts.ts";
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { background, history, latestProgress, pageOf, planningStep } from "./planning.ts";

export async function updatePlan(
  state: AgentState,
  services: AgentServices,
  time: NodeTime,
): Promise<AgentState> {
  const { workspace, say } = services;
  const page = (name: string): { name: string; text: string } => ({ name, text: workspace.page(name) });
  const { state: next, value } = await planningStep<string>(state, services, time, {
    node: "update_plan",
    instruction: PROMPTS.update_plan.trim(),
    material: [
      ...background(state),
      page("instructions.md"),
      page("main_plan.md"),
      latestProgress(workspace.page("progress.md")),
      page("workspace_summary.md"),
      ...(state.phase.kind === "bootstrap" ? history(state) : []),
    ],
    tools: [],
    judge(reply) {
      const text = pageOf(reply);
      const problem = planProblem(text);
      return problem === undefined ? { done: text } : { back: say("plan_problem", { problem }) };
    },
  });
  if (value !== undefined) await workspace.apply({ op: "write", path: "main_plan.md", text: `${value}\n` });
  return next;
}
