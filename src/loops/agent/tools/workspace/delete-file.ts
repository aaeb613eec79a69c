import { statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { defineTool, done, refused } from "../types.ts";

export const deleteFile = defineTool({
  name: "delete_file",
  category: "workspace",
  description: "Delete a file or an empty folder of the workspace.",
  details: 'Example: `delete_file("notes/draft.md")`. A folder must be empty.',
  schema: z.strictObject({ path: z.string() }),
  effects: "workspace",
  run({ path }, { workspace }) {
    const place = workspace.writable(path);
    if (!workspace.exists(place)) return refused(`There is no ${place}.`);
    const isFolder = statSync(join(workspace.root, place)).isDirectory();
    if (isFolder && workspace.list(place).length > 0) return refused(`The folder ${place} is not empty.`);
    return done(`Deleted ${place}`, { ops: [{ op: "remove", path: place }] });
  },
});
