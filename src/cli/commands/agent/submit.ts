// `agent submit`: queues a job for a polling worker.
import { EXIT } from "../../../core/errors.ts";
import { defineCommand } from "../../command.ts";
import { jobsOf, loadAgent, START_ARGS, startJob } from "./shared.ts";

export const submitCommand = defineCommand({
  name: "submit",
  summary: "queue a job for a worker and print its id",
  args: START_ARGS,
  examples: [
    {
      command: 'atomsmith agent submit --config tidy --description "Sort the notes" --document-dir notes',
      does: "a worker of `agent poll` runs it",
    },
  ],
  run: async (args, context) => {
    const id = await startJob(context, args, loadAgent(context, args.config), jobsOf(context));
    context.output.result({ job_id: id, status: "created" }, () => id);
    return EXIT.ok;
  },
});
