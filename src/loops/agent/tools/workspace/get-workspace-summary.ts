import { z } from "zod";
import { workspaceSummary } from "../../workspace/summary.ts";
import { data, defineTool } from "../types.ts";

export const getWorkspaceSummary = defineTool({
  name: "get_workspace_summary",
  category: "workspace",
  description: "Show files, accomplishments, state and notes of the workspace.",
  details: "The same page that `generate_workspace_summary` writes, without writing it.",
  schema: z.strictObject({}),
  run: (_, { workspace, state, now }) => data(workspaceSummary(workspace.root, state, now())),
});
