import { z } from "zod";
import { defineTool, done } from "../types.ts";

export const fileExists = defineTool({
  name: "file_exists",
  category: "workspace",
  description: "Check whether a file or folder of the workspace exists.",
  details: 'Example: `file_exists("output/report.md")`.',
  schema: z.strictObject({ path: z.string() }),
  run: ({ path }, { workspace }) =>
    done(workspace.exists(path) ? `${path} exists` : `${path} does not exist`),
});
