// The folder of all jobs: their store, and the folder of each.
import { join } from "node:path";
import { AtomsmithError } from "../../../core/errors.ts";
import { openSqliteJobs } from "./sqlite.ts";
import type { Job, JobStore } from "./types.ts";

/** Opens the store of a workspace folder. */
export function openJobs(workspace: string): JobStore {
  return openSqliteJobs(join(workspace, "jobs.db"));
}

export function jobFolder(workspace: string, id: string): string {
  return join(workspace, `job_${id}`);
}

/** Folder of the program's own data: checkpoints, replies, calls. */
export function storeFolder(workspace: string, id: string): string {
  return join(jobFolder(workspace, id), ".agent");
}

/** Throws kind `usage` for an unknown job. */
export function jobOrThrow(jobs: JobStore, id: string): Job {
  const job = jobs.get(id);
  if (job !== undefined) return job;
  throw new AtomsmithError("usage", `job ${JSON.stringify(id)} not found`, {
    where: id,
    hint: "list the jobs with: atomsmith agent list",
  });
}
