// Many machines: what a worker of a fleet does with each kind of job.
import type { JobKind } from "../queue/index.ts";
import { prepareChecks } from "./check-job.ts";
import { prepareItems } from "./item-job.ts";
import type { Prepare } from "./types.ts";

export { newWorkerName, parseRoots } from "../queue/index.ts";
export { Worker } from "./worker.ts";

export const HANDLERS: Readonly<Record<JobKind, Prepare>> = {
  item: prepareItems,
  check: prepareChecks,
  job: prepareItems,
};
