// Jobs of the agent loop from the queue. By default, workspace and run of a job are in the database; a worker
// restores them in a scratch folder, and the lease of the queue controls write access. With a shared workspace
// folder, the loop's own claim on the job does.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { itemTrials } from "../batch/item-trials.ts";
import { configSchema } from "../config/schema.ts";
import { AtomsmithError, EXIT, toAtomsmithError } from "../core/errors.ts";
import { EventBus } from "../core/event-bus.ts";
import {
  type AgentRun,
  agentConfigSchema,
  type Job,
  type JobEnd,
  jobFolder,
  jobOrThrow,
  jobRequestSchema,
  openAgentRun,
  openJobs,
  runJob,
} from "../loops/agent/index.ts";
import { type ClaimedJob, FleetLimits, leaseOf } from "../queue/index.ts";
import { PostgresRunStore } from "../store/postgres/run-store.ts";
import { FolderMirror } from "./folder.ts";
import { folderMark } from "./submission.ts";
import type { Outcome, Prepare, Prepared, PrepareInput, RunningJob, WorkerContext } from "./types.ts";
import { WorkerPaths } from "./worker-paths.ts";

export const agentOptionsSchema = z.object({
  /** The agent's configuration as the submitting machine read it. */
  agent: z.object({ config: agentConfigSchema, ref: z.string(), template: z.string() }),
  /** Mark of the shared workspace; absent when workspaces are in the database. */
  workspace_mark: z.string().exactOptional(),
});

/** Result of a job: its end, and its row for the job store. */
export interface AgentResult extends JobEnd {
  job: Pick<Job, "status" | "phase" | "message" | "confidence" | "summary">;
}

/** File with the end of a run, for a worker that takes over before the completion is stored. */
const END_FILE = ".agent/fleet_end.json";

export const prepareAgentJobs: Prepare = async (input, context) => {
  const { id, submission } = input;
  const submitted = configSchema.parse(submission.config);
  const { agent, workspace_mark } = agentOptionsSchema.parse(submission.options);
  const { configs } = context.config.loops.agent;
  const shared = workspace_mark === undefined ? undefined : await sharedWorkspace(workspace_mark, context);
  const workspace = shared ?? submitted.loops.agent.workspace;
  const { max_cost_usd: _, max_tokens_total: __, ...llm } = submitted.llm;
  const stores = new Map<string, PostgresRunStore>();
  const options = {
    config: {
      ...submitted,
      llm,
      loops: { ...submitted.loops, agent: { ...submitted.loops.agent, workspace, configs } },
    },
    bus: new EventBus(id),
    env: context.env,
    commandFlags: [],
    shared: new FleetLimits({
      queue: context.queue,
      submission: id,
      worker: context.name,
      // With a shared workspace, the loop checks its own store before each request.
      hold: async (subject, query) => stores.get(subject)?.hold(query),
    }),
  };
  const jobs = openJobs(shared ?? join(context.scratch, `jobs-${id}`));
  const run = await openAgentRun(
    { ...options, signal: context.signal },
    agent,
    jobs,
    itemTrials(options, context.config.paths.output_dir),
  );
  return shared === undefined ? new StoredWorkspaces(run, input, context, stores) : new SharedWorkspace(run);
};

/** Path of the shared workspace on this worker. Throws kind `config` when it is another folder. */
async function sharedWorkspace(mark: string, { config }: WorkerContext): Promise<string> {
  const { workspace } = config.loops.agent;
  if ((await folderMark(workspace)) === mark) return workspace;
  throw new AtomsmithError("config", `the workspace ${workspace} is not the shared one of the submission`, {
    where: "loops.agent.workspace",
  });
}

class SharedWorkspace implements Prepared {
  private readonly run: AgentRun;

  constructor(run: AgentRun) {
    this.run = run;
  }

  async work({ job, signal, pause }: RunningJob): Promise<Outcome> {
    try {
      const end = await runJob(job.subject, { ...this.run, signal, pause });
      return outcomeOf(end, resultOf(end, jobOrThrow(this.run.jobs, job.subject)));
    } catch (thrown) {
      return failureOf(thrown);
    }
  }

  async close(): Promise<void> {
    this.run.jobs.close();
    await this.run.trials.close();
  }
}

class StoredWorkspaces implements Prepared {
  private readonly run: AgentRun;
  private readonly input: PrepareInput;
  private readonly context: WorkerContext;
  /** Stores of the running jobs, by id: the lease is checked before each model call. */
  private readonly stores: Map<string, PostgresRunStore>;

  constructor(
    run: AgentRun,
    input: PrepareInput,
    context: WorkerContext,
    stores: Map<string, PostgresRunStore>,
  ) {
    this.run = run;
    this.input = input;
    this.context = context;
    this.stores = stores;
  }

  async work(held: RunningJob): Promise<Outcome> {
    const { job } = held;
    const scratch = join(this.context.scratch, `${job.id}-${job.attempt}`);
    try {
      return await this.workIn(scratch, held);
    } catch (thrown) {
      return failureOf(thrown);
    } finally {
      this.stores.delete(job.subject);
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    this.run.jobs.close();
    await this.run.trials.close();
  }

  private async workIn(scratch: string, { job, signal, pause }: RunningJob): Promise<Outcome> {
    const submittedPath = this.run.config.loops.agent.workspace;
    const places = new WorkerPaths({ scratch, root: "", theirRoot: "", mirrored: [submittedPath] });
    const workspace = places.localPath(submittedPath);
    const folder = jobFolder(workspace, job.subject);
    const { store, mirror } = await this.openStore(job, folder, places);
    await mirror.restore();
    const earlier = readStoredEnd(folder, job.id);
    if (earlier !== undefined) return outcomeOf(earlier, earlier);
    const jobs = openJobs(workspace);
    try {
      jobs.create(job.subject, jobRequestSchema.parse(JSON.parse(job.payload)));
      const { config } = this.run;
      const loops = { ...config.loops, agent: { ...config.loops.agent, workspace } };
      const end = await runJob(job.subject, {
        ...this.run,
        ...{ jobs, workspace, signal, pause },
        config: { ...config, loops },
        fleet: { store },
      });
      const result = JSON.parse(
        places.toStored(JSON.stringify(resultOf(end, jobOrThrow(jobs, job.subject)))),
      ) as AgentResult;
      const outcome = outcomeOf(end, result);
      if (outcome.end === "result")
        writeFileSync(join(folder, END_FILE), JSON.stringify({ job: job.id, result }));
      await mirror.store();
      return outcome;
    } finally {
      jobs.close();
    }
  }

  /** Opens the run under the lease; its workspace is stored before each checkpoint and call. */
  private async openStore(
    job: ClaimedJob,
    folder: string,
    paths: WorkerPaths,
  ): Promise<{ store: PostgresRunStore; mirror: FolderMirror }> {
    const { db } = this.context.queue;
    const space = this.input.submission.project;
    const ref = { loop: job.kind, id: job.subject };
    const { max_checkpoints_per_hour, keep_hours } = this.run.config.cache;
    const retention = { maxCheckpointsPerHour: max_checkpoints_per_hour, keepHours: keep_hours };
    const mirror = new FolderMirror({
      db,
      place: { space, ...ref },
      folder,
      hold: (query) => store.hold(query),
    });
    const place = { db, space, paths, beforeCheckpoint: () => mirror.store() };
    const store = await PostgresRunStore.open(place, ref, retention, this.run.redact, leaseOf(job));
    this.stores.set(job.subject, store);
    return { store, mirror };
  }
}

function resultOf(end: JobEnd, { status, phase, message, confidence, summary }: Job): AgentResult {
  return { ...end, job: { status, phase, message, confidence, summary } };
}

/** The end stored by an earlier attempt of the same queue job. */
function readStoredEnd(folder: string, job: string): AgentResult | undefined {
  const path = join(folder, END_FILE);
  if (!existsSync(path)) return undefined;
  const stored = JSON.parse(readFileSync(path, "utf8")) as { job: string; result: AgentResult };
  return stored.job === job ? stored.result : undefined;
}

function outcomeOf({ exit, document }: JobEnd, result: AgentResult): Outcome {
  return exit === EXIT.interrupted && document.status !== "cancelled"
    ? { end: "back", reason: "the worker was stopped" }
    : { end: "result", result };
}

function failureOf(thrown: unknown): Outcome {
  const error = toAtomsmithError(thrown);
  // The previous worker may still be alive; its claim expires without heartbeats.
  const back = error.kind === "usage" || error.kind === "interrupted";
  return { end: back ? "back" : "failed", reason: error.message };
}
