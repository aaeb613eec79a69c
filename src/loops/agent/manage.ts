// What a person or a polling worker does with jobs without running them: cancel, approve as it stands, find the next.
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

/** Is a worker at work on the job, as far as this machine can tell? */
export async function isWorkedOn(job: Job, workspace: string, heartbeatMs: number): Promise<boolean> {
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
  if (await isWorkedOn(job, workspace, heartbeatMs)) jobs.requestCancel(job.id);
  else if (!jobs.finish(job, { status: "cancelled", message: "cancelled by a person" }))
    jobs.requestCancel(job.id);
}

/** A waiting job counts as completed as it stands. No model is asked. */
export async function approveAsItStands(
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
      message: "approved by a person",
      ...(completion === null ? {} : { confidence: completion.confidence, summary: completion.summary }),
    };
    if (jobs.finish(job, change)) return;
    throw new AtomsmithError("usage", `job ${job.id} changed meanwhile`, { where: job.id });
  } finally {
    await lock.release();
  }
}

/** The next job of an agent that nobody works on. */
export async function nextJob(
  jobs: JobStore,
  agentId: string,
  workspace: string,
  heartbeatMs: number,
): Promise<Job | undefined> {
  for (const job of jobs.claimable(agentId)) {
    if (!(await isWorkedOn(job, workspace, heartbeatMs))) return job;
  }
  return undefined;
}
