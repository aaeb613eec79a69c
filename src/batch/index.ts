// Many items: discovery, planning, running, exit codes. Import status.ts directly: it does not load the pipeline.
export { type Discovery, discoverSpecs, selectSpecs } from "./discover.ts";
export { batchExit } from "./exit.ts";
export type { Decision } from "./plan.ts";
export { batchReport } from "./report-data.ts";
export {
  type BatchOptions,
  type BatchResult,
  exitOf,
  type NotPerformed,
  planBatch,
  runBatch,
} from "./run.ts";
