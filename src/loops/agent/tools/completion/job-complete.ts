import { z } from "zod";
import { defineTool } from "../types.ts";
import { completed, completionShape } from "./complete.ts";

export const jobComplete = defineTool({
  name: "job_complete",
  category: "completion",
  description: "End the job: summary, files that are the result, confidence, notes.",
  details:
    "Offered in the final review; earlier only to give up, with a low confidence. The deliverables must exist. A job with " +
    "a low confidence waits for a person.",
  schema: z.strictObject(completionShape),
  run: (args, context) => completed(args, context),
});
