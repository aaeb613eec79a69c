import { expect, test } from "bun:test";
import {
  type Graph,
  type LimitReached,
  type Limits,
  type NodeTime,
  nest,
  type Position,
  pathOf,
  runGraph,
  toMermaid,
} from "../../src/engine/index.ts";

interface Count {
  n: number;
  trail: string[];
}
type Node = "start" | "work" | "done";

type Step = (state: Count, limit: number, time: NodeTime) => Promise<Count>;

const count: Step = async (s) => ({ n: s.n + 1, trail: [...s.trail, "work"] });

/** A graph that counts up to the number passed as its dependency. */
function countBy(
  run: Step,
  route = (s: Count, limit: number): Node => (s.n < limit ? "work" : "done"),
): Graph<Count, number, Node> {
  return {
    name: "counting",
    start: "start",
    nodes: {
      start: { next: ["work"], run: async (s) => ({ ...s, trail: [...s.trail, "start"] }) },
      work: { next: ["work", "done"], run, route },
      done: { next: [], run: async (s) => ({ ...s, trail: [...s.trail, "done"] }) },
    },
  };
}
const counting = countBy(count);
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

test("a run continued from any checkpoint ends like an undisturbed run", async () => {
  const whole = await record(counting, first);
  for (const position of whole.positions) {
    expect((await record(counting, position)).end).toEqual(whole.end);
  }
});

test("a checkpoint that cannot be written ends the run", async () => {
  await expect(record(counting, first, { stopAfter: 2 })).rejects.toThrow("killed");
});

test("a limit is a value with its node and the position to resume from", async () => {
  const { end } = await record(counting, first, { limits: { steps: 2 } });
  if (end.end !== "limit") throw new Error("no limit");
  expect(end.reached).toEqual({ limit: "steps", value: 2, node: "work" });
  const rest = await record(counting, end.position);
  expect(rest.end).toEqual((await record(counting, first)).end);
});

test("a node that observes its signal ends at the limit, and its deadline states the time", async () => {
  const deadlines: number[] = [];
  const sleepy = countBy(async (s, _, { signal, deadline }) => {
    deadlines.push(deadline - performance.now());
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    return s;
  });
  const abandoned: string[] = [];
  const end = await runGraph(sleepy, first, 3, {
    signal: new AbortController().signal,
    checkpoint: async () => {},
    onLeftBehind: ({ node }) => abandoned.push(node),
    limits: { nodeMs: 30 },
  });
  expect(end).toMatchObject({ end: "limit", reached: { limit: "node_ms", value: 30, node: "work" } });
  expect(abandoned).toEqual([]);
  expect(deadlines[0]).toBeGreaterThan(0);
  expect(deadlines[0]).toBeLessThanOrEqual(30);
});

test("a node that ignores its signal is awaited for the grace time, then abandoned", async () => {
  const graph = (ms: number) =>
    countBy(async (s) => {
      await Bun.sleep(ms);
      return s;
    });
  const abandoned: string[] = [];
  const run = async (ms: number, limits: Limits): Promise<LimitReached | undefined> => {
    const end = await runGraph(graph(ms), first, 3, {
      signal: new AbortController().signal,
      checkpoint: async () => {},
      onLeftBehind: ({ node }) => abandoned.push(`${node} ${ms}`),
      limits,
      graceMs: 200,
    });
    return end.end === "limit" ? end.reached : undefined;
  };
  expect(await run(60, { nodeMs: 20 })).toEqual({ limit: "node_ms", value: 20, node: "work" });
  expect(await run(1e6, { nodeMs: 20, totalMs: 10_000 })).toMatchObject({ limit: "node_ms" });
  expect(await run(1e6, { totalMs: 20 })).toEqual({ limit: "total_ms", value: 20, node: "work" });
  expect(abandoned).toEqual(["work 1000000", "work 1000000"]);
});

test("an abort from outside waits at most the grace time for a node that ignores it", async () => {
  const control = new AbortController();
  const abandoned: string[] = [];
  const run = runGraph(
    countBy(() => new Promise<Count>(() => {})),
    first,
    3,
    {
      signal: control.signal,
      checkpoint: async () => {},
      onLeftBehind: ({ node }) => abandoned.push(node),
      onEnter: ({ node }) => {
        if (node === "work") setTimeout(() => control.abort(new Error("interrupted")), 10);
      },
      graceMs: 20,
    },
  );
  await expect(run).rejects.toThrow("interrupted");
  expect(abandoned).toEqual(["work"]);
});

test("an abort from outside is not a limit", async () => {
  const control = new AbortController();
  const run = runGraph(counting, first, 3, {
    signal: control.signal,
    limits: { nodeMs: 10_000 },
    checkpoint: async () => control.abort(new Error("interrupted")),
  });
  await expect(run).rejects.toThrow("interrupted");
});

test("a route to an undeclared node is a bug, an unknown node is a usage error", async () => {
  const wrong = countBy(count, () => "start");
  await expect(record(wrong, first)).rejects.toMatchObject({ kind: "internal" });
  await expect(record(counting, { node: "toString", state: first.state })).rejects.toMatchObject({
    kind: "usage",
  });
});

interface Outer {
  result: number;
}

function nestGraph(inner: Graph<Count, number, Node>): Graph<Outer, number, Node> {
  return {
    name: "outer",
    start: "start",
    nodes: {
      start: { next: ["work"], run: async (s) => s },
      work: {
        next: ["done"],
        nested: nest<Outer, number, Count, number, Node>(inner, {
          enter: () => ({ n: 0, trail: [] }),
          leave: (_, last) => ({ result: last.n }),
          deps: (limit) => limit,
          read: (stored) => stored as Count,
        }),
      },
      done: { next: [], run: async (s) => s },
    },
  };
}
const outer = nestGraph(counting);
const outside: Position<Outer> = { node: "start", state: { result: 0 } };

test("a nested graph is a node with checkpoints inside it", async () => {
  const whole = await record(outer, outside);
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

test("limits apply inside a nested graph, and its position can be continued", async () => {
  const { end } = await record(outer, outside, { limits: { steps: 3 } });
  if (end.end !== "limit") throw new Error("no limit");
  expect(end.reached).toEqual({ limit: "steps", value: 3, node: "work/work" });
  expect(pathOf(end.position)).toEqual(["work", "work"]);
  expect((await record(outer, end.position)).end).toMatchObject({ end: "finished", state: { result: 3 } });

  const slow = nestGraph(
    countBy(async (s, _, { signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return s;
    }),
  );
  const timed = await record(slow, outside, { limits: { nodeMs: 20 } });
  expect(timed.end).toMatchObject({ reached: { limit: "node_ms", value: 20, node: "work/work" } });
});

test("observers see the nodes of nested graphs, and a pause ends the run between two nodes", async () => {
  const pause = new AbortController();
  const seen: string[] = [];
  const positions: Position<Outer>[] = [];
  const run = runGraph(outer, outside, 3, {
    signal: new AbortController().signal,
    pause: pause.signal,
    checkpoint: async (position) => {
      positions.push(structuredClone(position));
    },
    onEnter: (position) => seen.push(`> ${pathOf(position).join("/")}`),
    onLeave: (position, next) => {
      seen.push(`< ${pathOf(position).join("/")} ${next}`);
      if (position.inner?.node === "start") pause.abort(new Error("paused"));
    },
  });
  await expect(run).rejects.toThrow("paused");
  expect(seen).toEqual(["> start", "< start work", "> work", "> work/start", "< work/start work"]);
  const rest = await record(outer, positions.at(-1) ?? outside);
  expect(rest.end).toMatchObject({ end: "finished", state: { result: 3 } });
});
