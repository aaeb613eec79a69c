// Jobs of the agent loop from the queue. A job's workspace is a folder that all machines share, with the store of jobs in
// it; the loop's own claim on the job decides who may write there, and the queue decides who tries.
import { z } from "zod";
import { itemTrials } from "../batch/item-trials.ts";
import { configSchema } from "../config/schema.ts";
import { AtomsmithError, EXIT, toAtomsmithError } from "../core/errors.ts";
import { EventBus } from "../core/event-bus.ts";
import {
  type AgentRun,
  type JobStore,
  loadAgentConfig,
  openAgentRun,
  openJobs,
  runJob,
} from "../loops/agent/index.ts";
import { FleetLimits } from "../queue/index.ts";
import { folderMark } from "./submission.ts";
import type { Held, Outcome, Prepare, Prepared } from "./types.ts";

export const agentOptionsSchema = z.object({
  /** Absolute path of the agent's configuration, or the name of an embedded one. */
  config_ref: z.string(),
  /** What stands in the shared workspace. */
  workspace_mark: z.string(),
});

export const prepareAgentJobs: Prepare = async ({ id, submission }, context) => {
  const theirs = configSchema.parse(submission.config);
  const { config_ref, workspace_mark } = agentOptionsSchema.parse(submission.options);
  const { workspace, configs } = context.config.loops.agent;
  if ((await folderMark(workspace)) !== workspace_mark) {
    throw new AtomsmithError("config", `the workspace ${workspace} is not the shared one of the submission`, {
      where: "loops.agent.workspace",
    });
  }
  const jobs = openJobs(workspace);
  const { max_cost_usd: _, max_tokens_total: __, ...llm } = theirs.llm;
  const options = {
    config: {
      ...theirs,
      llm,
      loops: { ...theirs.loops, agent: { ...theirs.loops.agent, workspace, configs } },
    },
    bus: new EventBus(id),
    env: context.env,
    commandFlags: [],
    shared: new FleetLimits({
      queue: context.queue,
      submission: id,
      worker: context.name,
      // The loop asks its own store before each request.
      hold: async () => undefined,
    }),
  };
  const run = await openAgentRun(
    { ...options, signal: context.signal },
    loadAgentConfig(config_ref, configs, process.cwd()),
    jobs,
    itemTrials(options, context.config.paths.output_dir),
  );
  return new PreparedAgent(run, jobs);
};

class PreparedAgent implements Prepared {
  private readonly run: AgentRun;
  private readonly jobs: JobStore;

  constructor(run: AgentRun, jobs: JobStore) {
    this.run = run;
    this.jobs = jobs;
  }

  async work({ job, signal, pause }: Held): Promise<Outcome> {
    try {
      const end = await runJob(job.subject, { ...this.run, signal, pause });
      if (end.exit === EXIT.interrupted && end.document.status !== "cancelled") {
        return { end: "back", reason: "the worker was stopped" };
      }
      return { end: "result", result: end };
    } catch (thrown) {
      const error = toAtomsmithError(thrown);
      // Its last worker may still live; its claim ends with its heartbeats.
      if (error.kind === "usage" || error.kind === "interrupted")
        return { end: "back", reason: error.message };
      return { end: "failed", reason: error.message };
    }
  }

  async close(): Promise<void> {
    this.jobs.close();
  }
}
