// The types of a graph: nodes, the routes between them, and a position. The state is opaque here; the loops
// (src/loops/) define it.

/** The time limit of a node. */
export interface NodeTime {
  /** Aborted when the run is cancelled or the node's time is over; its reason says which. */
  signal: AbortSignal;
  /** When the time of this node ends, on the clock of `performance.now()`, in milliseconds; `Infinity` without limits.
   * For work with its own timeouts, such as requests. */
  deadline: number;
}

/** What a node does: one step, or another graph (see `nest`). A step receives the state and returns the next one; it
 * must not modify its input. */
type Work<S, D> =
  | { run(state: S, deps: D, time: NodeTime): Promise<S>; nested?: never }
  | { nested: NestedGraph<S, D>; run?: never };

/** The successors of a node: none (the graph ends), one, or several of which `route` chooses one. */
type Routes<S, D, N extends string> =
  | { next: readonly [] | readonly [N]; route?: never }
  | { next: readonly [N, N, ...N[]]; route: (state: S, deps: D) => N };

export type GraphNode<S, D, N extends string> = Work<S, D> & Routes<S, D, N>;

export interface Graph<S, D, N extends string> {
  name: string;
  start: N;
  nodes: Readonly<Record<N, GraphNode<S, D, N>>>;
}

/** The position of a run: the next node and its input state; `inner` while a nested graph is running. */
export interface Position<S> {
  node: string;
  state: S;
  inner?: Position<unknown>;
}

/** Names of the nodes from the outermost graph to the innermost one, e.g. `["phase", "plan"]`. */
export function pathOf(position: Position<unknown>): string[] {
  return [position.node, ...(position.inner === undefined ? [] : pathOf(position.inner))];
}

/** The parts of a graph that a drawing needs. */
export interface Drawable {
  name: string;
  start: string;
  nodes: Readonly<Record<string, { next: readonly string[]; nested?: { graph: Drawable } | undefined }>>;
}

/** A graph as a node of another one; made by `nest`, which knows the inner types. */
export interface NestedGraph<S, D> {
  graph: Drawable;
  /** Continues from a position of the outer graph under the limits, signals and observers of its walk. */
  walk(position: Position<S>, deps: D, walk: Walk<S>): Promise<InnerEnd<S>>;
}

/** How a nested graph ended: with the outer state that follows, or at a limit. */
export type InnerEnd<S> =
  | { end: "finished"; state: S }
  | { end: "limit"; reached: LimitReached; inner: Position<unknown> };

/** A limit that ended a run; returned as a value, not thrown. */
export interface LimitReached {
  limit: "steps" | "node_ms" | "total_ms";
  value: number;
  /** Path of the node, joined with `/`. */
  node: string;
}

export interface Limits {
  /** Maximum number of nodes run, nested graphs included. */
  steps?: number;
  /** Milliseconds for one node; a nested graph is bounded by the limits of its nodes and of the whole run. */
  nodeMs?: number;
  /** Milliseconds for the whole run. */
  totalMs?: number;
}

/** The context of one run, shared by a graph and the graphs nested in it. */
export interface Walk<S> {
  signal: AbortSignal;
  pause?: AbortSignal | undefined;
  budget: Budget;
  graceMs: number;
  checkpoint(position: Position<S>): Promise<void>;
  onEnter?: ((position: Position<S>) => void) | undefined;
  onLeave?: ((position: Position<S>, next: string | null, ms: number) => void) | undefined;
  onLeftBehind?: ((position: Position<S>) => void) | undefined;
}

/** Steps and time of one run, shared by its nested graphs. */
export class Budget {
  readonly limits: Limits;
  private readonly startedAt = performance.now();
  private steps = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** Counts one node, or returns the limit that forbids it. */
  countStep(): Omit<LimitReached, "node"> | undefined {
    const { steps, totalMs } = this.limits;
    if (steps !== undefined && this.steps >= steps) return { limit: "steps", value: steps };
    if (totalMs !== undefined && this.leftMs() <= 0) return { limit: "total_ms", value: totalMs };
    this.steps += 1;
    return undefined;
  }

  /** The time limit of a node entered now: the shorter of its limit and the remaining time of the run. */
  nodeLimit(): { ms: number; limit: "node_ms" | "total_ms"; value: number } | undefined {
    const { nodeMs = Number.POSITIVE_INFINITY, totalMs = Number.POSITIVE_INFINITY } = this.limits;
    const left = this.leftMs();
    if (nodeMs <= left) {
      return Number.isFinite(nodeMs) ? { ms: nodeMs, limit: "node_ms", value: nodeMs } : undefined;
    }
    return { ms: left, limit: "total_ms", value: totalMs };
  }

  private leftMs(): number {
    const { totalMs = Number.POSITIVE_INFINITY } = this.limits;
    return totalMs - (performance.now() - this.startedAt);
  }
}
