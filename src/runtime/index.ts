// Public face of the runtime: L0 reads a config, L1 and L2 read logs and extract, L3 to L5 judge.
export type { ConfigMode } from "./config-findings.ts";
export { EXISTENCE_FAILED, judge } from "./judge.ts";
export { checkerType, readItemConfig } from "./read-config.ts";
export { summarizeExtraction } from "./summary.ts";
export type { Exister, MatchCall, Matcher } from "./types.ts";
