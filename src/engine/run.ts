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

/** How long a node that was told to stop may take to do so before it is left behind. */
const GRACE_MS = 5_000;

export type RunEnd<S> =
  | { end: "finished"; node: string; state: S }
  | { end: "limit"; reached: LimitReached; position: Position<S> };

export interface RunOptions<S> {
  /** Ends the run with whatever the node throws; the last checkpoint stands. */
  signal: AbortSignal;
  /** Lets the node under way finish and be checkpointed, then ends the run with this signal's reason. */
  pause?: AbortSignal;
  /** Called with every position before anything goes on from it; a failure ends the run. */
  checkpoint(position: Position<S>): Promise<void>;
  /** Observers get positions with `inner` for nodes of nested graphs. */
  onEnter?(position: Position<S>): void;
  /** The position carries the state that the node returned; `next` is null where a graph ends. */
  onLeave?(position: Position<S>, next: string | null, ms: number): void;
  /** A node was told to stop and did not within the grace time. It may still be running: whoever owns what it
   * writes to must not hand that to another process. */
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

/** One graph of a run, the outermost or a nested one. */
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
    throw new AtomsmithError("internal", `node ${name} of ${graph.name} may not lead to ${chosen}`);
  }
  return chosen;
}

type NodeEnd<S> =
  | Extract<InnerEnd<S>, { end: "finished" }>
  | { end: "limit"; reached: LimitReached; inner?: undefined };

/** Runs one node under the limits of the run. A node that ignores its signal is left behind after the grace time;
 * what it returns later is dropped. */
async function runNode<S, D, N extends string>(
  node: GraphNode<S, D, N> & { nested?: undefined },
  position: Position<S>,
  deps: D,
  walk: Walk<S>,
): Promise<NodeEnd<S>> {
  const at = pathOf(position).join("/");
  const forbidden = walk.budget.takeStep();
  if (forbidden) return { end: "limit", reached: { ...forbidden, node: at } };
  const bound = walk.budget.nodeLimit();
  const timer = new AbortController();
  const handle =
    bound &&
    setTimeout(() => timer.abort(new AtomsmithError("limit", `node ${at} ran out of time`)), bound.ms);
  const signal = AbortSignal.any([walk.signal, timer.signal]);
  const deadline = performance.now() + (bound?.ms ?? Number.POSITIVE_INFINITY);
  const running = node.run(position.state, deps, { signal, deadline });
  try {
    const first = await settledOr(running, told(signal, walk.graceMs));
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
  return { end: "limit", reached: { limit, value, node: at } };
}

const LATE = Symbol("late");

/** Resolves to `LATE` the grace time after the signal; `stop` ends the wait. */
function told(signal: AbortSignal, graceMs: number): { late: Promise<typeof LATE>; stop(): void } {
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

async function settledOr<T>(
  running: Promise<T>,
  wait: { late: Promise<typeof LATE>; stop(): void },
): Promise<T | typeof LATE> {
  running.catch(() => undefined); // one that is left behind may fail when nobody awaits it any more
  try {
    return await Promise.race([running, wait.late]);
  } finally {
    wait.stop();
  }
}
