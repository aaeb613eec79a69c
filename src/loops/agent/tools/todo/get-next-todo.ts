import { z } from "zod";
import { plainText } from "../../todo/display.ts";
import { currentTodo } from "../../todo/todos.ts";
import { defineTool, done } from "../types.ts";

export const getNextTodo = defineTool({
  name: "get_next_todo",
  category: "todo",
  description: "Show the current task.",
  details: "The first task of the list that is not done.",
  schema: z.strictObject({}),
  run(_, { state }) {
    const current = currentTodo(state.todos);
    return done(
      current === undefined
        ? "All tasks are complete."
        : `[${current.todo.id}] ${plainText(current.todo.text)}`,
    );
  },
});
