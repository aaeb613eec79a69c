// todos.json: the todo list as a file for users and other programs. The job itself resumes from the checkpoint.
import { jsonText } from "../../../store/index.ts";
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";

export async function saveTodos(state: AgentState, services: AgentServices): Promise<void> {
  const { phase, todos } = state;
  const numbered = phase.kind === "plan";
  const document = {
    phase: { number: numbered ? phase.number : null, name: phase.name, total: numbered ? phase.total : null },
    todos: todos.map(({ id, text, status, priority, notes }) => ({
      id,
      content: text,
      status,
      priority,
      notes,
    })),
  };
  await services.workspace.apply({ op: "write", path: "todos.json", text: jsonText(document) });
}
