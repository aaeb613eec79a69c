// The loop of a job: two nested graphs, on one page. The outer one plans, the inner one works on a todo list; the
// program keeps track of both, not the model.
//
// bootstrap -> examine_workspace -> update_memory -> update_plan -> create_todos -> execute -> check_goal ->
// examine_workspace | finish execute (and bootstrap, with its own todos): process <-> tools -> update_todos ->
// check_todos
import { type Graph, nest } from "../../engine/index.ts";
import { checkGoal } from "./nodes/check-goal.ts";
import { checkTodos, interruptsTodos, leavesExecute } from "./nodes/check-todos.ts";
import { createTodos } from "./nodes/create-todos.ts";
import { examineWorkspace } from "./nodes/examine-workspace.ts";
import { finish } from "./nodes/finish.ts";
import { process } from "./nodes/process.ts";
import { tools } from "./nodes/tools.ts";
import { updateMemory } from "./nodes/update-memory.ts";
import { updatePlan } from "./nodes/update-plan.ts";
import { updateTodos } from "./nodes/update-todos.ts";
import { hasCurrentPhase } from "./plan.ts";
import { type AgentState, stateSchema } from "./schemas.ts";
import type { AgentServices } from "./services.ts";
import { BOOTSTRAP_TODOS, withPhase } from "./todo/todos.ts";

type InnerNode = "process" | "tools" | "update_todos" | "check_todos" | "exit_execute";
type OuterNode =
  | "bootstrap"
  | "examine_workspace"
  | "update_memory"
  | "update_plan"
  | "create_todos"
  | "execute"
  | "check_goal"
  | "finish";

/** The inner loop: one todo after the other. */
const executeGraph: Graph<AgentState, AgentServices, InnerNode> = {
  name: "execute",
  start: "process",
  nodes: {
    process: {
      run: process,
      next: ["tools", "update_todos"],
      route: (state) => (state.pending.length > 0 ? "tools" : "update_todos"),
    },
    tools: {
      run: tools,
      next: ["process", "update_todos"],
      route: (state) => (interruptsTodos(state) || hasNewlyDone(state) ? "update_todos" : "process"),
    },
    update_todos: { run: updateTodos, next: ["check_todos"] },
    check_todos: {
      run: checkTodos,
      next: ["process", "exit_execute"],
      route: (state) => (leavesExecute(state) ? "exit_execute" : "process"),
    },
    exit_execute: { run: async (state) => state, next: [] },
  },
};

const inner = {
  leave: (_outer: AgentState, done: AgentState) => done,
  deps: (services: AgentServices) => services,
  read: (stored: unknown) => stateSchema.parse(stored),
};

/** The outer loop: one phase after the other. */
export const agentGraph: Graph<AgentState, AgentServices, OuterNode> = {
  name: "agent",
  start: "bootstrap",
  nodes: {
    bootstrap: {
      nested: nest(executeGraph, { ...inner, enter: withBootstrapTodos }),
      next: ["examine_workspace", "check_goal", "finish"],
      route: (state) => afterTodos(state, "examine_workspace"),
    },
    examine_workspace: { run: examineWorkspace, next: ["update_memory"] },
    update_memory: {
      run: updateMemory,
      next: ["update_plan", "finish"],
      route: (state) => (state.waiting === null ? "update_plan" : "finish"),
    },
    update_plan: {
      run: updatePlan,
      next: ["create_todos", "check_goal", "finish"],
      route: (state, { workspace }) => {
        if (state.waiting !== null) return "finish";
        return hasCurrentPhase(workspace.page("main_plan.md")) ? "create_todos" : "check_goal";
      },
    },
    create_todos: {
      run: createTodos,
      next: ["execute", "finish"],
      route: (state) => (state.waiting === null ? "execute" : "finish"),
    },
    execute: {
      nested: nest(executeGraph, { ...inner, enter: (state: AgentState) => state }),
      next: ["examine_workspace", "check_goal", "finish"],
      route: (state) => afterTodos(state, "check_goal"),
    },
    check_goal: {
      run: checkGoal,
      next: ["examine_workspace", "execute", "finish"],
      route: (state) => {
        if (state.completion !== null) return "finish";
        return state.todos.every((todo) => todo.status === "done") ? "examine_workspace" : "execute";
      },
    },
    finish: { run: finish, next: [] },
  },
};

function withBootstrapTodos(state: AgentState): AgentState {
  if (state.todos.length > 0) return state;
  return withPhase(state, state.phase, BOOTSTRAP_TODOS);
}

function hasNewlyDone(state: AgentState): boolean {
  return state.todos.some((todo) => todo.status === "done" && !state.recorded_todos.includes(todo.id));
}

/** The node after a todo list: wait for the user, finish, plan again, or continue. */
function afterTodos(
  state: AgentState,
  otherwise: "examine_workspace" | "check_goal",
): "examine_workspace" | "check_goal" | "finish" {
  if (state.waiting !== null) return "finish";
  if (state.completion !== null) return "check_goal";
  return state.rewind !== null || state.reset !== null ? "examine_workspace" : otherwise;
}
