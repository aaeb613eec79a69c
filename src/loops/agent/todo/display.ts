// Layer 2: the todo list as shown in every request, and the lists that tools return.
import { count } from "../../../core/words.ts";
import type { Phase, Todo } from "../schemas.ts";
import { currentTodo, doneCount } from "./todos.ts";

const WIDTH = 67;
const RULE = "═".repeat(WIDTH);
const THIN_RULE = "─".repeat(WIDTH);
const TITLE = `${" ".repeat(25)}ACTIVE TODO LIST`;

/** The todo display. Its format is fixed: prompts and recorded replies depend on it. */
export function todoDisplay(phase: Phase, todos: readonly Todo[]): string {
  const current = currentTodo(todos);
  const lines = todos.map((todo, index) => {
    const mark = todo.status === "done" ? "x" : " ";
    const here = todo === current?.todo ? "      ← CURRENT" : "";
    return `[${mark}] ${index + 1}. ${plainText(todo.text)}${here}`;
  });
  return [
    RULE,
    TITLE,
    RULE,
    "",
    `Phase: ${phaseText(phase)}`,
    "",
    ...lines,
    "",
    `Progress: ${doneCount(todos)}/${todos.length} tasks complete`,
    "",
    THIN_RULE,
    `INSTRUCTION: Complete task ${current?.number ?? todos.length}, then call todo_complete()`,
    RULE,
  ].join("\n");
}

/** `Requirement Extraction (2 of 4)`; only the name for phases without a number. */
export function phaseText(phase: Phase): string {
  const name = plainText(phase.name);
  return phase.kind === "plan" ? `${name} (${phase.number} of ${phase.total})` : name;
}

/** One line, without text that could be mistaken for a part of the display. */
export function plainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll("═", "=")
    .replaceAll("─", "-")
    .replaceAll("←", "<-")
    .replace(/\[([ xX])\]/g, "($1)")
    .trim();
}

const SIGNS = { pending: "○", in_progress: "◐", done: "●" } as const;
const ENDS = { pending: "", in_progress: "  <- IN PROGRESS", done: "  <- COMPLETED" } as const;

/** Answer of `list_todos`. */
export function todoLines(todos: readonly Todo[]): string {
  if (todos.length === 0) return "There are no todos.";
  return todos
    .map(({ id, text, status }) => `${SIGNS[status]} [${id}] ${plainText(text)}${ENDS[status]}`)
    .join("\n");
}

/** Answer of `get_progress`. */
export function progressText(todos: readonly Todo[]): string {
  const done = doneCount(todos);
  const percent = todos.length === 0 ? 0 : (100 * done) / todos.length;
  const running = todos.filter((todo) => todo.status === "in_progress").length;
  return [
    `Progress: ${done}/${todos.length} (${percent.toFixed(1)}% complete)`,
    `In progress: ${running}, Pending: ${todos.length - done - running}, Blocked: 0`,
  ].join("\n");
}

/** `2 tasks remaining`, `1 task remaining`. */
export function remainingText(todos: readonly Todo[]): string {
  const left = todos.length - doneCount(todos);
  return `${count(left, "task")} remaining`;
}
