import { z } from "zod";
import { plainText, remainingText } from "../../todo/display.ts";
import { changed, isLast } from "../../todo/todos.ts";
import { defineTool, done, refused } from "../types.ts";

export const completeTodo = defineTool({
  name: "complete_todo",
  category: "todo",
  description: "Mark the task of an id as complete.",
  details:
    'Example: `complete_todo("todo_1", "45 pages")`. The usual way is `todo_complete()`, which takes the current task.',
  schema: z.strictObject({ todo_id: z.string(), notes: z.string().max(2000).default("") }),
  run({ todo_id, notes }, { state }) {
    const index = state.todos.findIndex(({ id }) => id === todo_id);
    const todo = state.todos[index];
    if (todo === undefined) return refused(`There is no ${todo_id}; list_todos lists the ids.`);
    if (todo.status === "done") return refused(`${todo_id} is already done.`);
    if (isLast(state.phase, todo))
      return refused("This task is finished by job_complete(summary, deliverables, confidence, notes).");
    const list = changed(state, todo_id, { status: "done", notes });
    return done(
      `Task ${index + 1} '${plainText(todo.text)}' marked complete. ${remainingText(list.todos)}.`,
      { patch: list },
    );
  },
});
