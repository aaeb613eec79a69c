// The pipeline: the graph engine, and the graph of one item with everything to run and resume it.
export { type Graph, type GraphNode, nest, type Position, runGraph, toMermaid } from "./engine.ts";
export { limitsHash } from "./item/finish.ts";
export { itemGraph } from "./item/graph.ts";
export { failedResult, type ItemResult, type ItemStatus, NO_USAGE } from "./item/result.ts";
export type { PersonSays } from "./item/resume.ts";
export { type ItemRequest, identifySpec, runItem } from "./item/run.ts";
export { createRunServices, type RunServices } from "./run-services.ts";
export { createSlots, type Slots } from "./slots.ts";
