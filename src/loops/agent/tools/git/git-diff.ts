import { z } from "zod";
import { defineTool } from "../types.ts";
import { gitAnswer, revision } from "./answer.ts";

export const gitDiff = defineTool({
  name: "git_diff",
  category: "git",
  description: "Show what changed in the workspace between two commits, or since one.",
  details: "Example: git_diff(phase_1_start, phase_1_end).",
  schema: z.strictObject({ from: revision.default("HEAD"), to: revision.optional() }),
  core: false,
  run: ({ from, to }, { history }) =>
    gitAnswer(history, [
      "diff",
      "--no-textconv",
      "--no-ext-diff",
      from,
      ...(to === undefined ? [] : [to]),
      "--",
    ]),
});
