// Operations on jobs that do not run them: cancel, approve without changes, find the next.
import { join } from "node:path";
import { AtomsmithError } from "../../core/errors.ts";
import { takeLock } from "../../store/index.ts";
import type { AgentConfig } from "./config/schema.ts";
import { storedState } from "./document.ts";
import type { Heartbeats } from "./heartbeats.ts";
import { jobFolder, storeFolder } from "./jobs/folder.ts";
import type { Job, JobStore } from "./jobs/types.ts";
import { recordEnd } from "./nodes/finish.ts";
import { History } from "./workspace/git.ts";
import { Workspace } from "./workspace/workspace.ts";

/** Ends a job, or asks its worker to. Throws kind `usage` for one that has ended. */
export async function cancelJob(
  job: Job,
  jobs: JobStore,
  heartbeats: Heartbeats,
  signal?: AbortSignal,
): Promise<void> {
  if (job.status === "completed" || job.status === "cancelled") {
    throw new AtomsmithError("usage", `job ${job.id} is ${job.status}`, { where: job.id });
  }
  const { job: current = job, workedOn } = await heartbeats.waitUntilKnown(job.id, signal);
  if (workedOn) jobs.requestCancel(job.id);
  else if (!jobs.finish(current, { status: "cancelled", message: "cancelled by the user" }))
    jobs.requestCancel(job.id);
}

/** Completes a waiting job without changes or model calls. */
export async function approveAsIs(
  job: Job,
  jobs: JobStore,
  workspace: string,
  agent: AgentConfig,
): Promise<void> {
  const lock = await takeLock(join(storeFolder(workspace, job.id), "lock"), `job ${job.id}`);
  try {
    const state = await storedState(workspace, job.id);
    const place = new Workspace(jobFolder(workspace, job.id));
    const history = agent.workspace.git_versioning ? await History.open(place.root) : undefined;
    await recordEnd(state, { workspace: place, history, agent }, "completed", new Date().toISOString());
    const { completion } = state;
    const change = {
      status: "completed" as const,
      message: "approved by the user",
      ...(completion === null ? {} : { confidence: completion.confidence, summary: completion.summary }),
    };
    if (jobs.finish(job, change)) return;
    throw new AtomsmithError("usage", `job ${job.id} was changed by another process`, { where: job.id });
  } finally {
    await lock.release();
  }
}

/** The next job of an agent without an active worker. `undecided`: for some jobs, further polls are needed. */
export async function nextJob(
  jobs: JobStore,
  agentId: string,
  heartbeats: Heartbeats,
): Promise<{ job: Job | undefined; undecided: boolean }> {
  let undecided = false;
  for (const job of jobs.claimable(agentId)) {
    const workedOn = await heartbeats.isRunning(job);
    if (workedOn === false) return { job, undecided };
    undecided ||= workedOn === undefined;
  }
  return { job: undefined, undecided };
}
