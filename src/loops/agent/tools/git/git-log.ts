import { z } from "zod";
import { defineTool } from "../types.ts";
import { gitAnswer } from "./answer.ts";

export const gitLog = defineTool({
  name: "git_log",
  category: "git",
  description: "Show the latest commits of the workspace.",
  details: "There is one commit per finished todo. `max_count`: number of commits, default 20.",
  schema: z.strictObject({ max_count: z.int().min(1).max(200).default(20) }),
  core: false,
  run: ({ max_count }, { history }) =>
    gitAnswer(history, ["log", `--max-count=${max_count}`, "--format=%h %ad %s", "--date=iso-strict"]),
});
