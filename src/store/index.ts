// The store: atomic files, locks, and for each run its checkpoints, journal, stored replies and views.
export { AppendLog, closedError, readLines } from "./append-log.ts";
export {
  exists,
  type FileToWrite,
  isTemporary,
  readTextIfAny,
  removeLeftovers,
  storeError,
  writeFileAtomic,
  writeFilesAtomic,
} from "./atomic.ts";
export { copyRun } from "./copy-run.ts";
export { hashFile } from "./hash-file.ts";
export { checkId } from "./ids.ts";
export { isStoreFile, jsonText, listRuns } from "./layout.ts";
export { type ProcessLock, takeLock, waitForLock } from "./lock.ts";
export { RunReader, RunStore } from "./run-store.ts";
export { TurnFile } from "./turns.ts";
export type { Lease, Retention, RunAccess, RunLog, RunWriter } from "./types.ts";
