// Many items: discovery, planning, running, exit codes. What stands where is status.ts alone, which needs no pipeline.
export { discoverSpecs, selectSpecs } from "./discover.ts";
export { batchExit } from "./exit.ts";
export { batchReport } from "./report-data.ts";
export { type BatchResult, exitOf, planBatch, runBatch } from "./run.ts";
