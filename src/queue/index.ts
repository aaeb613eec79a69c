// The queue of a fleet: submissions and their jobs, workers, roots, and shared limits.
export { type FilePlace, loadFiles, replaceFiles, type StoredFile, updateFiles } from "./files.ts";
export { FleetLimits } from "./limits.ts";
export { findJob, listJobs } from "./listing.ts";
export { fleetOverview } from "./overview.ts";
export { leaseOf, Queue } from "./queue.ts";
export { findRoot, hashRoot, parseRoots } from "./roots.ts";
export {
  endedJobs,
  loadSubmission,
  markCollected,
  type NewJob,
  newSubmissionId,
  newWorkerName,
  removeOld,
  stopSubmission,
  submitJobs,
  uncollectedJobs,
} from "./submissions.ts";
export type {
  ClaimedJob,
  JobKind,
  JobResult,
  Submission,
} from "./types.ts";
export { drainWorkers, listWorkers, removeWorker, sendHeartbeat } from "./workers.ts";
