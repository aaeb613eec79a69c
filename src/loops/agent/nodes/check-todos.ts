// check_todos: is the list done, or ended by something else? Records when the phase ended, for its archive.
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { currentTodo } from "../todo/todos.ts";

export async function checkTodos(state: AgentState, services: AgentServices): Promise<AgentState> {
  if (!leavesExecute(state) || state.reset !== null) return state;
  return { ...state, phase_ended_at: services.now().toISOString() };
}

/** Does the inner loop end here? */
export function leavesExecute(state: AgentState): boolean {
  return interruptsTodos(state) || currentTodo(state.todos) === undefined;
}

/** Does something other than the list itself end the work on it? */
export function interruptsTodos(state: AgentState): boolean {
  return state.rewind !== null || state.reset !== null || state.waiting !== null || state.completion !== null;
}
