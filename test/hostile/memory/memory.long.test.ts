// Whatever an atom builds, its child stays below twice the memory limit, what this process adds for a result is
// bounded too, the call ends with a failure or a complete result, and the next call works. Measured from outside, by the
// kernel's high-water marks. A run takes some of the shapes; ATOMSMITH_KILLS=99 takes all of them.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createSandbox } from "../../../sandbox/index.ts";
import { type AtomSession, DEFAULT_CALL_LIMITS, type Outcome, type Sandbox } from "../../../sandbox/types.ts";
import { someOf } from "../../support/random-moments.ts";
import { TreeMemory, type TreePeak } from "../../support/tree-memory.ts";
import { ENDLESS, LARGE_RESULTS, legalShapes, type Shape } from "./shapes.ts";

setDefaultTimeout(120_000);
const isLinux = process.platform === "linux";
const { memoryMb } = DEFAULT_CALL_LIMITS;
/** Long enough for fast shapes to reach the limit, short enough for fifty of them. */
const ENDLESS_MS = 400;
const RESULT_MS = 5_000;
/** For atoms that must end. */
const LEGAL_MS = 20_000;

let memory: TreeMemory;
let sandbox: Sandbox;
let good: AtomSession;

beforeAll(async () => {
  memory = new TreeMemory();
  sandbox = await createSandbox({ require: "process", children: 1 }, () => {});
  good = await sandbox.open({ name: "good.js", source: "function twice(x) { return x * 2; }" });
});

afterAll(async () => {
  await sandbox.close();
  await memory.close();
});

interface Measured {
  outcome: Outcome;
  /** Peak of the largest child, and growth of this process, MiB. */
  child: number;
  grown: number;
}

function largestChild({ root, processes }: TreePeak): number {
  return Math.max(0, ...processes.filter(({ pid }) => pid !== root?.pid).map(({ peak }) => peak));
}

async function measure({ name, source }: Shape, timeoutMs: number): Promise<Measured> {
  const session = await sandbox.open({ name: `${name}.js`, source });
  Bun.gc(true);
  await memory.start();
  const outcome = await session.call("run", [], { limits: { timeoutMs } });
  const peak = await memory.stop();
  await session.close();
  expect(await good.call("twice", [21])).toMatchObject({ ok: true, value: 42 });
  const grown = (peak.root?.peak ?? 0) - (peak.root?.first ?? 0);
  return { outcome, child: largestChild(peak), grown };
}

test.skipIf(!isLinux).each(someOf(ENDLESS, 10, "endless atoms").map((shape) => [shape.name, shape] as const))(
  "endless: %s",
  async (_name, shape) => {
    const { outcome, child, grown } = await measure(shape, ENDLESS_MS);
    expect(outcome.ok ? "ok" : outcome.error.kind).toBeOneOf(["memory", "timeout", "threw", "crashed"]);
    expect(child).toBeLessThan(2 * memoryMb);
    expect(grown).toBeLessThan(memoryMb / 4);
  },
);

test
  .skipIf(!isLinux)
  .each(someOf(LARGE_RESULTS, 5, "large results").map((shape) => [shape.name, shape] as const))(
  "large result: %s",
  async (_name, shape) => {
    const { outcome, child, grown } = await measure(shape, RESULT_MS);
    expect(outcome.ok ? "ok" : outcome.error.kind).toBeOneOf(["ok", "memory", "timeout", "result_too_large"]);
    expect(child).toBeLessThan(2 * memoryMb);
    expect(grown).toBeLessThan(2 * memoryMb);
  },
);

test.each(
  someOf(legalShapes(0.8 * memoryMb * 2 ** 20), 3, "legal atoms").map(
    (shape) => [shape.name, shape] as const,
  ),
)("%s of 80 percent of the limit", async (_name, shape) => {
  const { outcome } = await measure(shape, LEGAL_MS);
  expect(outcome).toMatchObject({ ok: true });
});

test("an atom that fits is not refused because of what earlier calls left behind", async () => {
  const shapes = legalShapes(0.8 * memoryMb * 2 ** 20);
  const sessions = await Promise.all(
    shapes.slice(0, 3).map(({ name, source }) =>
      sandbox.open({
        name,
        source: `let kept; ${source.replace("return a.length", "kept = a; return a.length")}`,
      }),
    ),
  );
  // Each session keeps its memory in the same child.
  for (const session of [...sessions, ...sessions]) {
    expect(await session.call("run", [], { limits: { timeoutMs: LEGAL_MS } })).toMatchObject({ ok: true });
  }
  for (const session of sessions) await session.close();
});

test("a call that exceeds its memory says so with the limit", async () => {
  const session = await sandbox.open({
    name: "a.js",
    source: "function run() { let a = [1.5]; for (;;) a = a.concat(a); }",
  });
  const outcome = await session.call("run", [], { limits: { timeoutMs: LEGAL_MS } });
  if (outcome.ok) throw new Error("an endless atom gave a result");
  expect(outcome.error).toMatchObject({
    kind: "memory",
    message: expect.stringContaining(`more than ${memoryMb} MiB of memory`),
  });
  await session.close();
});
