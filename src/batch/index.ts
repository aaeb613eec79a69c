// Many items: discovery, planning, running, exit codes, and what stands where.
export { type Discovery, discoverSpecs, type FoundSpec, selectSpecs } from "./discover.ts";
export { batchExit } from "./exit.ts";
export { batchReport } from "./report-data.ts";
export { type BatchItem, type BatchResult, exitOf, planBatch, runBatch } from "./run.ts";
export { itemStatus, statusOfAll } from "./status.ts";
