// Public face of the runtime: L0 reads a config, L1 and L2 read logs and extract, L3 to L5 judge.
export { AtomFaults, createExister, createMatcher } from "./atom-calls.ts";
export {
  type CheckedSet,
  type CheckOptions,
  type CheckServices,
  checkAtomSet,
  verdictText,
} from "./check-set.ts";
export type { ConfigMode } from "./config-findings.ts";
export { extractAll } from "./extract.ts";
export { createFileExtractor, type FileExtractorOptions } from "./extract-file.ts";
export { type FoundInputs, findInputs } from "./inputs.ts";
export { EXISTENCE_FAILED, judge } from "./judge.ts";
export { LogPool, type LogPoolOptions } from "./log-pool.ts";
export { type ConfigOverride, parseOverride } from "./override.ts";
export { PathGuard } from "./path-guard.ts";
export { checkerType, readItemConfig } from "./read-config.ts";
export { summarizeExtraction } from "./summary.ts";
export type { Exister, FileExtraction, FileExtractor, MatchCall, Matcher } from "./types.ts";
export { expandVariables, variablesOf } from "./variables.ts";
