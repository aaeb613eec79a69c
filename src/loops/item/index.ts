// The pipeline: the graph engine, and the graph of one item with everything to run and resume it.
export { toMermaid } from "../../engine/index.ts";
export { adoptSet } from "./adopt.ts";
export { limitsHash } from "./finish.ts";
export { itemGraph } from "./graph.ts";
export { Hidden } from "./hidden.ts";
export { failedResult, type ItemResult, NO_USAGE } from "./result.ts";
export { identifySpec, runItem } from "./run.ts";
export { createProofServices, createRunServices, type RunServices } from "./run-services.ts";
