// Public interface of the runtime: L0 reads a config, L1 and L2 read logs and extract, L3 to L5 judge.
export { checkProblems, readCheckBlock } from "./check-block.ts";
export { checkAtomSets } from "./check-many.ts";
export { checkAtomSet, verdictText } from "./check-set.ts";
export type { CheckedSet, CheckOptions, CheckServices, Extraction } from "./check-types.ts";
export { collectExcerpts } from "./excerpts.ts";
export { extractAll } from "./extract.ts";
export { createFileExtractor } from "./extract-file.ts";
export { findAtomSets } from "./find-sets.ts";
export { findInputs } from "./inputs.ts";
export { EXISTENCE_FAILED, judge } from "./judge.ts";
export { LogPool } from "./log-pool.ts";
export { parseOverride } from "./override.ts";
export { checkerType, readItemConfig } from "./read-config.ts";
export {
  joinRanges,
  type Range,
  type RangeRecords,
  rangeSchema,
  readRange,
  splitInputs,
} from "./split.ts";
export { summarizeExtraction } from "./summary.ts";
export type { Exister, FileExtraction, FileExtractor, MatchCall, Matcher } from "./types.ts";
