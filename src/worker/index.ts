// Distribution over machines: the worker, and its handler for each kind of job.
import type { JobKind } from "../queue/index.ts";
import { prepareAgentJobs } from "./agent-job.ts";
import { prepareChecks } from "./check-job.ts";
import { prepareItems } from "./item-job.ts";
import type { Prepare } from "./types.ts";

export { newWorkerName, parseRoots } from "../queue/index.ts";
export { Worker } from "./worker.ts";

export const HANDLERS: Readonly<Record<JobKind, Prepare>> = {
  item: prepareItems,
  check: prepareChecks,
  job: prepareAgentJobs,
};
