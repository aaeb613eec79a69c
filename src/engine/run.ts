// Runs a graph: a checkpoint after every node, resumption at the node that was interrupted, limits as values.
import { AtomsmithError } from "../core/errors.ts";
import {
  Budget,
  type Graph,
  type GraphNode,
  type InnerEnd,
  type LimitReached,
  type Limits,
  type Position,
  pathOf,
  type Walk,
} from "./graph.ts";

/** Time that a node gets to stop after its signal before it is abandoned. */
const GRACE_MS = 5_000;

export type RunEnd<S> =
  | { end: "finished"; node: string; state: S }
  | { end: "limit"; reached: LimitReached; position: Position<S> };

export interface RunOptions<S> {
  /** Ends the run with whatever the node throws; the last checkpoint stays valid. */
  signal: AbortSignal;
  /** Ends the run with this signal's reason after the current node has finished and been checkpointed. */
  pause?: AbortSignal;
  /** Called with every position before the run continues from it; a failure ends the run. */
  checkpoint(position: Position<S>): Promise<void>;
  /** Observers get positions with `inner` for nodes of nested graphs. */
  onEnter?(position: Position<S>): void;
  /** The position carries the state that the node returned; `next` is null where a graph ends. */
  onLeave?(position: Position<S>, next: string | null, ms: number): void;
  /** A node did not stop within the grace time and may still be running: the owner of the files it writes must not
   * release them to another process. */
  onLeftBehind?(position: Position<S>): void;
  limits?: Limits;
  /** Milliseconds that a node gets to stop after its signal; 5,000 when absent. */
  graceMs?: number;
}

/** Runs a graph from its start or from a position to a node without successors, or to a limit. Throws kind `usage` for
 * a position that the graph does not have, and whatever a node or a checkpoint throws. */
export async function runGraph<S, D, N extends string>(
  graph: Graph<S, D, N>,
  from: Position<S>,
  deps: D,
  options: RunOptions<S>,
): Promise<RunEnd<S>> {
  return walkGraph(graph, from, deps, {
    signal: options.signal,
    pause: options.pause,
    budget: new Budget(options.limits ?? {}),
    graceMs: options.graceMs ?? GRACE_MS,
    checkpoint: (position) => options.checkpoint(position),
    onEnter: options.onEnter && ((position) => options.onEnter?.(position)),
    onLeave: options.onLeave && ((position, next, ms) => options.onLeave?.(position, next, ms)),
    onLeftBehind: options.onLeftBehind && ((position) => options.onLeftBehind?.(position)),
  });
}

/** Runs one graph, the outermost or a nested one. */
export async function walkGraph<S, D, N extends string>(
  graph: Graph<S, D, N>,
  from: Position<S>,
  deps: D,
  walk: Walk<S>,
): Promise<RunEnd<S>> {
  let position = from;
  for (;;) {
    const { node: name, state } = position;
    const node = nodeOf(graph, name);
    walk.signal.throwIfAborted();
    walk.pause?.throwIfAborted();
    walk.onEnter?.({ node: name, state });
    const entered = performance.now();
    const done = node.nested
      ? await node.nested.walk(position, deps, walk)
      : await runNode(node, { node: name, state }, deps, walk);
    if (done.end === "limit") {
      const { inner, reached } = done;
      return {
        end: "limit",
        reached,
        position: inner === undefined ? { node: name, state } : { ...position, inner },
      };
    }
    const next = successor(graph, name, done.state, deps);
    walk.onLeave?.({ node: name, state: done.state }, next, performance.now() - entered);
    if (next === null) return { end: "finished", node: name, state: done.state };
    position = { node: next, state: done.state };
    await walk.checkpoint(position);
  }
}

function nodeOf<S, D, N extends string>(graph: Graph<S, D, N>, name: string): GraphNode<S, D, N> {
  if (Object.hasOwn(graph.nodes, name)) return graph.nodes[name as N];
  throw new AtomsmithError("usage", `graph ${graph.name} has no node ${name}`, {
    hint: `its nodes are: ${Object.keys(graph.nodes).join(", ")}`,
  });
}

function successor<S, D, N extends string>(graph: Graph<S, D, N>, name: string, state: S, deps: D): N | null {
  const node = nodeOf(graph, name);
  const only = node.next[0];
  if (only === undefined) return null;
  if (node.route === undefined) return only;
  const chosen = node.route(state, deps);
  if (!(node.next as readonly N[]).includes(chosen)) {
    throw new AtomsmithError(
      "internal",
      `the route of node ${name} in graph ${graph.name} chose ${chosen}, which is not a successor`,
    );
  }
  return chosen;
}

type NodeEnd<S> =
  | Extract<InnerEnd<S>, { end: "finished" }>
  | { end: "limit"; reached: LimitReached; inner?: undefined };

/** Runs one node under the limits of the run. A node that ignores its signal is abandoned after the grace time; its
 * later result is discarded. */
async function runNode<S, D, N extends string>(
  node: GraphNode<S, D, N> & { nested?: undefined },
  position: Position<S>,
  deps: D,
  walk: Walk<S>,
): Promise<NodeEnd<S>> {
  const nodePath = pathOf(position).join("/");
  const forbidden = walk.budget.countStep();
  if (forbidden) return { end: "limit", reached: { ...forbidden, node: nodePath } };
  const bound = walk.budget.nodeLimit();
  const timer = new AbortController();
  const handle =
    bound &&
    setTimeout(() => timer.abort(new AtomsmithError("limit", `node ${nodePath} ran out of time`)), bound.ms);
  const signal = AbortSignal.any([walk.signal, timer.signal]);
  const deadline = performance.now() + (bound?.ms ?? Number.POSITIVE_INFINITY);
  const running = node.run(position.state, deps, { signal, deadline });
  try {
    const first = await settleWithinGrace(running, startGracePeriod(signal, walk.graceMs));
    if (first === LATE) {
      walk.onLeftBehind?.(position);
      walk.signal.throwIfAborted();
    } else if (!timer.signal.aborted) return { end: "finished", state: first };
  } catch (error) {
    if (!timer.signal.aborted || walk.signal.aborted) throw error;
  } finally {
    clearTimeout(handle);
  }
  const { limit, value } = bound ?? { limit: "node_ms", value: 0 };
  return { end: "limit", reached: { limit, value, node: nodePath } };
}

const LATE = Symbol("late");

/** `late` resolves to LATE when the grace time after the signal has passed; `stop` cancels the timer. */
function startGracePeriod(
  signal: AbortSignal,
  graceMs: number,
): { late: Promise<typeof LATE>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<typeof LATE>();
  let handle: ReturnType<typeof setTimeout> | undefined;
  const start = (): void => {
    handle = setTimeout(() => resolve(LATE), graceMs);
  };
  if (signal.aborted) start();
  else signal.addEventListener("abort", start, { once: true });
  return {
    late: promise,
    stop: () => {
      signal.removeEventListener("abort", start);
      clearTimeout(handle);
    },
  };
}

async function settleWithinGrace<T>(
  running: Promise<T>,
  wait: { late: Promise<typeof LATE>; stop(): void },
): Promise<T | typeof LATE> {
  running.catch(() => undefined); // an abandoned node may reject later, when nothing awaits it
  try {
    return await Promise.race([running, wait.late]);
  } finally {
    wait.stop();
  }
}
