// The one store: whole files, locks, checkpoints, journals, stored replies, atom sets.
export { AppendLog, readLines } from "./append-log.ts";
export {
  type AtomSetState,
  hashFile,
  MANIFEST_FILE,
  readManifest,
  verifyAtomSet,
  verifyAtomSetSync,
} from "./atom-set.ts";
export { exists, storeError, writeFileAtomic, writeFilesAtomic } from "./atomic.ts";
export { ItemStore, ItemStoreReader, listItems } from "./item-store.ts";
export { isLockHeld, takeLock } from "./lock.ts";
export { type ManifestFacts, OutputStore } from "./output-store.ts";
export { SAFE_STUBS } from "./stubs.ts";
export { TurnFile } from "./turns.ts";
