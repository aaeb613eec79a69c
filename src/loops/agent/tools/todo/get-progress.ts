import { z } from "zod";
import { progressText } from "../../todo/display.ts";
import { defineTool, done } from "../types.ts";

export const getProgress = defineTool({
  name: "get_progress",
  category: "todo",
  description: "Count the tasks of the phase.",
  details: "The number of tasks that are complete, in progress and open.",
  schema: z.strictObject({}),
  run: (_, { state }) => done(progressText(state.todos)),
});
