import { z } from "zod";
import { plainText } from "../../todo/display.ts";
import { changed } from "../../todo/todos.ts";
import { defineTool, done, refused } from "../types.ts";

export const startTodo = defineTool({
  name: "start_todo",
  category: "todo",
  description: "Mark a task as in progress.",
  details: 'Example: `start_todo("todo_3")`. Not needed: the first open task is the current one.',
  schema: z.strictObject({ todo_id: z.string() }),
  run({ todo_id }, { state }) {
    const todo = state.todos.find(({ id }) => id === todo_id);
    if (todo === undefined) return refused(`There is no ${todo_id}; list_todos lists the ids.`);
    if (todo.status === "done") return refused(`${todo_id} is already done.`);
    return done(`Started [${todo_id}] ${plainText(todo.text)}`, {
      patch: changed(state, todo_id, { status: "in_progress" }),
    });
  },
});
