// `agent run`: starts a job and runs it to the end.
import { runJob } from "../../../loops/agent/index.ts";
import { defineCommand, MODEL_ARGS } from "../../command.ts";
import { openQueue, QUEUE_ARG } from "../../queue.ts";
import { JOB_EXITS, jobsOf, openRun, printEnd, START_ARGS, startJob } from "./shared.ts";

export const runCommand = defineCommand({
  name: "run",
  summary: "start a job and run it to the end",
  args: { ...START_ARGS, ...MODEL_ARGS, ...QUEUE_ARG },
  examples: [
    {
      command:
        'atomsmith agent run --config researcher --description "Which limits agree?" --document-dir reports',
      does: "a job about all files of a folder",
    },
  ],
  exits: JOB_EXITS,
  run: async (args, context) => {
    const jobs = jobsOf(context);
    const run = await openRun(context, args.config, jobs);
    const id = await startJob(context, args, run.loaded, jobs);
    if (args.queue === undefined) return printEnd(await runJob(id, run), context);
    const { runAgentByFleet } = await import("../../../worker/submit-agent.ts");
    const queue = await openQueue(context, args.queue);
    return printEnd(await runAgentByFleet(id, queue, run, { collect: false }), context);
  },
});
