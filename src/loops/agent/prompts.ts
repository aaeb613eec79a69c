// All texts for the model of this loop, embedded from prompts/agent/*.md.
import createTodos from "../../../prompts/agent/create_todos.md" with { type: "text" };
import nudgesText from "../../../prompts/agent/nudges.md" with { type: "text" };
import summarize from "../../../prompts/agent/summarize.md" with { type: "text" };
import system from "../../../prompts/agent/system.md" with { type: "text" };
import updateMemory from "../../../prompts/agent/update_memory.md" with { type: "text" };
import updatePlan from "../../../prompts/agent/update_plan.md" with { type: "text" };
import { type Nudges, readNudges } from "../../conversation/nudges.ts";

export const PROMPTS = {
  system,
  update_memory: updateMemory,
  update_plan: updatePlan,
  create_todos: createTodos,
  summarize,
} as const;

/** A short answer of the program from prompts/agent/nudges.md. */
export const say: Nudges = readNudges(nudgesText);
