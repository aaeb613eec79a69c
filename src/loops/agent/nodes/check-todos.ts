// check_todos: decides whether the todo list has ended, and records the time for the archive of the phase.
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { currentTodo } from "../todo/todos.ts";

export async function checkTodos(state: AgentState, services: AgentServices): Promise<AgentState> {
  if (!leavesExecute(state) || state.reset !== null) return state;
  return { ...state, phase_ended_at: services.now().toISOString() };
}

/** True when the inner loop ends. */
export function leavesExecute(state: AgentState): boolean {
  return interruptsTodos(state) || currentTodo(state.todos) === undefined;
}

/** True when the work on the list ends for a reason other than its completion. */
export function interruptsTodos(state: AgentState): boolean {
  return state.rewind !== null || state.reset !== null || state.waiting !== null || state.completion !== null;
}
