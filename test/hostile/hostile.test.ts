// Hostile atoms against the real sandbox. Each file of atoms/ says in its first line which outcomes are right:
// kinds separated by "|", or `ok` with the value. Whatever an atom does, its outcome is one of those, soon; the
// next call works; a good atom that runs beside all of them never notices.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../../sandbox/index.ts";
import type { AtomSession, CallLimits, Outcome, Sandbox } from "../../sandbox/types.ts";

const folder = join(import.meta.dirname, "atoms");
const limits: Partial<CallLimits> = {
  timeoutMs: 120,
  memoryMb: 64,
  maxResultBytes: 2_000_000,
  maxRecords: 100_000,
};
/** Far above the limit of a call plus one second: only a hang gets here. */
const HANG_MS = 15_000;

const generated: Record<string, { expect: string; source: () => string }> = {
  "compile-nesting": {
    expect: "syntax|crashed",
    source: () => `function run() { return ${"(".repeat(2e5)}1; }`,
  },
  "compile-arrays": {
    expect: "syntax|crashed|result_too_large",
    source: () => `function run() { return ${"[".repeat(1e5)}${"]".repeat(1e5)}; }`,
  },
  "compile-large": {
    expect: "timeout|ok 3|memory",
    source: () => `${"var a = [1, 2, 3, {b: 'c'}];\n".repeat(300_000)}function run() { return 3; }`,
  },
  "compile-regexp": {
    expect: "syntax|threw|timeout|crashed|memory",
    source: () => `function run() { return /${"(a|b)".repeat(5e5)}/.test("x"); }`,
  },
  "compile-template": {
    expect: "syntax|crashed|threw",
    source: () => `function run() { return ${"`${".repeat(1e5)}1${"}`".repeat(1e5)}; }`,
  },
  "compile-classes": {
    expect: "ok 1|timeout|memory|crashed",
    source: () =>
      `${Array.from({ length: 3e4 }, (_, i) => `class C${i} { #p = 1; static x = 2; }`).join("\n")}\nfunction run() { return 1; }`,
  },
};

function outcomeText(outcome: Outcome): string {
  return outcome.ok ? `ok ${JSON.stringify(outcome.value)}` : outcome.error.kind;
}

let sandbox: Sandbox;
let good: AtomSession;
let neighbour: Promise<{ calls: number; wrong: unknown[] }>;
let stopNeighbour = false;

beforeAll(async () => {
  sandbox = await createSandbox({ require: "process", children: 3, limits }, () => {});
  good = await sandbox.open({ name: "good.js", source: "function twice(x) { return x * 2; }" });
  pump();
  neighbour = (async () => {
    const session = await sandbox.open({
      name: "neighbour.js",
      source: "function add(a, b) { return a + b; }",
    });
    const wrong: unknown[] = [];
    let calls = 0;
    for (; !stopNeighbour; calls += 1) {
      const outcome = await session.call("add", [calls, 1]);
      if (!outcome.ok || outcome.value !== calls + 1) wrong.push(outcome);
      await Bun.sleep(20);
    }
    return { calls, wrong };
  })();
});

afterAll(async () => {
  stopNeighbour = true;
  await neighbour;
  await sandbox.close();
});

interface HostileRun {
  outcome: Outcome;
  /** The good atom's answer right after it. */
  next: Outcome;
}

async function run(name: string, source: string): Promise<HostileRun> {
  const session = await sandbox.open({ name: `${name}.js`, source });
  const outcome = await session.call("run", []);
  await session.close();
  return { outcome, next: await good.call("twice", [21]) };
}

/** Two atoms at a time, in the order of the tests, which await what they need. */
const waiting: (() => Promise<void>)[] = [];
let running = 0;
function schedule(name: string, source: () => string): Promise<HostileRun> {
  return new Promise((resolve, reject) => {
    waiting.push(() => run(name, source()).then(resolve, reject));
  });
}
function pump(): void {
  while (running < 2) {
    const job = waiting.shift();
    if (job === undefined) return;
    running += 1;
    void job().finally(() => {
      running -= 1;
      pump();
    });
  }
}

function hasRightOutcome(expected: string, { outcome, next }: HostileRun): void {
  expect(expected.split("|")).toContain(outcomeText(outcome));
  if (!outcome.ok) {
    // A structured error: something to read, bounded in length.
    expect(outcome.error.message.length).toBeGreaterThan(0);
    expect(outcome.error.message.length).toBeLessThan(6_000);
    expect((outcome.error.name ?? "").length).toBeLessThan(1_000);
  }
  expect(next).toMatchObject({ ok: true, value: 42 });
}

const files = readdirSync(folder).sort();

for (const file of files) {
  const source = readFileSync(join(folder, file), "utf8");
  const expected = /^\/\/ expect: (.*)\n/.exec(source)?.[1] ?? "";
  const result = schedule(file.replace(/\.js$/, ""), () => source);
  test(
    `${file} ends in ${expected}`,
    async () => {
      expect(expected).not.toBe("");
      hasRightOutcome(expected, await result);
    },
    HANG_MS,
  );
}

for (const [name, atom] of Object.entries(generated)) {
  const result = schedule(name, atom.source);
  test(
    `${name} ends in ${atom.expect}`,
    async () => {
      hasRightOutcome(atom.expect, await result);
    },
    HANG_MS,
  );
}

test("there are at least 60 of them", () => {
  expect(files.length + Object.keys(generated).length).toBeGreaterThanOrEqual(60);
});

test("the neighbour never noticed", async () => {
  stopNeighbour = true;
  const { calls, wrong } = await neighbour;
  expect(wrong).toEqual([]);
  expect(calls).toBeGreaterThan(0);
});
