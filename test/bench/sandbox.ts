// `npm run bench -- sandbox [--quick] [--stress]`: this sandbox beside what people would use instead, in one run
// on one machine. Medians. Peers that are not there are named and left out: quickjs is looked for in the folder
// of ATOMSMITH_BENCH_MODULES (`npm install quickjs-emscripten` there), Python as python3.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox } from "../../sandbox/index.ts";
import { residentBytes } from "../../sandbox/parent/process-info.ts";
import { jailedLaunch, prepareRuntime } from "../../sandbox/runtime/launch.ts";
import { type AtomSession, type Outcome, RawText, type Sandbox } from "../../sandbox/types.ts";
import { inspectText, openParts } from "../../src/logio/index.ts";
import { PART_BYTES, PART_MEMORY_MB } from "../../src/runtime/extract-file.ts";
import { runStress } from "../hostile/stress.ts";
import {
  bunProcessPeer,
  nodeProcessPeer,
  nodeVmPeer,
  type Peer,
  pythonPeer,
  quickjsPeer,
} from "./sandbox/peers.ts";
import { ATOM, BLOCK, LOG_LINE, megabytes } from "./sandbox/workload.ts";

const quick = process.argv.includes("--quick");
const runs = quick ? 5 : 15;
const logMb = quick ? 10 : 50;

const cpu = cpus()[0]?.model ?? "?";
console.log(`${cpu}, ${cpus().length} cores, ${process.platform}-${process.arch}, Bun ${Bun.version}`);
console.log(
  `load before: ${loadavg()
    .map((l) => l.toFixed(1))
    .join(" ")}\n`,
);

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function times(count: number, work: (i: number) => Promise<unknown>): Promise<number> {
  const values: number[] = [];
  for (let i = 0; i < count; i++) {
    const started = performance.now();
    await work(i);
    values.push(performance.now() - started);
  }
  return median(values);
}

function must(outcome: Outcome): unknown {
  if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`);
  return outcome.value;
}

const table: Record<string, Record<string, string>> = {};
function note(row: string, what: string, value: number, unit: string): void {
  table[row] ??= {};
  table[row][what] = `${value < 10 ? value.toFixed(2) : Math.round(value)} ${unit}`;
}

const START = "start to first result";
const FRESH = "new isolate per call";
const HOT = "hot call";
const RATE = "calls per second, many at once";
const MEMORY = "memory of the runtime";
const LINES = `regex per line, text in front, ${logMb} MB`;
const COLUMNS = `regex per line, classes only, ${logMb} MB`;
const WHOLE = `one regex scan, ${logMb} MB`;
const text = megabytes(logMb);
const records = text.length / BLOCK.length;

async function ours(): Promise<void> {
  const row = "atomsmith sandbox";
  const first = async (): Promise<number> => {
    const started = performance.now();
    const sandbox = await createSandbox({ require: "process", children: 1 }, () => {});
    const session = await sandbox.open({ name: "atom.js", source: ATOM });
    must(await session.call("extract_context", [LOG_LINE, "a.log"]));
    const ms = performance.now() - started;
    await sandbox.close();
    return ms;
  };
  await first();
  const starts: number[] = [];
  for (let i = 0; i < runs; i++) starts.push(await first());
  note(row, START, median(starts), "ms");
  let pid = 0;
  const sandbox: Sandbox = await createSandbox({ require: "process", children: 1 }, (event) => {
    if (event.type === "sandbox" && event.what === "child_started") pid = Number(event.detail.split(" ")[1]);
  });
  console.log(`level: ${sandbox.info.level}${sandbox.info.missing.map((m) => `; ${m}`).join("")}`);
  const session = await sandbox.open({ name: "atom.js", source: ATOM });
  const limits = { timeoutMs: 120_000, memoryMb: 1024 };
  const call = async (fresh: boolean): Promise<void> => {
    must(await session.call("extract_context", [LOG_LINE, "a.log"], { fresh }));
  };
  await times(20, () => call(false));
  note(row, HOT, await times(runs * 40, () => call(false)), "ms");
  note(row, FRESH, await times(runs * 10, () => call(true)), "ms");
  const lists = Array.from({ length: 5000 }, () => [LOG_LINE, "a.log"]);
  note(
    row,
    RATE,
    5000 /
      ((await times(3, async () => (await session.callMany("extract_context", lists)).map(must))) / 1000),
    "",
  );
  note(row, MEMORY, (residentBytes(pid) ?? Number.NaN) / 1e6, "MB");
  for (const [fn, into, column] of scansOf(row)) {
    await scan(into, column, async () => must(await session.call(fn, [text], { limits })));
  }
  await sandbox.close();
}

/** Function, row and column of each scan of ours. */
function scansOf(row: string): [fn: string, row: string, column: string][] {
  return [
    ["count_lines", row, LINES],
    ["count_columns", row, COLUMNS],
    ["count_native", row, WHOLE],
    ["count_lines_re", `${row}, through re`, LINES],
    ["count_columns_re", `${row}, through re`, COLUMNS],
    ["count_re", `${row}, through re`, WHOLE],
  ];
}

/** Notes the speed of a scan, which must find all there is. */
async function scan(row: string, column: string, run: () => Promise<unknown>): Promise<void> {
  const ms = await times(quick ? 2 : 5, async () => {
    const found = await run();
    const expected = column === COLUMNS ? records * 9 : records;
    if (found !== expected) throw new Error(`${row}: ${String(found)} records instead of ${expected}`);
  });
  note(row, column, logMb / (ms / 1000), "MB/s");
}

/** The way of `check`: a file, read once, in parts for whatever child is free. The reading is part of the time. */
async function inParts(): Promise<void> {
  const children = Math.min(4, availableParallelism());
  const sandbox = await createSandbox({ require: "process", children }, () => {});
  const session = await sandbox.open({ name: "atom.js", source: ATOM });
  const folder = mkdtempSync(join(tmpdir(), "atomsmith-bench-"));
  const path = join(folder, "log.txt");
  writeFileSync(path, text);
  for (const [fn, row, column] of scansOf(`atomsmith, in parts, ${children} children`)) {
    await scan(row, column, () => countParts(session, fn, path, children + 1));
  }
  rmSync(folder, { recursive: true });
  await sandbox.close();
}

async function countParts(session: AtomSession, fn: string, path: string, parallel: number): Promise<number> {
  const inspect = () => inspectText(path);
  const opened = openParts(path, { partBytes: PART_BYTES, maxLineBytes: 2 ** 26, inspect });
  if (!opened.ok) throw new Error(opened.diagnostic.message);
  const running = new Set<Promise<void>>();
  let found = 0;
  for await (const part of opened.log.parts) {
    if (!part.ok) throw new Error(part.diagnostic.message);
    while (running.size >= parallel) await Promise.race(running);
    const given = typeof part.text === "string" ? part.text : new RawText(part.text);
    const one = session.call(fn, [given], { limits: { memoryMb: PART_MEMORY_MB } }).then((outcome) => {
      found += must(outcome) as number;
      part.release();
      running.delete(one);
    });
    running.add(one);
  }
  await Promise.all(running);
  return found;
}

async function peer(make: () => Promise<Peer | string>): Promise<void> {
  const found = await make();
  if (typeof found === "string") {
    console.log(`left out: ${found}`);
    return;
  }
  const one = async (): Promise<void> => {
    if ((await found.firstResult()) !== 1) throw new Error(`${found.name}: a wrong result`);
  };
  await one();
  note(found.name, START, await times(runs, one), "ms");
  if (found.fresh !== undefined) note(found.name, FRESH, await times(runs * 4, found.fresh), "ms");
  const { hot } = found;
  if (hot !== undefined) {
    await times(20, hot);
    const ms = await times(runs * 40, hot);
    note(found.name, HOT, ms, "ms");
    note(found.name, RATE, 1000 / ms, "");
  }
  if (found.memoryMb !== undefined) note(found.name, MEMORY, await found.memoryMb(), "MB");
  for (const [how, column] of [
    ["lines", LINES],
    ["columns", COLUMNS],
    ["whole", WHOLE],
  ] as const) {
    await scan(found.name, column, () => found.scan(text, how));
  }
  await found.close();
}

/** What the executable adds or saves: the launcher is the program itself. */
async function builtLauncher(): Promise<void> {
  const built = new URL("../../dist/atomsmith", import.meta.url).pathname;
  if (!(await Bun.file(built).exists())) {
    console.log("left out: the built executable (npm run build)");
    return;
  }
  const files = await prepareRuntime(() => {});
  const launch = jailedLaunch(files);
  if (launch === undefined) return;
  const { Child } = await import("../../sandbox/parent/child.ts");
  const command = [built, ...launch.command.slice(2)];
  const ms = await times(runs, async () => {
    const child = new Child({ ...launch, command });
    const death = await child.ready;
    if (death !== undefined) throw new Error(death.message);
    child.kill();
    await child.exited;
  });
  note("atomsmith executable, jailed child greets", START, ms, "ms");
}

await ours();
await inParts();
await builtLauncher();
for (const make of [nodeVmPeer, quickjsPeer, bunProcessPeer, nodeProcessPeer, pythonPeer]) await peer(make);

const columns = [START, FRESH, HOT, RATE, MEMORY, LINES, COLUMNS, WHOLE];
console.log(`\n| | ${columns.join(" | ")} |\n|---|${columns.map(() => "---|").join("")}`);
for (const [row, cells] of Object.entries(table)) {
  console.log(`| ${row} | ${columns.map((column) => cells[column] ?? "–").join(" | ")} |`);
}
if (process.argv.includes("--stress")) console.log("\nstress:", JSON.stringify(await runStress(5000)));
console.log(
  `\nload after: ${loadavg()
    .map((l) => l.toFixed(1))
    .join(" ")}`,
);
process.exit(0);
