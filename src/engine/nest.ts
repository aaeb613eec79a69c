// A graph as a node of another one. It runs under the limits, signals and observers of the outer run.
import { type Graph, type NestedGraph, type Position, pathOf } from "./graph.ts";
import { walkGraph } from "./run.ts";

export interface Nesting<S, D, I, E> {
  /** First state of the inner graph. */
  enter(outer: S, deps: D): I;
  /** Folds the last state of the inner graph back into the outer one. */
  leave(outer: S, inner: I): S;
  deps(outer: D): E;
  /** Checks an inner state that comes from a checkpoint. */
  read(stored: unknown): I;
}

/** Wraps a graph as the work of a node. */
export function nest<S, D, I, E, M extends string>(
  graph: Graph<I, E, M>,
  nesting: Nesting<S, D, I, E>,
): NestedGraph<S, D> {
  return {
    graph,
    async walk(position, deps, walk) {
      const { node, state } = position;
      const outerPosition = (inner: Position<unknown>): Position<S> => ({ node, state, inner });
      const from: Position<I> = position.inner
        ? { ...position.inner, state: nesting.read(position.inner.state) }
        : { node: graph.start, state: nesting.enter(state, deps) };
      const done = await walkGraph(graph, from, nesting.deps(deps), {
        ...walk,
        checkpoint: (inner) => walk.checkpoint(outerPosition(inner)),
        onEnter: walk.onEnter && ((inner) => walk.onEnter?.(outerPosition(inner))),
        onLeave: walk.onLeave && ((inner, next, ms) => walk.onLeave?.(outerPosition(inner), next, ms)),
        onLeftBehind: walk.onLeftBehind && ((inner) => walk.onLeftBehind?.(outerPosition(inner))),
      });
      if (done.end === "finished") return { end: "finished", state: nesting.leave(state, done.state) };
      const reached = { ...done.reached, node: pathOf(outerPosition(done.position)).join("/") };
      return { end: "limit", reached, inner: done.position };
    },
  };
}
