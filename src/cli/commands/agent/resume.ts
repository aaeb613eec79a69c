// `agent resume JOB`: goes on where a job stopped.
import { AtomsmithError, EXIT } from "../../../core/errors.ts";
import { jobDocument, jobOrThrow, runJob, storedState } from "../../../loops/agent/index.ts";
import { defineCommand, MODEL_ARGS } from "../../command.ts";
import { JOB_ARG, JOB_EXITS, jobsOf, openRun, tellEnd, throwIfEnded } from "./shared.ts";

export const resumeCommand = defineCommand({
  name: "resume",
  summary: "go on with a job",
  details:
    "Goes on at the node that was interrupted: same phase, same todo; no stored reply is asked for again, and no call " +
    "with effects is repeated. A completed or waiting job is only told about, unless --from-phase says where to go on.",
  args: {
    job: JOB_ARG,
    "from-phase": {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 0 },
      description: "open phase N and all later ones again, also in a finished job",
    },
    ...MODEL_ARGS,
  },
  examples: [
    { command: "atomsmith agent resume JOB --from-phase 2", does: "do phase 2 and what follows again" },
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
      return tellEnd({ document, exit: job.status === "completed" ? EXIT.ok : EXIT.human }, context);
    }
    const run = await openRun(context, job.config_ref, jobs);
    if (run.loaded.config.agent_id !== job.agent_id) {
      throw new AtomsmithError(
        "config",
        `${job.config_ref} is now the configuration of ${run.loaded.config.agent_id}, not of ${job.agent_id}`,
      );
    }
    return tellEnd(
      await runJob(job.id, run, from === undefined ? { continue: true } : { fromPhase: from }),
      context,
    );
  },
});
