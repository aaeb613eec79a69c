import { z } from "zod";
import { todoLines } from "../../todo/display.ts";
import { defineTool, done } from "../types.ts";

export const listTodos = defineTool({
  name: "list_todos",
  category: "todo",
  description: "List all tasks of the phase with ids and status.",
  details: "○ open, ◐ in progress, ● done.",
  schema: z.strictObject({}),
  run: (_, { state }) => done(todoLines(state.todos)),
});
