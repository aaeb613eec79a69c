// Shared by the two tools that end a job: conditions, and the change of the state.
import { z } from "zod";
import type { Completion } from "../../schemas.ts";
import { changed, LAST_TODO } from "../../todo/todos.ts";
import { done, type Outcome, refused, type ToolContext } from "../types.ts";

export const completionShape = {
  summary: z.string().trim().min(1).max(8000),
  deliverables: z.array(z.string()).describe("files of the workspace that are the result"),
  confidence: z.number().min(0).max(1).describe("0 to 1"),
  notes: z.string().max(8000).default(""),
};

/** Accepts the end of the job, or refuses with what is missing. */
export function completed(completion: Completion, { state, workspace, minConfidence }: ToolContext): Outcome {
  const missing = completion.deliverables.filter((path) => !workspace.hasFile(path));
  if (missing.length > 0) {
    return refused(
      `These deliverables are not files of the workspace: ${missing.join(", ")}. Write them, or leave them out.`,
    );
  }
  if (state.phase.kind !== "final" && completion.confidence >= minConfidence) {
    return refused(
      `Before the final review a job can only be given up: with a confidence below ${minConfidence}, and notes that say why.`,
    );
  }
  const last = state.todos.find(({ text, status }) => text === LAST_TODO && status !== "done");
  const list = last === undefined ? {} : changed(state, last.id, { status: "done" });
  return done("The end of the job is recorded.", { patch: { completion, ...list } });
}
