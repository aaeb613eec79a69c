import { z } from "zod";
import { defineTool } from "../types.ts";
import { gitAnswer } from "./answer.ts";

export const gitTags = defineTool({
  name: "git_tags",
  category: "git",
  description: "List the tags of the workspace.",
  details: "Each phase has phase_N_start and phase_N_end.",
  schema: z.strictObject({}),
  core: false,
  run: (_, { history }) => gitAnswer(history, ["tag", "--list", "--sort=creatordate"]),
});
