// check_goal: decides whether the job is complete. When no phase is open, the final todos start; only job_complete
// ends them.
import { readPlan } from "../plan.ts";
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { phaseLabel } from "../todo/archive.ts";
import { FINAL_TODOS, withPhase } from "../todo/todos.ts";
import { saveTodos } from "./todo-file.ts";

export async function checkGoal(state: AgentState, services: AgentServices): Promise<AgentState> {
  if (state.completion !== null || state.todos.length > 0) return state;
  const phases = readPlan(services.workspace.page("main_plan.md"));
  const number = 1 + Math.max(0, ...phases.map((phase) => phase.number));
  const begun = withPhase(
    state,
    { kind: "final", number, name: "Final review", total: phases.length },
    FINAL_TODOS,
  );
  services.emit({
    type: "phase_started",
    number: null,
    name: "Final review",
    total: null,
    todos: begun.todos.length,
  });
  await saveTodos(begun, services);
  await services.history?.tag(`${phaseLabel(begun.phase)}_start`);
  return { ...begun, messages: [] };
}
