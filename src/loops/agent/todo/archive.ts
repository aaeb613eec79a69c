// Archive of a finished phase: its todos as a page for the user and the model.
import type { AgentState, Phase, Todo } from "../schemas.ts";
import { plainText } from "./display.ts";

/** `archive/todos_phase_2_extraction_20250108_143000.md`; a rewind is marked before the name. */
export function archivePath(folder: string, state: AgentState, name: string): string {
  const middle = state.rewind === null ? "" : "REWIND_";
  return `${folder}todos_phase_${state.phase.number}_${middle}${slug(name)}_${stamp(state.phase_ended_at)}.md`;
}

/** The page of the archive. */
export function archiveText(state: AgentState, name: string): string {
  const { todos, phase, rewind } = state;
  const of = (status: Todo["status"]): Todo[] => todos.filter((todo) => todo.status === status);
  const section = (title: string, list: Todo[], mark: string): string[] =>
    list.length === 0
      ? []
      : ["", `## ${title} (${list.length})`, ...list.map((todo) => `- [${mark}] ${plainText(todo.text)}`)];
  const notes = todos
    .filter((todo) => todo.notes !== "")
    .map((todo) => `- ${plainText(todo.text)}: ${plainText(todo.notes)}`);
  return `${[
    `# Archived Todos: phase_${phase.number}_${slug(name)}`,
    `Archived: ${state.phase_ended_at.slice(0, 19)}`,
    ...(rewind === null ? [] : ["", "## Failure note", rewind.issue]),
    ...section("Completed", of("done"), "x"),
    ...section("Was In Progress", of("in_progress"), " "),
    ...section("Was Pending", of("pending"), " "),
    ...(notes.length === 0 ? [] : ["", "## Notes", ...notes]),
  ].join("\n")}\n`;
}

/** Statistics of a phase, stored with its archive. */
export function retrospective(state: AgentState): string {
  const { phase, todos, watch } = state;
  const open = todos.filter((todo) => todo.status !== "done").length;
  return `${[
    `# Retrospective: phase ${phase.number}, ${plainText(phase.name)}`,
    "",
    `- ${todos.length - open} of ${todos.length} todos were completed.`,
    `- It took ${state.phase_steps} requests to the model; the job has made ${state.requests} so far.`,
    ...(watch.level > 0 ? ["- It stood still for a while; a forced checkpoint was made."] : []),
    ...(state.rewind === null
      ? []
      : [`- It was rewound by the ${state.rewind.by}: ${plainText(state.rewind.issue)}`]),
  ].join("\n")}\n`;
}

export function retrospectivePath(folder: string, state: AgentState): string {
  return `${folder}retrospective_phase_${state.phase.number}_${slug(state.phase.name)}_${stamp(state.phase_ended_at)}.md`;
}

/** A name as part of a file name. */
function slug(text: string): string {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 40);
  return plain === "" ? "unnamed" : plain;
}

/** `20250108_143000` of an ISO time. */
function stamp(iso: string): string {
  return iso.slice(0, 19).replace(/[-:]/g, "").replace("T", "_");
}

export function phaseLabel(phase: Phase): string {
  return `phase_${phase.number}`;
}
