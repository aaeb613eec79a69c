// `agent resume JOB`: continues a job where it stopped.
import { AtomsmithError, EXIT } from "../../../core/errors.ts";
import { jobDocument, jobOrThrow, runJob, storedState } from "../../../loops/agent/index.ts";
import { defineCommand, MODEL_ARGS } from "../../command.ts";
import { openQueue, QUEUE_ARG } from "../../queue.ts";
import { JOB_ARG, JOB_EXITS, jobsOf, openRun, printEnd, throwIfEnded } from "./shared.ts";

export const resumeCommand = defineCommand({
  name: "resume",
  summary: "continue a job",
  details:
    "Continues at the interrupted node, in the same phase and todo. Stored model replies are reused, and tool calls " +
    "with side effects are not repeated. A completed or waiting job is only shown, unless --from-phase is given. With " +
    "--queue the workers continue it, or what they have finished meanwhile is fetched.",
  args: {
    job: JOB_ARG,
    "from-phase": {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 0 },
      description: "redo phase N and all later ones, also of a finished job",
    },
    ...MODEL_ARGS,
    ...QUEUE_ARG,
  },
  examples: [
    { command: "atomsmith agent resume JOB --from-phase 2", does: "redo phase 2 and all later ones" },
  ],
  exits: JOB_EXITS,
  run: async (args, context) => {
    const jobs = jobsOf(context);
    const job = jobOrThrow(jobs, args.job);
    throwIfEnded(job);
    const from = args["from-phase"];
    if (from === undefined && (job.status === "completed" || job.status === "waiting")) {
      const { workspace } = context.config.loops.agent;
      const document = jobDocument(job, await storedState(workspace, job.id), workspace);
      return printEnd({ document, exit: job.status === "completed" ? EXIT.ok : EXIT.human }, context);
    }
    const run = await openRun(context, job.config_ref, jobs);
    if (run.loaded.config.agent_id !== job.agent_id) {
      throw new AtomsmithError(
        "config",
        `${job.config_ref} is now the configuration of agent ${run.loaded.config.agent_id}, but the job belongs to ${job.agent_id}`,
      );
    }
    if (args.queue !== undefined) {
      if (from !== undefined) {
        throw new AtomsmithError("usage", "--from-phase cannot be combined with --queue", {
          hint: "run it without --queue first",
        });
      }
      const { runAgentByFleet } = await import("../../../worker/submit-agent.ts");
      const queue = await openQueue(context, args.queue);
      return printEnd(await runAgentByFleet(job.id, queue, run, { collect: true }), context);
    }
    return printEnd(
      await runJob(job.id, run, from === undefined ? { continue: true } : { fromPhase: from }),
      context,
    );
  },
});
