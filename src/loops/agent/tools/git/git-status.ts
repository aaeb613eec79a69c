import { z } from "zod";
import { defineTool } from "../types.ts";
import { gitAnswer } from "./answer.ts";

export const gitStatus = defineTool({
  name: "git_status",
  category: "git",
  description: "Show what changed since the last commit of the workspace.",
  details: "Short form: two letters and the file.",
  schema: z.strictObject({}),
  core: false,
  run: (_, { history }) => gitAnswer(history, ["status", "--short", "--untracked-files=all"]),
});
