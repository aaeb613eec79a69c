// The graph engine: typed nodes and routes, a checkpoint after every node, resumption, nesting, limits as values, and a
// drawing. It is independent of the loops: the caller provides the meaning of states, checkpoints and events.
export { toMermaid } from "./draw.ts";
export type {
  Drawable,
  Graph,
  LimitReached,
  Limits,
  NodeTime,
  Position,
} from "./graph.ts";
export { pathOf } from "./graph.ts";
export { nest } from "./nest.ts";
export { runGraph } from "./run.ts";
