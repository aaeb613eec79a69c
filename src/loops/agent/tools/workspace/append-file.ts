import { z } from "zod";
import { lineCount } from "../../workspace/workspace.ts";
import { defineTool, done } from "../types.ts";

export const appendFile = defineTool({
  name: "append_file",
  category: "workspace",
  description: "Append text to a file of the workspace; creates the file if it does not exist.",
  details: 'Example: `append_file("notes/log.md", "- page 3 read\\n")`. End the text with a line break.',
  schema: z.strictObject({ path: z.string(), content: z.string() }),
  effects: "workspace",
  run({ path, content }, { workspace }) {
    const place = workspace.writable(path);
    return done(`Appended to ${place}, ${lineCount(content)} lines`, {
      ops: [{ op: "append", path: place, at: workspace.size(place), text: content }],
    });
  },
});
