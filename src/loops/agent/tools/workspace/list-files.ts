import { z } from "zod";
import { data, defineTool } from "../types.ts";

export const listFiles = defineTool({
  name: "list_files",
  category: "workspace",
  description: "List a folder of the workspace; folders end in a slash.",
  details: 'Example: `list_files("documents/")`. Without a path: the folder of the job.',
  schema: z.strictObject({ path: z.string().default("") }),
  run({ path }, { workspace }) {
    const names = workspace.list(path);
    return data(names.length === 0 ? "(the folder is empty)" : names.join("\n"));
  },
});
