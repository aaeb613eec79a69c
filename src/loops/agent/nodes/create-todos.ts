// create_todos: creates the todos of the current phase, in the required number. The conversation of the previous
// phase is summarised or dropped only after that.
import { render } from "../../../conversation/prompts.ts";
import type { NodeTime } from "../../../engine/index.ts";
import { compacted } from "../context/compaction.ts";
import { readPlan } from "../plan.ts";
import { PROMPTS } from "../prompts.ts";
import type { AgentState, Phase } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { phaseLabel } from "../todo/archive.ts";
import { phaseText, plainText } from "../todo/display.ts";
import { MAX_TODOS, MIN_TODOS, withPhase } from "../todo/todos.ts";
import { parseArguments } from "../tools/calls.ts";
import { todoWrite, todoWriteSchema } from "../tools/todo/todo-write.ts";
import { background, planningStep, type Verdict } from "./planning.ts";
import { saveTodos } from "./todo-file.ts";

export async function createTodos(
  state: AgentState,
  services: AgentServices,
  time: NodeTime,
): Promise<AgentState> {
  const { workspace, agent } = services;
  const page = (name: string): { name: string; text: string } => ({ name, text: workspace.page(name) });
  const phase = currentPhase(workspace.page("main_plan.md"));
  const max = Math.min(MAX_TODOS, agent.todo.max_items);
  const { state: asked, value } = await planningStep<string[]>(state, services, time, {
    node: "create_todos",
    instruction: render(PROMPTS.create_todos, { phase: phaseText(phase), min: MIN_TODOS, max }).trim(),
    material: [
      ...background(state),
      page("main_plan.md"),
      page("workspace_summary.md"),
      page("instructions.md"),
    ],
    tools: [todoWrite.spec],
    judge: (reply) => judge(reply.tool_calls, max, services),
  });
  if (value === undefined) return asked;
  const begun = begin(asked, phase, value, services);
  await saveTodos(begun, services);
  await services.history?.tag(`${phaseLabel(phase)}_start`);
  if (begun.messages.length === 0) return begun;
  if (!agent.context_management.compact_on_archive) return { ...begun, messages: [] };
  return compacted(begun, services, time, "phase");
}

/** The phase that the plan marks as the current one. */
function currentPhase(plan: string): Phase {
  const phases = readPlan(plan);
  const current = phases.find((phase) => phase.state === "current");
  return { kind: "plan", number: current?.number ?? 1, name: current?.name ?? "", total: phases.length };
}

function judge(
  calls: readonly { name: string; arguments: string }[],
  max: number,
  { say, agent }: AgentServices,
): Verdict<string[]> {
  const [call] = calls.filter(({ name }) => name === todoWrite.name);
  if (call === undefined) return { back: say("todos_missing", { problem: "the reply has no such call" }) };
  const args = parseArguments(call.arguments);
  if (typeof args === "string") return { back: say("todos_missing", { problem: args }) };
  const read = todoWriteSchema.safeParse(args);
  if (!read.success) {
    const problem = read.error.issues[0];
    return {
      back: say("todos_missing", {
        problem: `${problem?.path.join(".") ?? ""} ${problem?.message ?? ""}`.trim(),
      }),
    };
  }
  const texts = read.data.todos.map((item) => plainText(typeof item === "string" ? item : item.content));
  const size = texts.length;
  if (size >= MIN_TODOS && size <= max) return { done: texts };
  const back = say("todos_size", { size, min: MIN_TODOS, max });
  return { back, once: texts.slice(0, agent.todo.max_items) };
}

/** The state at the start of the phase. A rewind by the program is recorded: if the job gets stuck again, it waits
 * for the user. */
function begin(
  state: AgentState,
  phase: Phase,
  texts: readonly string[],
  services: AgentServices,
): AgentState {
  const begun = withPhase(state, phase, texts);
  services.emit({
    type: "phase_started",
    number: phase.number,
    name: phase.name,
    total: phase.total,
    todos: texts.length,
  });
  return { ...begun, watch: { ...begun.watch, level: state.watch.level } };
}
