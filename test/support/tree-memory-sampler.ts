// The sampler process of tree-memory.ts: reads the memory of all descendants of a process every few milliseconds. A
// separate process, so that a busy event loop cannot hide a peak. Each line of its input starts a measurement and is
// answered when the next line ends it.
import { readFileSync, writeFileSync } from "node:fs";
import type { ProcessPeak, TreePeak } from "./tree-memory.ts";

const SAMPLE_MS = 4;
/** Reading the proportional size walks all pages of a process, so it is read less often. */
const PSS_EVERY = 5;
const KIB = 1024;

const root = Number(process.argv[2]);
const proportional = process.argv[3] === "proportional";

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // The process has ended.
  }
}

function kib(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0);
}

function descendants(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return children.filter((child) => child !== process.pid).flatMap((child) => [child, ...descendants(child)]);
}

let processes = new Map<number, ProcessPeak>();
let peak = { rss: 0, pss: 0 };
let samples = 0;

function sample(): void {
  let rss = 0;
  let pss = 0;
  const withPss = proportional && samples % PSS_EVERY === 0;
  samples += 1;
  for (const pid of [root, ...descendants(root)]) {
    const status = read(`/proc/${pid}/status`);
    const now = kib(status, "VmRSS") / KIB;
    rss += now;
    if (withPss) pss += kib(read(`/proc/${pid}/smaps_rollup`), "Pss") / KIB;
    const known = processes.get(pid) ?? { pid, first: now, peak: 0 };
    known.peak = Math.max(known.peak, kib(status, "VmHWM") / KIB);
    processes.set(pid, known);
  }
  peak = { rss: Math.max(peak.rss, rss), pss: Math.max(peak.pss, pss) };
}

function start(): void {
  for (const pid of [root, ...descendants(root)]) {
    try {
      // Resets the high-water mark to the present size.
      writeFileSync(`/proc/${pid}/clear_refs`, "5");
    } catch {
      // The process has ended.
    }
  }
  processes = new Map();
  peak = { rss: 0, pss: 0 };
  samples = 0;
  sample();
}

let measuring = false;
setInterval(() => {
  if (measuring) sample();
}, SAMPLE_MS);
for await (const line of console) {
  sample();
  measuring = line === "start";
  if (measuring) start();
  const report: TreePeak = { ...peak, root: processes.get(root), processes: [...processes.values()] };
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
process.exit(0);
