import { z } from "zod";
import { AtomsmithError } from "../../../../core/errors.ts";
import type { Submission } from "../../jobs/submissions.ts";
import { defineTool, done, type Outcome, refused, type ToolContext } from "../types.ts";
import { acceptanceFaults, takeOver } from "./accept.ts";
import { prepareReturn } from "./send-back.ts";

export const decideItemSpec = defineTool({
  name: "decide_item_spec",
  category: "items",
  description: "Accept the ItemSpec of next_item_spec, or send it back with reasons.",
  details:
    'Examples: `decide_item_spec("S4", "accept", "…")`, `decide_item_spec("S4", "reject", "Example 2 …; the waiver of …")`. ' +
    "Acceptance is refused unless try_item of exactly this text passed all gates on real logs, when a quote is not " +
    "in its source, or when the project has another page of this id. Reasons state what is wrong, where, and what would be " +
    "right: the creator gets them as its next task.",
  schema: z.strictObject({
    submission_id: z.string().describe("as next_item_spec named it"),
    decision: z.enum(["accept", "reject"]),
    reasons: z.string().trim().min(1).max(8_000),
  }),
  // Idempotent: repeated after a crash, the call writes the same files and finds its own decision.
  effects: "workspace",
  core: false,
  async run({ submission_id, decision, reasons }, context) {
    const stored = context.jobs.submissions.get(submission_id);
    const status = decision === "accept" ? "accepted" : "rejected";
    if (stored?.taken_by !== context.state.job_id) {
      return refused(`${submission_id} is not assigned to this job: call next_item_spec.`);
    }
    if (stored.status === status) return done(told(stored, context));
    if (stored.status !== "taken") return refused(`${submission_id} is already ${stored.status}.`);
    try {
      return await (decision === "accept" ? accept : sendBack)(stored, reasons, context);
    } catch (error) {
      const mine = error instanceof AtomsmithError && (error.kind === "usage" || error.kind === "config");
      if (mine) return refused(`Nothing was decided: ${error.message}.`);
      throw error;
    }
  },
});

async function accept(submission: Submission, reasons: string, context: ToolContext): Promise<Outcome> {
  const faults = await acceptanceFaults(submission, context);
  if (faults.length > 0) {
    return refused(`${submission.id} cannot be accepted:\n${faults.map((fault) => `- ${fault}`).join("\n")}`);
  }
  await takeOver(submission, reasons, context);
  return recorded(submission, { status: "accepted", reasons }, context);
}

async function sendBack(submission: Submission, reasons: string, context: ToolContext): Promise<Outcome> {
  const mayReturn = submission.round < context.config.loops.agent.max_returns;
  const job = mayReturn ? await prepareReturn(submission, reasons, context) : undefined;
  const decision = { status: "rejected" as const, reasons, ...(job === undefined ? {} : { job }) };
  return recorded(submission, decision, context);
}

function recorded(
  submission: Submission,
  decision: Parameters<ToolContext["jobs"]["submissions"]["decide"]>[2],
  context: ToolContext,
): Outcome {
  const { submissions } = context.jobs;
  if (submissions.decide(submission.id, context.state.job_id, decision) === "lost") {
    return refused(`${submission.id} was assigned to another job meanwhile.`);
  }
  return done(told(submissions.get(submission.id) ?? submission, context));
}

function told({ id, item_id, status, returned_as, round }: Submission, { config }: ToolContext): string {
  if (status === "accepted") return `${id} (${item_id}) is accepted: page, proof and set are in the project.`;
  if (returned_as !== null) return `${id} (${item_id}) goes back to its creator as job ${returned_as}.`;
  const { max_returns } = config.loops.agent;
  return round >= max_returns
    ? `${id} (${item_id}) is rejected. It was sent back ${round} times and does not go back again (loops.agent.max_returns): a person must look at it. Say so in your report.`
    : `${id} (${item_id}) is rejected. The job of its creator is gone: a person must look at it. Say so in your report.`;
}
