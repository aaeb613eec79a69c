// `agent approve JOB`: a person ends a waiting job as it stands, or answers it.
import { AtomsmithError, EXIT } from "../../../core/errors.ts";
import {
  approveAsItStands,
  jobDocument,
  jobOrThrow,
  runJob,
  storedState,
} from "../../../loops/agent/index.ts";
import { defineCommand, MODEL_ARGS } from "../../command.ts";
import { JOB_ARG, JOB_EXITS, jobsOf, loadAgent, openRun, tellEnd } from "./shared.ts";

export const approveCommand = defineCommand({
  name: "approve",
  summary: "end a waiting job as it stands, or answer it",
  args: {
    job: JOB_ARG,
    answer: {
      type: "string",
      valueHint: "TEXT",
      description: "sends the job back to work, at once and here",
    },
    ...MODEL_ARGS,
  },
  examples: [
    { command: "atomsmith agent approve JOB", does: "the job counts as completed" },
    { command: 'atomsmith agent approve JOB --answer "Take the table of 2024"', does: "the job goes on" },
  ],
  exits: JOB_EXITS,
  run: async ({ job: id, answer }, context) => {
    const jobs = jobsOf(context);
    const job = jobOrThrow(jobs, id);
    if (job.status !== "waiting") {
      throw new AtomsmithError("usage", `job ${id} does not wait for a person: it is ${job.status}`, {
        where: id,
      });
    }
    if (answer !== undefined) {
      const run = await openRun(context, job.config_ref, jobs);
      return tellEnd(await runJob(id, run, { answer }), context);
    }
    const { workspace } = context.config.loops.agent;
    await approveAsItStands(job, jobs, workspace, loadAgent(context, job.config_ref).config);
    const document = jobDocument(jobOrThrow(jobs, id), await storedState(workspace, id), workspace);
    return tellEnd({ document, exit: EXIT.ok }, context);
  },
});
