// examine_workspace: archives the finished phase and writes the workspace summary for the planning steps.
import type { AgentState } from "../schemas.ts";
import type { AgentServices } from "../services.ts";
import { archivePath, archiveText, phaseLabel, retrospective, retrospectivePath } from "../todo/archive.ts";
import { workspaceSummary } from "../workspace/summary.ts";

export async function examineWorkspace(state: AgentState, services: AgentServices): Promise<AgentState> {
  const { workspace, history, emit, now } = services;
  if (state.todos.length > 0) await archive(state, services);
  if (state.rewind !== null) emit({ type: "rewound", ...state.rewind });
  await history?.tag(`${phaseLabel(state.phase)}_end`);
  const next: AgentState = {
    ...state,
    issue: state.rewind?.issue ?? state.issue,
    // A job that gets stuck again after a rewind by the program waits for the user.
    watch: { ...state.watch, level: state.rewind?.by === "program" ? 2 : 0 },
    todos: [],
    recorded_todos: [],
    rewind: null,
    reset: null,
    completion: null,
  };
  const page = workspaceSummary(workspace.root, state, now());
  await workspace.apply({ op: "write", path: "workspace_summary.md", text: page });
  return next;
}

async function archive(state: AgentState, { workspace, agent }: AgentServices): Promise<void> {
  const path = agent.todo.archive_path;
  const folder = path.endsWith("/") ? path : `${path}/`;
  const wanted = agent.todo.archive_on_reset && state.reset === null;
  if (wanted) {
    const text = archiveText(state, state.phase.name);
    await workspace.apply({ op: "write", path: archivePath(folder, state, state.phase.name), text });
  }
  await workspace.apply({ op: "write", path: retrospectivePath(folder, state), text: retrospective(state) });
}
