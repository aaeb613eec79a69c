// `agent approve JOB`: accepts the results of a waiting job, or answers its question.
import { AtomsmithError, EXIT } from "../../../core/errors.ts";
import { approveAsIs, jobDocument, jobOrThrow, runJob, storedState } from "../../../loops/agent/index.ts";
import { defineCommand, MODEL_ARGS } from "../../command.ts";
import { JOB_ARG, JOB_EXITS, jobsOf, loadAgent, openRun, printEnd } from "./shared.ts";

export const approveCommand = defineCommand({
  name: "approve",
  summary: "accept the results of a waiting job, or answer its question",
  args: {
    job: JOB_ARG,
    answer: {
      type: "string",
      valueHint: "TEXT",
      description: "answer the job and continue it here",
    },
    ...MODEL_ARGS,
  },
  examples: [
    { command: "atomsmith agent approve JOB", does: "complete the job as it is" },
    {
      command: 'atomsmith agent approve JOB --answer "Take the table of 2024"',
      does: "continue the job with an answer",
    },
  ],
  exits: JOB_EXITS,
  run: async ({ job: id, answer }, context) => {
    const jobs = jobsOf(context);
    const job = jobOrThrow(jobs, id);
    if (job.status !== "waiting") {
      throw new AtomsmithError("usage", `job ${id} is not waiting for approval: it is ${job.status}`, {
        where: id,
      });
    }
    if (answer !== undefined) {
      const run = await openRun(context, job.config_ref, jobs);
      return printEnd(await runJob(id, run, { answer }), context);
    }
    const { workspace } = context.config.loops.agent;
    await approveAsIs(job, jobs, workspace, loadAgent(context, job.config_ref).config);
    const document = jobDocument(jobOrThrow(jobs, id), await storedState(workspace, id), workspace);
    return printEnd({ document, exit: EXIT.ok }, context);
  },
});
