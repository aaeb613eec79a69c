// update_todos: records finished todos: a line in progress.md, a commit, an event for each. Idempotent, since it may run
// again after a crash.
import type { AgentState, Todo } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { phaseText, plainText } from "../todo/display.ts";
import { doneCount } from "../todo/todos.ts";
import { saveTodos } from "./todo-file.ts";

const HEAD = ["# Progress", ""];

export async function updateTodos(state: AgentState, services: AgentServices): Promise<AgentState> {
  let now = state;
  for (const todo of state.todos) {
    if (todo.status !== "done" || now.recorded_todos.includes(todo.id)) continue;
    now = await recorded(now, todo, services);
  }
  return now;
}

async function recorded(state: AgentState, todo: Todo, services: AgentServices): Promise<AgentState> {
  const { workspace, history, emit } = services;
  const number = state.todos.indexOf(todo) + 1;
  const line = `- [x] ${phaseText(state.phase)}, task ${number}: ${plainText(todo.text)}`;
  // Lines that a killed process wrote beyond what the checkpoint counts are written again.
  const before = workspace
    .page("progress.md")
    .split("\n")
    .slice(HEAD.length, HEAD.length + state.finished);
  const text = `${[...HEAD, ...before, line].join("\n")}\n`;
  await workspace.apply({ op: "write", path: "progress.md", text });
  await saveTodos(state, services);
  await history?.commit(`Todo: ${plainText(todo.text)}`);
  emit({
    type: "todo_finished",
    id: todo.id,
    text: plainText(todo.text),
    done: doneCount(state.todos),
    total: state.todos.length,
  });
  return { ...state, finished: state.finished + 1, recorded_todos: [...state.recorded_todos, todo.id] };
}
