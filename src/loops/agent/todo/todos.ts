// The todo list of a phase. Changes are functions from state to state, so that each can be stored with its call and
// repeated after a crash.
import { type AgentState, FRESH_WATCH, type Phase, type Todo } from "../schemas.ts";

/** Default maximum of todos in a list. */
export const MIN_TODOS = 5;
export const MAX_TODOS = 20;

/** Initial todos of every job. */
export const BOOTSTRAP_TODOS = [
  "Generate workspace summary using generate_workspace_summary()",
  "Read workspace_summary.md",
  "Read instructions.md",
  "Create comprehensive execution plan in main_plan.md",
  "Divide plan into executable phases (5-20 steps each)",
];

/** Final todos of every job. Only `job_complete` finishes the last one. */
export const LAST_TODO = "Call job_complete()";
export const FINAL_TODOS = ["Verify all deliverables", "Generate summary report", LAST_TODO];

export type TodoList = Pick<AgentState, "todos" | "next_todo">;

/** Adds todos at the end. */
export function added(list: TodoList, items: readonly { text: string; priority?: number }[]): TodoList {
  let next = list.next_todo;
  const todos = items.map(({ text, priority = 0 }): Todo => {
    const id = `todo_${next}`;
    next += 1;
    return { id, text: text.trim(), status: "pending", priority, notes: "" };
  });
  return { todos: [...list.todos, ...todos], next_todo: next };
}

export function changed(list: TodoList, id: string, change: Partial<Todo>): TodoList {
  const todos = list.todos.map((todo) => (todo.id === id ? { ...todo, ...change } : todo));
  return { todos, next_todo: list.next_todo };
}

/** The first todo that is not done, and its number from 1. */
export function currentTodo(todos: readonly Todo[]): { todo: Todo; number: number } | undefined {
  const index = todos.findIndex((todo) => todo.status !== "done");
  const todo = todos[index];
  return todo === undefined ? undefined : { todo, number: index + 1 };
}

export function doneCount(todos: readonly Todo[]): number {
  return todos.filter((todo) => todo.status === "done").length;
}

/** True for the todo that only `job_complete` finishes. */
export function isLast(phase: Phase, todo: Todo): boolean {
  return phase.kind === "final" && todo.text === LAST_TODO;
}

/** State at the start of a phase: its todos, with all counters of a phase reset. */
export function withPhase(state: AgentState, phase: Phase, texts: readonly string[]): AgentState {
  const list = added(
    { todos: [], next_todo: 1 },
    texts.map((text) => ({ text })),
  );
  return {
    ...state,
    ...list,
    phase,
    recorded_todos: [],
    phase_steps: 0,
    watch: FRESH_WATCH,
    loaded: [],
    rewind: null,
    reset: null,
    issue: "",
  };
}
