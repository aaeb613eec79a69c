// `agent run --queue`, `agent resume --queue`: runs a job of the agent loop on the fleet. Its workspace and run are
// sent through the database and copied back, unless the machines share the workspace folder.
import { AtomsmithError } from "../core/errors.ts";
import {
  type AgentRun,
  type Claim,
  claimJob,
  type JobEnd,
  jobFolder,
  jobOrThrow,
} from "../loops/agent/index.ts";
import {
  type JobResult,
  loadFiles,
  markCollected,
  type NewJob,
  newSubmissionId,
  type Queue,
  type Submission,
  submitJobs,
  uncollectedJobs,
} from "../queue/index.ts";
import { copyRun } from "../store/index.ts";
import { PostgresReader } from "../store/postgres/reader.ts";
import type { AgentResult } from "./agent-job.ts";
import { Collector } from "./collect.ts";
import { readFolder, writeFolder } from "./folder.ts";
import { createSubmission, inputsHash, markFolder } from "./submission.ts";

const KIND = "job";

/** Runs a job of the local workspace on the fleet; it is locked locally meanwhile. Throws kind `store` when the fleet
 * gave it up, and kind `interrupted` when the wait ends; the fleet then continues.
 * @param collect whether to fetch results without a waiting submitter */
export async function runAgentByFleet(
  id: string,
  queue: Queue,
  run: AgentRun,
  { collect }: { collect: boolean },
): Promise<JobEnd> {
  const fleet = new AgentSubmitter(id, queue, run, await submissionOf(run));
  return fleet.isShared ? fleet.runInSharedWorkspace() : fleet.runInDatabase(collect);
}

/** Agents that submit ItemSpecs share one store of submissions, so they need the shared workspace. */
async function submissionOf(run: AgentRun): Promise<Submission> {
  const { config, loaded, workspace } = run;
  const store = (loaded.config.tools.items ?? []).length > 0 ? "files" : config.queue.store;
  const mark = store === "files" ? { workspace_mark: await markFolder(workspace) } : {};
  return createSubmission({
    kind: KIND,
    config: { ...config, queue: { ...config.queue, store } },
    searchRoot: null,
    seed: 0,
    commandFlags: [],
    ownFiles: [],
    options: JSON.parse(JSON.stringify({ agent: loaded, ...mark })),
  });
}

class AgentSubmitter {
  private readonly id: string;
  private readonly queue: Queue;
  private readonly run: AgentRun;
  private readonly submission: Submission;

  constructor(id: string, queue: Queue, run: AgentRun, submission: Submission) {
    this.id = id;
    this.queue = queue;
    this.run = run;
    this.submission = submission;
  }

  get isShared(): boolean {
    return this.submission.store === "files";
  }

  async runInSharedWorkspace(): Promise<JobEnd> {
    return (await this.submitAndWait({ payload: "{}", files: [], turns: [], checkpoint: undefined })).result;
  }

  async runInDatabase(collect: boolean): Promise<JobEnd> {
    const job = jobOrThrow(this.run.jobs, this.id);
    const claim = await claimJob(job, this.run);
    let change: Parameters<Claim["release"]>[0] = { status: job.status, message: job.message };
    try {
      const earlier = collect ? await this.uncollected() : undefined;
      const { queued, result } = earlier ?? (await this.submitAndWait(await this.contentOf(claim)));
      await this.copyBack(claim);
      change = result.job;
      await markCollected(this.queue, queued);
      const { document, exit } = result;
      return { document, exit };
    } finally {
      await claim.release(change);
    }
  }

  private async submitAndWait(
    content: Omit<NewJob, "subject" | "inputs">,
  ): Promise<{ queued: string; result: AgentResult }> {
    const { queue, run, submission, id } = this;
    const ended = run.pause === undefined ? run.signal : AbortSignal.any([run.signal, run.pause]);
    const collector = new Collector(queue, ended, (message) =>
      run.bus.emit({ type: "log", level: "warning", message }),
    );
    try {
      const inputs = inputsHash(submission, [id]);
      const ids = await submitJobs(queue, newSubmissionId(), submission, [
        { subject: id, inputs, ...content },
      ]);
      const job = await collector.wait(ids.get(id) ?? "");
      const result = this.resultOf(job);
      if (this.isShared) await markCollected(queue, job.id);
      return { queued: job.id, result };
    } finally {
      collector.close();
    }
  }

  /** Throws kind `store` for a job that the fleet gave up. */
  private resultOf(job: JobResult): AgentResult {
    const value = job.result === null ? undefined : (JSON.parse(job.result) as AgentResult | NotStarted);
    if (job.state === "done" && value !== undefined && "document" in value) return value;
    const reason = value !== undefined && "not_started" in value ? value.not_started : job.reason;
    throw new AtomsmithError("store", `the fleet gave up job ${this.id}: ${reason ?? "unknown reason"}`, {
      where: this.id,
      hint: `details: atomsmith queue show ${job.id}`,
    });
  }

  /** The newest result of this job that was not fetched yet. */
  private async uncollected(): Promise<{ queued: string; result: AgentResult } | undefined> {
    const ended = await uncollectedJobs(this.queue, this.submission.project, KIND);
    const job = ended.findLast(({ subject }) => subject === this.id);
    return job === undefined ? undefined : { queued: job.id, result: this.resultOf(job) };
  }

  /** The local state of the job. */
  private async contentOf({ store }: Claim): Promise<Omit<NewJob, "subject" | "inputs">> {
    const { agent_id, config_ref, description, search_root } = jobOrThrow(this.run.jobs, this.id);
    const checkpoint = await store.loadCheckpoint();
    return {
      payload: JSON.stringify({ agent_id, config_ref, description, search_root }),
      files: readFolder(jobFolder(this.run.workspace, this.id)),
      turns: store.turns.all().map((turn) => JSON.stringify(turn)),
      calls: (await store.loadLog("calls")).map((line) => JSON.stringify(line)),
      checkpoint: checkpoint && { id: checkpoint.id, body: JSON.stringify(checkpoint) },
    };
  }

  /** Replaces the local workspace and run with those of the fleet. */
  private async copyBack({ store }: Claim): Promise<void> {
    const { db } = this.queue;
    const space = this.submission.project;
    const run = { loop: KIND, id: this.id };
    writeFolder(jobFolder(this.run.workspace, this.id), await loadFiles(db, { space, ...run }));
    await copyRun(new PostgresReader({ db, space }, run), store, { logs: ["calls"] });
  }
}

interface NotStarted {
  not_started: string;
}
