// Thousands of mixed calls, a tenth of them hostile, against one sandbox; then counts what is left over.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSandbox } from "../../sandbox/index.ts";
import type { AtomSession, Outcome, Sandbox } from "../../sandbox/types.ts";

export interface StressReport {
  calls: number;
  hostile: number;
  /** Good calls whose answer was not the right one. */
  wrong: string[];
  /** Hostile calls by outcome. */
  outcomes: Record<string, number>;
  /** Children of this process that are left, and growth of open files, after the sandbox was closed. */
  processesLeft: number;
  filesGrowth: number;
  /** Growth of this process's resident memory, MB, from after the first tenth to the end. */
  memoryGrowthMb: number;
  seconds: number;
}

const folder = join(import.meta.dirname, "atoms");
const GOOD = `
function extract_context(text, source_file) {
  const out = [];
  let n = 0;
  for (const line of text.split("\\n")) {
    n += 1;
    const m = re.search("slack \\\\((?P<state>VIOLATED|MET)\\\\) (?P<value>-?\\\\d+\\\\.\\\\d+)", line);
    if (m !== null) out.push({ value: m.group("value"), source_file, line_number: n, matched_content: line, parsed_fields: m.groupdict() });
  }
  return out;
}`;

/** Runs `calls` calls, four at a time. The order of hostile ones follows from `seed`. */
export async function runStress(calls: number, seed = 1): Promise<StressReport> {
  const started = performance.now();
  const filesBefore = openFiles();
  const sandbox = await createSandbox({ require: "process", children: 4 }, () => {});
  const good = await sandbox.open({ name: "good.js", source: GOOD });
  const report: StressReport = {
    calls,
    hostile: 0,
    wrong: [],
    outcomes: {},
    processesLeft: 0,
    filesGrowth: 0,
    memoryGrowthMb: 0,
    seconds: 0,
  };
  const names = readdirSync(folder).sort();
  let state = seed;
  const random = (below: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  let next = 0;
  let memoryEarly = 0;
  const worker = async (): Promise<void> => {
    while (next < calls) {
      const i = next;
      next += 1;
      if (i === Math.floor(calls / 10)) memoryEarly = residentMb();
      if (random(10) === 0) {
        report.hostile += 1;
        const name = names[random(names.length)] ?? "";
        const outcome = await runHostile(sandbox, name);
        const kind = outcome.ok ? "ok" : outcome.error.kind;
        report.outcomes[kind] = (report.outcomes[kind] ?? 0) + 1;
      } else {
        const fault = await runGood(good, i, random(20) === 0);
        if (fault !== undefined) report.wrong.push(fault);
      }
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  await sandbox.close();
  report.processesLeft = childProcesses();
  report.filesGrowth = openFiles() - filesBefore;
  Bun.gc(true);
  report.memoryGrowthMb = Math.round(residentMb() - memoryEarly);
  report.seconds = Math.round((performance.now() - started) / 100) / 10;
  return report;
}

async function runHostile(sandbox: Sandbox, name: string): Promise<Outcome> {
  const session = await sandbox.open({ name, source: readFileSync(join(folder, name), "utf8") });
  const limits = { timeoutMs: 250, memoryMb: 64, maxResultBytes: 2_000_000, maxRecords: 100_000 };
  const outcome = await session.call("run", [], { limits });
  await session.close();
  return outcome;
}

async function runGood(good: AtomSession, i: number, fresh: boolean): Promise<string | undefined> {
  const text = `head\nslack (VIOLATED) -${i}.25\nslack (MET) ${i}.5\ntail`;
  const outcome = await good.call("extract_context", [text, `f${i}.log`], { fresh });
  if (!outcome.ok) return `${i}: ${outcome.error.kind} ${outcome.error.message}`;
  const values = (outcome.value as { value: string; source_file: string }[]).map(
    (r) => `${r.value} ${r.source_file}`,
  );
  const expected = [`-${i}.25 f${i}.log`, `${i}.5 f${i}.log`];
  return JSON.stringify(values) === JSON.stringify(expected) ? undefined : `${i}: ${JSON.stringify(values)}`;
}

/** -1 where the system does not tell. */
function openFiles(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : -1;
}

function childProcesses(): number {
  if (process.platform !== "linux") return 0;
  let count = 0;
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const status = readFileSync(`/proc/${pid}/stat`, "utf8");
      const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
      if (Number(fields[1]) === process.pid) count += 1;
    } catch {
      // It ended meanwhile.
    }
  }
  return count;
}

function residentMb(): number {
  return process.memoryUsage().rss / 1e6;
}
