import { z } from "zod";
import { plainText, remainingText } from "../../todo/display.ts";
import { changed, currentTodo, isLast } from "../../todo/todos.ts";
import { defineTool, done, refused } from "../types.ts";

export const todoComplete = defineTool({
  name: "todo_complete",
  category: "todo",
  description: "Mark the current task as complete. Call it after each task.",
  details:
    "Takes no arguments: the first open task is the current one. The next task is shown with the next message.",
  schema: z.strictObject({}),
  run(_, { state }) {
    const current = currentTodo(state.todos);
    if (current === undefined) return refused("All tasks are complete.");
    const { todo, number } = current;
    if (isLast(state.phase, todo))
      return refused("This task is finished by job_complete(summary, deliverables, confidence, notes).");
    const list = changed(state, todo.id, { status: "done" });
    return done(`Task ${number} '${plainText(todo.text)}' marked complete. ${remainingText(list.todos)}.`, {
      patch: list,
    });
  },
});
