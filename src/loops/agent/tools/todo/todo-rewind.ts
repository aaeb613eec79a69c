import { z } from "zod";
import { defineTool, done } from "../types.ts";

export const todoRewind = defineTool({
  name: "todo_rewind",
  category: "todo",
  description: "Stop: the plan does not work. The issue is recorded, then plan and todos are created again.",
  details:
    'Example: `todo_rewind("Step 7 is impossible because there is no batch interface; one by one may work.")`. Say what is ' +
    "impossible, why, and what could be done instead.",
  schema: z.strictObject({ issue: z.string().trim().min(1).max(4000) }),
  run: ({ issue }, { state }) =>
    done("The todos are archived with this issue; plan and todos are created again.", {
      patch: { rewind: { by: "model", issue }, rewinds: state.rewinds + 1 },
    }),
});
