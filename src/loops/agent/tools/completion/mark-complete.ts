import { z } from "zod";
import { defineTool } from "../types.ts";
import { completed, completionShape } from "./complete.ts";

export const markComplete = defineTool({
  name: "mark_complete",
  category: "completion",
  description: "Older name of job_complete.",
  details: "Like `job_complete`; deliverables and confidence are optional.",
  schema: z.strictObject({
    ...completionShape,
    deliverables: completionShape.deliverables.default([]),
    confidence: completionShape.confidence.default(1),
  }),
  run: (args, context) => completed(args, context),
});
