import { z } from "zod";
import { defineTool, done, refused } from "../types.ts";

export const copyFile = defineTool({
  name: "copy_file",
  category: "workspace",
  description: "Copy a file of the workspace.",
  details: 'Example: `copy_file("notes/a.md", "output/a.md")`. The destination must not exist.',
  schema: z.strictObject({ source: z.string(), destination: z.string() }),
  effects: "workspace",
  run({ source, destination }, { workspace }) {
    const from = workspace.readable(source);
    const to = workspace.writable(destination);
    if (!workspace.hasFile(from)) return refused(`There is no file ${source}.`);
    if (workspace.exists(to)) return refused(`${to} already exists; choose another name or delete it first.`);
    return done(`Copied ${from} to ${to}`, { ops: [{ op: "copy", from, to }] });
  },
});
