// The one store: whole files, locks, checkpoints, journals, stored replies, atom sets.
export { AppendLog, type LinesRead, readLines } from "./append-log.ts";
export {
  type AtomSetState,
  hashFile,
  MANIFEST_FILE,
  readAtomSources,
  readManifest,
  verifyAtomSet,
  verifyAtomSetSync,
} from "./atom-set.ts";
export { exists, readTextIfAny, storeError, writeFileAtomic, writeFilesAtomic } from "./atomic.ts";
export { CHECKPOINT_ID, type Checkpoint, type CheckpointInfo } from "./checkpoints.ts";
export { checkId } from "./ids.ts";
export {
  checkStoreFormat,
  folderSize,
  ItemStore,
  ItemStoreReader,
  listItems,
  type Retention,
} from "./item-store.ts";
export { type FolderLock, isLockHeld, takeLock } from "./lock.ts";
export { type Attempt, type ManifestFacts, OutputStore } from "./output-store.ts";
export { SAFE_STUBS } from "./stubs.ts";
export { TurnFile } from "./turns.ts";
