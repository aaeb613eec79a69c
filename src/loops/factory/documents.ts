// The schemas that `schema NAME` prints; separate from index.ts, so that printing one does not load the loop.
import { z } from "zod";

export { runSummarySchema, workOrderSchema, writeProposalSchema } from "./schemas.ts";

/** `OUT/run_all.json`: the progress of a run over all orders. */
export const runAllSchema = z.strictObject({
  key: z.string().describe("SHA-256 over the orders, the repository, the branch and the settings"),
  branch: z.string(),
  repo_path: z.string(),
  orders: z.array(
    z.strictObject({
      id: z.string(),
      work_order_hash: z.string(),
      run_id: z.string().nullable(),
      verdict: z.enum(["PASS", "FAIL"]).nullable().describe("null: not finished"),
      commit: z.string().nullable(),
    }),
  ),
});
export type RunAllProgress = z.infer<typeof runAllSchema>;

export const planProblemSchema = z.strictObject({
  code: z.string().describe("E000 to E104; docs/factory.md has the list"),
  id: z.string().nullable(),
  message: z.string(),
});
export type PlanProblem = z.infer<typeof planProblemSchema>;

export const planResultSchema = z.strictObject({
  verdict: z.enum(["PASS", "FAIL"]),
  replies: z.number().int(),
  files: z.array(z.string()),
  problems: z.array(planProblemSchema).describe("of the last reply, when none was right"),
});
export type PlanResult = z.infer<typeof planResultSchema>;
