import { z } from "zod";
import { plainText } from "../../todo/display.ts";
import { added } from "../../todo/todos.ts";
import { defineTool, done, refused } from "../types.ts";

export const addTodo = defineTool({
  name: "add_todo",
  category: "todo",
  description: "Add a task to the end of the todo list.",
  details:
    'Example: `add_todo("Compare the two tables")`. `priority`: higher is more important; the order stays.',
  schema: z.strictObject({ content: z.string().trim().min(1).max(500), priority: z.number().default(0) }),
  run({ content, priority }, { state, agent }) {
    if (state.todos.length >= agent.todo.max_items) {
      const watch = { ...state.watch, refused_todos: state.watch.refused_todos + 1 };
      const refusal = `The list already has ${state.todos.length} todos, the maximum of a phase. Add the task to a later phase of main_plan.md.`;
      return { ...refused(refusal), patch: { watch } };
    }
    const list = added(state, [{ text: content, priority }]);
    const id = list.todos.at(-1)?.id ?? "";
    return done(`Added [${id}] ${plainText(content)}`, { patch: list });
  },
});
