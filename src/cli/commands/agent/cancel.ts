// `agent cancel JOB`: cancels a job; its worker stops before the next model call.
import { EXIT } from "../../../core/errors.ts";
import { cancelJob, Heartbeats, jobOrThrow } from "../../../loops/agent/index.ts";
import { defineCommand } from "../../command.ts";
import { JOB_ARG, jobsOf } from "./shared.ts";

export const cancelCommand = defineCommand({
  name: "cancel",
  summary: "cancel a job",
  args: { job: JOB_ARG },
  examples: [{ command: "atomsmith agent cancel JOB", does: "cancel the job; its files are kept" }],
  run: async ({ job: id }, context) => {
    const jobs = jobsOf(context);
    const { workspace, heartbeat_seconds } = context.config.loops.agent;
    const heartbeats = new Heartbeats(jobs, workspace, heartbeat_seconds * 1000);
    await cancelJob(jobOrThrow(jobs, id), jobs, heartbeats, context.signal);
    const { status } = jobOrThrow(jobs, id);
    const outcome = status === "cancelled" ? "cancelled" : "its worker stops before the next call";
    context.output.result({ job_id: id, status }, () => `${id}: ${outcome}`);
    return EXIT.ok;
  },
});
