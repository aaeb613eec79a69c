// Another graph as a node. It runs under the limits, signals and observers of the run it is part of.
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

/** Makes the work of a node of a graph. */
export function nest<S, D, I, E, M extends string>(
  graph: Graph<I, E, M>,
  how: Nesting<S, D, I, E>,
): NestedGraph<S, D> {
  return {
    graph,
    async walk(position, deps, walk) {
      const { node, state } = position;
      const outside = (inner: Position<unknown>): Position<S> => ({ node, state, inner });
      const from: Position<I> = position.inner
        ? { ...position.inner, state: how.read(position.inner.state) }
        : { node: graph.start, state: how.enter(state, deps) };
      const done = await walkGraph(graph, from, how.deps(deps), {
        ...walk,
        checkpoint: (inner) => walk.checkpoint(outside(inner)),
        onEnter: walk.onEnter && ((inner) => walk.onEnter?.(outside(inner))),
        onLeave: walk.onLeave && ((inner, next, ms) => walk.onLeave?.(outside(inner), next, ms)),
        onLeftBehind: walk.onLeftBehind && ((inner) => walk.onLeftBehind?.(outside(inner))),
      });
      if (done.end === "finished") return { end: "finished", state: how.leave(state, done.state) };
      const reached = { ...done.reached, node: pathOf(outside(done.position)).join("/") };
      return { end: "limit", reached, inner: done.position };
    },
  };
}
