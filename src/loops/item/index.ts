// Public interface of the item loop: its graph, and functions to run and resume items.
export { toMermaid } from "../../engine/index.ts";
export { adoptSet } from "./adopt.ts";
export { limitsHash } from "./finish.ts";
export { itemGraph } from "./graph.ts";
export { HiddenPaths } from "./hidden.ts";
export { failedResult, type ItemResult, NO_USAGE } from "./result.ts";
export { identifySpec, runItem } from "./run.ts";
export { createProofServices, createRunServices, type RunServices } from "./run-services.ts";
