// Creates a job in the store, with its folder.
import { checkJobId, newJobId } from "./jobs/ids.ts";
import { type NewJob, prepareJob } from "./prepare.ts";
import { toolSet } from "./tools/registry.ts";

/** Creates a job and returns its id. Throws kind `usage` for an id that exists, and for documents that cannot be read. */
export async function createJob(job: NewJob): Promise<string> {
  const id = job.id === undefined ? newJobId() : checkJobId(job.id);
  await prepareJob(job, toolSet(job.agent.config), id, (request) => job.jobs.create(id, request));
  return id;
}
