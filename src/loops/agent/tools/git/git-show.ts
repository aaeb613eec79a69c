import { z } from "zod";
import { defineTool } from "../types.ts";
import { gitAnswer, revision } from "./answer.ts";

export const gitShow = defineTool({
  name: "git_show",
  category: "git",
  description: "Show one commit of the workspace.",
  details: "`revision`: a commit or a tag such as phase_1_end; default: the latest.",
  schema: z.strictObject({ revision: revision.default("HEAD") }),
  core: false,
  run: ({ revision: name }, { history }) =>
    gitAnswer(history, ["show", "--stat", "--patch", "--no-textconv", "--no-ext-diff", name, "--"]),
});
