import { expect, test } from "bun:test";
import {
  type Graph,
  type LimitReached,
  nest,
  type Position,
  runGraph,
  toMermaid,
} from "../../src/engine/graph.ts";

interface Count {
  n: number;
  trail: string[];
}
type Node = "start" | "work" | "done";

/** Counts up to the number passed in as the dependency. */
const counting: Graph<Count, number, Node> = {
  name: "counting",
  start: "start",
  nodes: {
    start: { next: ["work"], run: async (s) => ({ ...s, trail: [...s.trail, "start"] }) },
    work: {
      next: ["work", "done"],
      run: async (s) => ({ n: s.n + 1, trail: [...s.trail, "work"] }),
      route: (s, limit) => (s.n < limit ? "work" : "done"),
    },
    done: { next: [], run: async (s) => ({ ...s, trail: [...s.trail, "done"] }) },
  },
};
const first: Position<Count> = { node: "start", state: { n: 0, trail: [] } };

async function record<S>(
  graph: Graph<S, number, Node>,
  from: Position<S>,
  options: { stopAfter?: number; limits?: { steps?: number; nodeMs?: number; totalMs?: number } } = {},
) {
  const positions: Position<S>[] = [];
  const end = await runGraph(graph, from, 3, {
    signal: new AbortController().signal,
    ...(options.limits ? { limits: options.limits } : {}),
    checkpoint: async (position) => {
      positions.push(structuredClone(position));
      if (positions.length === options.stopAfter) throw new Error("killed");
    },
  });
  return { positions, end };
}

test("a checkpoint follows every node, and the run ends at a node without successors", async () => {
  const { positions, end } = await record(counting, first);
  expect(positions.map((position) => position.node)).toEqual(["work", "work", "work", "done"]);
  expect(end).toEqual({
    end: "finished",
    node: "done",
    state: { n: 3, trail: ["start", "work", "work", "work", "done"] },
  });
});

test("a run continued from any checkpoint ends like an undisturbed one", async () => {
  const whole = await record(counting, first);
  for (const position of whole.positions) {
    expect((await record(counting, position)).end).toEqual(whole.end);
  }
});

test("a checkpoint that cannot be written ends the run", async () => {
  await expect(record(counting, first, { stopAfter: 2 })).rejects.toThrow("killed");
});

test("limits are values that name the node and the position to go on from", async () => {
  const { end } = await record(counting, first, { limits: { steps: 2 } });
  if (end.end !== "limit") throw new Error("no limit");
  expect(end.reached).toEqual({ limit: "steps", value: 2, node: "work" });
  const rest = await record(counting, end.position);
  expect(rest.end).toEqual((await record(counting, first)).end);
});

test("a node that never returns is bounded, also when it ignores its signal", async () => {
  const stuck: Graph<Count, number, Node> = {
    ...counting,
    nodes: { ...counting.nodes, work: { ...counting.nodes.work, run: () => new Promise<Count>(() => {}) } },
  };
  const reached: LimitReached[] = [];
  for (const limits of [{ nodeMs: 20 }, { totalMs: 20 }, { nodeMs: 20, totalMs: 10_000 }]) {
    const { end } = await record(stuck, first, { limits });
    if (end.end === "limit") reached.push(end.reached);
  }
  expect(reached).toEqual([
    { limit: "node_ms", value: 20, node: "work" },
    { limit: "total_ms", value: 20, node: "work" },
    { limit: "node_ms", value: 20, node: "work" },
  ]);
});

test("an abort from outside is no limit", async () => {
  const control = new AbortController();
  const run = runGraph(counting, first, 3, {
    signal: control.signal,
    limits: { nodeMs: 10_000 },
    checkpoint: async () => control.abort(new Error("interrupted")),
  });
  await expect(run).rejects.toThrow("interrupted");
});

test("a route to a place that was not declared is a bug, an unknown node a usage error", async () => {
  const wrong: Graph<Count, number, Node> = {
    ...counting,
    nodes: { ...counting.nodes, work: { ...counting.nodes.work, route: () => "start" } },
  };
  await expect(record(wrong, first)).rejects.toMatchObject({ kind: "internal" });
  await expect(record(counting, { node: "toString", state: first.state })).rejects.toMatchObject({
    kind: "usage",
  });
});

test("a nested graph is a node, with checkpoints inside it", async () => {
  interface Outer {
    result: number;
  }
  const outer: Graph<Outer, number, Node> = {
    name: "outer",
    start: "start",
    nodes: {
      start: { next: ["work"], run: async (s) => s },
      work: {
        next: ["done"],
        run: async () => {
          throw new Error("a nested node is not run itself");
        },
        nested: nest<Outer, number, Count, number, Node>(counting, {
          enter: () => ({ n: 0, trail: [] }),
          leave: (_, inner) => ({ result: inner.n }),
          deps: (limit) => limit,
          read: (stored) => stored as Count,
        }),
      },
      done: { next: [], run: async (s) => s },
    },
  };
  const whole = await record(outer, { node: "start", state: { result: 0 } });
  expect(whole.end).toMatchObject({ end: "finished", state: { result: 3 } });
  expect(whole.positions.map((position) => `${position.node}/${position.inner?.node ?? ""}`)).toEqual([
    "work/",
    "work/work",
    "work/work",
    "work/work",
    "work/done",
    "done/",
  ]);
  for (const position of whole.positions) {
    expect((await record(outer, position)).end).toEqual(whole.end);
  }
  const drawing = toMermaid(outer);
  expect(drawing).toContain("subgraph work");
  expect(drawing).toContain("work_start --> work_work");
  expect(drawing).toContain("work --> done");
});
