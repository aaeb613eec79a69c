// `agent poll`: runs the queued jobs of one agent, one after the other.
import { AtomsmithError, EXIT } from "../../../core/errors.ts";
import { type JobDocument, nextJob, proofJob, runJob } from "../../../loops/agent/index.ts";
import { defineCommand, MODEL_ARGS } from "../../command.ts";
import { CONFIG_ARG, jobsOf, openRun } from "./shared.ts";

export const pollCommand = defineCommand({
  name: "poll",
  summary: "run the queued jobs of an agent until stopped",
  details:
    "Claims queued jobs of the agent, oldest first, and jobs whose worker died; polls every polling.interval_seconds. " +
    "SIGTERM or Ctrl-C stops it; the next worker continues the running job.",
  args: {
    config: { ...CONFIG_ARG, required: true },
    once: { type: "boolean", description: "exit when no job is left" },
    ...MODEL_ARGS,
  },
  examples: [{ command: "atomsmith agent poll --config researcher", does: "one worker; any number may run" }],
  run: async ({ config, once }, context) => {
    const jobs = jobsOf(context);
    const run = await openRun(context, config, jobs);
    const { agent_id, polling } = run.loaded.config;
    if (!polling.enabled) {
      throw new AtomsmithError("config", `agent ${agent_id} cannot be polled: polling.enabled is false`, {
        where: "polling.enabled",
        hint: "start its jobs with `atomsmith agent run`, or set polling.enabled",
      });
    }
    const worked: JobDocument[] = [];
    while (!context.signal.aborted) {
      const { job, undecided } = await nextJob(jobs, agent_id, run.heartbeats);
      if (job !== undefined) {
        const end = await runJob(job.id, run).catch((error: unknown) => unlessTaken(error));
        if (end === undefined) continue;
        worked.push(end.document);
        context.totals[end.document.status] = (context.totals[end.document.status] ?? 0) + 1;
        context.output.note(`${end.document.job_id}: ${end.document.status}`);
        continue;
      }
      if ((await proofJob(run.loaded, jobs, run.workspace).catch(unlessTaken)) !== undefined) continue;
      if (once && !undecided) break;
      const interval = polling.interval_seconds * 1000;
      await sleep(undecided ? Math.min(interval, run.heartbeats.pollMs) : interval, context.signal);
    }
    context.output.result({ jobs: worked }, () =>
      worked.map(({ job_id, status }) => `${job_id}  ${status}`).join("\n"),
    );
    return EXIT.ok;
  },
});

/** Ignores the error that another worker claimed the job first. */
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
