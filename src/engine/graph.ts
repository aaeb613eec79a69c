// The graph engine: typed nodes and routes, a checkpoint after every node, resumption at the node that was
// interrupted, another graph as a node, limits as values, and a drawing of itself. It knows nothing about
// items; whoever runs a graph passes in what a checkpoint, a clock or an event means.
import { AtomsmithError } from "../core/errors.ts";

/** One step. `run` gets the state and returns the next one; it must not change what it got. */
export interface GraphNode<S, D, N extends string> {
  run(state: S, deps: D, signal: AbortSignal): Promise<S>;
  /** Where this node may lead. One name: always there. None: the graph ends here. */
  next: readonly N[];
  /** Chooses among several `next`. */
  route?: (state: S, deps: D) => N;
  /** Another graph that does the work of this node; then `run` is not called. */
  nested?: NestedGraph<S, D>;
}

export interface Graph<S, D, N extends string> {
  name: string;
  start: N;
  nodes: Readonly<Record<N, GraphNode<S, D, N>>>;
}

/** Where a run stands: the node that runs next and what it gets; `inner` while a nested graph is under way. */
export interface Position<S> {
  node: string;
  state: S;
  inner?: Position<unknown>;
}

/** A limit that ended a run: a value, not an accident. */
export interface LimitReached {
  limit: "steps" | "node_ms" | "total_ms";
  value: number;
  node: string;
}

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
  onEnter?(node: string, state: S): void;
  onLeave?(node: string, next: string | null, state: S, ms: number): void;
  limits?: { steps?: number; nodeMs?: number; totalMs?: number };
}

/** Runs a graph from its start or from a position to a node without successors, or to a limit. */
export async function runGraph<S, D, N extends string>(
  graph: Graph<S, D, N>,
  from: Position<S>,
  deps: D,
  options: RunOptions<S>,
): Promise<RunEnd<S>> {
  const began = performance.now();
  const limits = options.limits ?? {};
  let position: Position<S> = from;
  for (let step = 1; ; step++) {
    const { node: name, state } = position;
    const node = nodeOf(graph, name);
    const stop = (limit: LimitReached["limit"], value: number): RunEnd<S> => ({
      end: "limit",
      reached: { limit, value, node: name },
      position,
    });
    options.signal.throwIfAborted();
    options.pause?.throwIfAborted();
    if (limits.steps !== undefined && step > limits.steps) return stop("steps", limits.steps);
    const left = limits.totalMs === undefined ? undefined : limits.totalMs - (performance.now() - began);
    if (left !== undefined && left <= 0) return stop("total_ms", limits.totalMs ?? 0);
    options.onEnter?.(name, state);
    const entered = performance.now();
    const work = (signal: AbortSignal): Promise<S> =>
      node.nested
        ? node.nested.run(position, deps, { ...options, signal }, (inner) =>
            options.checkpoint({ node: name, state, inner }),
          )
        : node.run(state, deps, signal);
    const bounded = await within(work, options.signal, limits.nodeMs, left);
    if ("exceeded" in bounded) {
      return bounded.exceeded === "node_ms"
        ? stop("node_ms", limits.nodeMs ?? 0)
        : stop("total_ms", limits.totalMs ?? 0);
    }
    const next = successor(graph, name, bounded.value, deps);
    options.onLeave?.(name, next, bounded.value, performance.now() - entered);
    if (next === null) return { end: "finished", node: name, state: bounded.value };
    position = { node: next, state: bounded.value };
    await options.checkpoint(position);
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
  const chosen = node.route ? node.route(state, deps) : only;
  if (!node.next.includes(chosen)) {
    throw new AtomsmithError("internal", `node ${name} of ${graph.name} may not lead to ${chosen}`);
  }
  return chosen;
}

type Bounded<T> = { value: T } | { exceeded: "node_ms" | "total_ms" };

/** Runs one node under the shorter of its own time and what is left of the whole run. */
async function within<T>(
  work: (signal: AbortSignal) => Promise<T>,
  outer: AbortSignal,
  nodeMs: number | undefined,
  leftMs: number | undefined,
): Promise<Bounded<T>> {
  const ms = Math.min(nodeMs ?? Number.POSITIVE_INFINITY, leftMs ?? Number.POSITIVE_INFINITY);
  if (!Number.isFinite(ms)) return { value: await work(outer) };
  const timer = new AbortController();
  const handle = setTimeout(() => timer.abort(new Error("time limit of the node")), ms);
  const late = new Promise<"late">((resolve) => {
    timer.signal.addEventListener("abort", () => resolve("late"), { once: true });
  });
  try {
    const running = work(AbortSignal.any([outer, timer.signal]));
    // A node that ignores its signal is left behind; what it returns later is dropped.
    running.catch(() => undefined);
    const first = await Promise.race([running.then((value) => ({ value })), late]);
    if (first !== "late") return first;
  } catch (error) {
    if (!timer.signal.aborted || outer.aborted) throw error;
  } finally {
    clearTimeout(handle);
  }
  return { exceeded: nodeMs !== undefined && nodeMs === ms ? "node_ms" : "total_ms" };
}

/** A graph that stands for a node of another one; made by `nest`, which knows the inner types. */
export interface NestedGraph<S, D> {
  graph: { name: string; start: string; nodes: Readonly<Record<string, { next: readonly string[] }>> };
  run(
    position: Position<S>,
    deps: D,
    options: Omit<RunOptions<S>, "checkpoint">,
    checkpoint: (inner: Position<unknown>) => Promise<void>,
  ): Promise<S>;
}

/**
 * Makes a node of a graph. `enter` gives the inner graph its first state, `leave` folds its last one back.
 * `read` checks an inner state that comes from a checkpoint.
 */
export function nest<S, D, I, E, M extends string>(
  graph: Graph<I, E, M>,
  how: {
    enter(outer: S, deps: D): I;
    leave(outer: S, inner: I): S;
    deps(outer: D): E;
    read(stored: unknown): I;
  },
): NestedGraph<S, D> {
  return {
    graph,
    async run(position, deps, options, checkpoint) {
      const from: Position<I> = position.inner
        ? { ...position.inner, state: how.read(position.inner.state) }
        : { node: graph.start, state: how.enter(position.state, deps) };
      const done = await runGraph(graph, from, how.deps(deps), {
        signal: options.signal,
        ...(options.pause ? { pause: options.pause } : {}),
        checkpoint: (reached: Position<I>) => checkpoint(reached),
      });
      if (done.end === "limit") throw new AtomsmithError("internal", `graph ${graph.name} met a limit`);
      return how.leave(position.state, done.state);
    },
  };
}

type Drawable = NestedGraph<unknown, unknown>["graph"];

/** The graph as a Mermaid flowchart; nested graphs are drawn as subgraphs. */
export function toMermaid<S, D, N extends string>(graph: Graph<S, D, N>): string {
  const lines = ["flowchart TD"];
  draw(graph as Drawable, "", "  ", lines);
  return `${lines.join("\n")}\n`;
}

function draw(graph: Drawable, prefix: string, indent: string, lines: string[]): void {
  for (const [name, node] of Object.entries(graph.nodes)) {
    const id = prefix + name;
    const inner = (node as { nested?: { graph: Drawable } }).nested?.graph;
    if (inner) {
      lines.push(`${indent}subgraph ${id}`);
      draw(inner, `${id}_`, `${indent}  `, lines);
      lines.push(`${indent}end`);
    } else if (node.next.length === 0) {
      lines.push(`${indent}${id}([${name}])`);
    } else if (name === graph.start) {
      lines.push(`${indent}${id}[/${name}/]`);
    } else {
      lines.push(`${indent}${id}[${name}]`);
    }
    for (const next of node.next) lines.push(`${indent}${id} --> ${prefix}${next}`);
  }
}
