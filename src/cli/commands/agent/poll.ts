// `agent poll`: works on the jobs of one agent, one after the other.
import { AtomsmithError, EXIT } from "../../../core/errors.ts";
import { type JobDocument, nextJob, runJob } from "../../../loops/agent/index.ts";
import { defineCommand, MODEL_ARGS } from "../../command.ts";
import { CONFIG_ARG, jobsOf, openRun } from "./shared.ts";

export const pollCommand = defineCommand({
  name: "poll",
  summary: "work on the jobs of an agent until told to stop",
  details:
    "Takes new jobs of the agent, oldest first, and those whose worker died; asks again every polling.interval_seconds. " +
    "SIGTERM or Ctrl-C ends it; the job under way can be taken by the next worker.",
  args: {
    config: { ...CONFIG_ARG, required: true },
    once: { type: "boolean", description: "end when no job is left" },
    ...MODEL_ARGS,
  },
  examples: [{ command: "atomsmith agent poll --config researcher", does: "a worker; any number may run" }],
  run: async ({ config, once }, context) => {
    const jobs = jobsOf(context);
    const run = await openRun(context, config, jobs);
    const { agent_id, polling } = run.loaded.config;
    if (!polling.enabled) {
      throw new AtomsmithError(
        "config",
        `the agent ${agent_id} is not for polling: polling.enabled is false`,
        {
          where: "polling.enabled",
          hint: "start its jobs with agent run, or set polling.enabled",
        },
      );
    }
    const heartbeatMs = run.config.loops.agent.heartbeat_seconds * 1000;
    const worked: JobDocument[] = [];
    while (!context.signal.aborted) {
      const job = await nextJob(jobs, agent_id, run.workspace, heartbeatMs);
      if (job !== undefined) {
        const end = await runJob(job.id, run).catch((error: unknown) => unlessTaken(error));
        if (end === undefined) continue;
        worked.push(end.document);
        context.totals[end.document.status] = (context.totals[end.document.status] ?? 0) + 1;
        context.output.note(`${end.document.job_id}: ${end.document.status}`);
        continue;
      }
      if (once) break;
      await sleep(polling.interval_seconds * 1000, context.signal);
    }
    context.output.result({ jobs: worked }, () =>
      worked.map(({ job_id, status }) => `${job_id}  ${status}`).join("\n"),
    );
    return EXIT.ok;
  },
});

/** Another worker was quicker: not an error of this one. */
function unlessTaken(error: unknown): undefined {
  if (error instanceof AtomsmithError && error.kind === "usage") return undefined;
  throw error;
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
