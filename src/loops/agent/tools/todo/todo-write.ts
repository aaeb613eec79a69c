import { z } from "zod";
import type { Todo } from "../../schemas.ts";
import { isLast } from "../../todo/todos.ts";
import { defineTool, done, refused } from "../types.ts";

const itemSchema = z.union([
  z.string().trim().min(1),
  z.object({
    content: z.string().trim().min(1),
    status: z.enum(["pending", "in_progress", "completed"]).optional(),
    priority: z.number().optional(),
  }),
]);

/** Texts of the items of a call. */
export const todoWriteSchema = z.object({
  todos: z.array(itemSchema).min(1).describe("the whole list, in order: texts, or objects with `content`"),
});

export const todoWrite = defineTool({
  name: "todo_write",
  category: "todo",
  description: "Replace the open tasks of the todo list. Finished tasks stay.",
  details: "Give the open tasks in the order of work. Finished tasks stay at the front unchanged.",
  schema: todoWriteSchema,
  run({ todos }, { state, agent }) {
    const kept = state.todos.filter((todo) => todo.status === "done");
    const items = todos.map((item) => (typeof item === "string" ? { content: item } : item));
    const texts = new Set(kept.map((todo) => todo.text));
    const open = items.filter((item) => !texts.has(item.content));
    const last = state.todos.find((todo) => isLast(state.phase, todo) && todo.status !== "done");
    if (kept.length + open.length > agent.todo.max_items) {
      return refused(
        `A list has at most ${agent.todo.max_items} todos; these would be ${kept.length + open.length}.`,
      );
    }
    if (items.some((item) => "status" in item && item.status === "completed" && !texts.has(item.content))) {
      return refused("todo_write does not finish tasks: call todo_complete() after each.");
    }
    let next = state.next_todo;
    const added = open
      .filter((item) => item.content !== last?.text)
      .map((item): Todo => {
        next += 1;
        const status = "status" in item && item.status === "in_progress" ? "in_progress" : "pending";
        return {
          id: `todo_${next - 1}`,
          text: item.content,
          status,
          priority: ("priority" in item && item.priority) || 0,
          notes: "",
        };
      });
    const list = [...kept, ...added, ...(last ? [last] : [])];
    if (list.every((todo) => todo.status === "done"))
      return refused("The list needs at least one open task.");
    return done(`The list has ${list.length} todos, ${kept.length} of them done`, {
      patch: { todos: list, next_todo: next },
    });
  },
});
