import { z } from "zod";
import { lineCount } from "../../workspace/workspace.ts";
import { defineTool, done } from "../types.ts";

export const writeFile = defineTool({
  name: "write_file",
  category: "workspace",
  description: "Write a whole text file of the workspace; creates missing folders.",
  details:
    'Example: `write_file("notes/findings.md", "# Findings\\n...")`. What stood there before is replaced.',
  schema: z.strictObject({ path: z.string(), content: z.string() }),
  effects: "workspace",
  run({ path, content }, { workspace }) {
    const place = workspace.writable(path);
    return done(`Written to ${place}, ${lineCount(content)} lines`, {
      ops: [{ op: "write", path: place, text: content }],
    });
  },
});
