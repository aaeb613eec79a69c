import { z } from "zod";
import { defineTool, done } from "../types.ts";

const MAX_KEPT = 200;

export const addNote = defineTool({
  name: "add_note",
  category: "workspace",
  description: "Add a note to the workspace summary.",
  details:
    'Example: `add_note("Section 4 has another format")`. The latest are listed in workspace_summary.md.',
  schema: z.strictObject({ text: z.string().min(1).max(1000) }),
  run: ({ text }, { state }) =>
    done("Note recorded", { patch: { notes: [...state.notes, text].slice(-MAX_KEPT) } }),
});
