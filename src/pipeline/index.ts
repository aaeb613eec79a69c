// The pipeline: the graph engine, and the graph of one item with everything to run and resume it.
export { toMermaid } from "./engine.ts";
export { limitsHash } from "./item/finish.ts";
export { itemGraph } from "./item/graph.ts";
export { Hidden } from "./item/hidden.ts";
export { failedResult, type ItemResult, NO_USAGE } from "./item/result.ts";
export { identifySpec, runItem } from "./item/run.ts";
export { createRunServices, type RunServices } from "./run-services.ts";
