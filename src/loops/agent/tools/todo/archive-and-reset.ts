import { z } from "zod";
import { archivePath, archiveText } from "../../todo/archive.ts";
import { defineTool, done } from "../types.ts";

export const archiveAndReset = defineTool({
  name: "archive_and_reset",
  category: "todo",
  description: "End the phase early: archive the todos, examine the workspace and plan again.",
  details: "Not needed at the end of a phase, which is archived automatically.",
  schema: z.strictObject({ phase_name: z.string().max(80).default("") }),
  effects: "workspace",
  run({ phase_name }, { state, agent, now }) {
    const name = phase_name.trim() === "" ? state.phase.name : phase_name;
    const ended = { ...state, phase_ended_at: now().toISOString() };
    const path = archivePath(folderOf(agent.todo.archive_path), ended, name);
    return done(`Archived ${state.todos.length} todos to ${path}. Todo list cleared. Ready for new todos.`, {
      ops: agent.todo.archive_on_reset ? [{ op: "write", path, text: archiveText(ended, name) }] : [],
      patch: { reset: name, phase_ended_at: ended.phase_ended_at },
    });
  },
});

function folderOf(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}
