import { z } from "zod";
import { defineTool, done } from "../types.ts";

const MAX_KEPT = 200;

export const addAccomplishment = defineTool({
  name: "add_accomplishment",
  category: "workspace",
  description: "Record a milestone for the workspace summary.",
  details:
    'Example: `add_accomplishment("All 47 pages read")`. The latest are listed in workspace_summary.md.',
  schema: z.strictObject({ text: z.string().min(1).max(1000) }),
  run: ({ text }, { state }) =>
    done("Accomplishment recorded", {
      patch: { accomplishments: [...state.accomplishments, text].slice(-MAX_KEPT) },
    }),
});
