// Many items: discovery, planning, running, exit codes, and what stands where.
export { discoverSpecs, selectSpecs } from "./discover.ts";
export { batchExit } from "./exit.ts";
export { batchReport } from "./report-data.ts";
export { type BatchResult, exitOf, planBatch, runBatch } from "./run.ts";
export { itemStatus, statusOfAll } from "./status.ts";
