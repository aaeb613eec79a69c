// Operations on jobs that do not run them: cancel, approve without changes, find the next.
import { join } from "node:path";
import { AtomsmithError } from "../../core/errors.ts";
import { takeLock } from "../../store/index.ts";
import { isLockHeld } from "../../store/lock.ts";
import type { AgentConfig } from "./config/schema.ts";
import { storedState } from "./document.ts";
import { jobFolder, storeFolder } from "./jobs/folder.ts";
import type { Job, JobStore } from "./jobs/types.ts";
import { recordEnd } from "./nodes/finish.ts";
import { History } from "./workspace/git.ts";
import { Workspace } from "./workspace/workspace.ts";

const MISSED = 3;

/** True when a worker is active on the job, as far as this machine can tell. */
export async function isActive(job: Job, workspace: string, heartbeatMs: number): Promise<boolean> {
  if (job.status !== "processing" || job.worker === null) return false;
  const silent = Date.now() - (job.heartbeat_ms ?? 0);
  return silent <= MISSED * heartbeatMs && (await isLockHeld(join(storeFolder(workspace, job.id), "lock")));
}

/** Ends a job, or asks its worker to. Throws kind `usage` for one that has ended. */
export async function cancelJob(
  job: Job,
  jobs: JobStore,
  workspace: string,
  heartbeatMs: number,
): Promise<void> {
  if (job.status === "completed" || job.status === "cancelled") {
    throw new AtomsmithError("usage", `job ${job.id} is ${job.status}`, { where: job.id });
  }
  if (await isActive(job, workspace, heartbeatMs)) jobs.requestCancel(job.id);
  else if (!jobs.finish(job, { status: "cancelled", message: "cancelled by the user" }))
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

/** The next job of an agent without an active worker. */
export async function nextJob(
  jobs: JobStore,
  agentId: string,
  workspace: string,
  heartbeatMs: number,
): Promise<Job | undefined> {
  for (const job of jobs.claimable(agentId)) {
    if (!(await isActive(job, workspace, heartbeatMs))) return job;
  }
  return undefined;
}
