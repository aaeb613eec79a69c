import { z } from "zod";
import { workspaceSummary } from "../../workspace/summary.ts";
import { lineCount } from "../../workspace/workspace.ts";
import { defineTool, done } from "../types.ts";

export const generateWorkspaceSummary = defineTool({
  name: "generate_workspace_summary",
  category: "workspace",
  description: "Write workspace_summary.md: files, accomplishments, state and notes.",
  details: "The program also writes it at every change of phase.",
  schema: z.strictObject({}),
  effects: "workspace",
  run(_, { workspace, state, now }) {
    const text = workspaceSummary(workspace.root, state, now());
    return done(`Written to workspace_summary.md, ${lineCount(text)} lines`, {
      ops: [{ op: "write", path: "workspace_summary.md", text }],
    });
  },
});
