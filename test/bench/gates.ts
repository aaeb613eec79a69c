// `npm run bench -- gates`: the mutation suite (caught and missed by class of fault, false rejections, time per
// set) and the time of all gates on 200 KB and on 20 MB of logs. Options: --seed N, --only TEXT, --no-suite,
// --no-speed.
import { createSandbox } from "../../sandbox/index.ts";
import type { Sandbox } from "../../sandbox/types.ts";
import type { GateReport } from "../../src/contract/gates.ts";
import { sha256 } from "../../src/core/hash.ts";
import { runGates } from "../../src/gates/index.ts";
import type { LoadedText } from "../../src/logio/text.ts";
import { type Page, pagesOf } from "../mutation/pages.ts";
import { type CorrectSet, correctSets, wrongSets } from "../mutation/suite.ts";

const args = process.argv.slice(2);
const option = (name: string): string | undefined => args[args.indexOf(name) + 1];
const seed = args.includes("--seed") ? Number(option("--seed")) : 7;
const only = args.includes("--only") ? (option("--only") ?? "") : "";

const sandbox = await createSandbox({ require: "process", children: 2 }, () => {});
const correct = correctSets();
if (!args.includes("--no-suite")) await suite(sandbox);
if (!args.includes("--no-speed")) await speed(sandbox);
await sandbox.close();

function run(
  set: CorrectSet,
  sources: CorrectSet["sources"],
  logs: LoadedText[],
  page?: Page,
): Promise<GateReport> {
  const services = { sandbox, emit: () => {}, signal: new AbortController().signal };
  const { name, examples, declarations } = set;
  return runGates(
    { itemId: name, sources, logs, examples, declarations, searchRoot: "/", seed, ...page },
    services,
  );
}

async function suite(_: Sandbox): Promise<void> {
  const times: number[] = [];
  let rejected = 0;
  for (const set of correct.filter((s) => s.name.includes(only))) {
    const report = await run(set, set.sources, set.logs);
    times.push(report.duration_ms);
    if (report.valid) continue;
    rejected += 1;
    console.log(`FALSE REJECTION ${set.name}`);
    for (const e of report.errors) console.log(`    ${e.gate} ${e.code}: ${e.message}`);
  }
  let pages = 0;
  let refused = 0;
  for (const set of correct.filter((s) => s.name.includes(only))) {
    for (const page of pagesOf(set)) {
      pages += 1;
      const report = await run(set, set.sources, set.logs, page);
      if (report.valid) continue;
      refused += 1;
      console.log(`FALSE REJECTION ${set.name}, page ${page.name}`);
      for (const e of report.errors) console.log(`    ${e.gate} ${e.code}: ${e.message}`);
    }
  }
  const faults = new Map<string, { caught: number; missed: number }>();
  let caught = 0;
  const wrong = wrongSets(correct).filter((set) => set.name.includes(only));
  for (const set of wrong) {
    const report = await run(set.base, set.sources, set.logs);
    times.push(report.duration_ms);
    const row = faults.get(set.fault) ?? { caught: 0, missed: 0 };
    faults.set(set.fault, row);
    if (report.valid) {
      row.missed += 1;
      console.log(`MISSED ${set.fault}: ${set.name}`);
    } else {
      row.caught += 1;
      caught += 1;
    }
  }
  console.log("\nfault                 caught  missed");
  for (const [fault, row] of [...faults].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${fault.padEnd(22)}${String(row.caught).padStart(6)}${String(row.missed).padStart(8)}`);
  }
  console.log(
    `\n${caught} of ${wrong.length} wrong sets caught, ${rejected} of ${correct.length} correct sets rejected`,
  );
  console.log(`${refused} of ${pages} correct sets with a page rejected`);
  console.log(`median ${median(times)} ms a set, seed ${seed}`);
}

/** The log of each set, made longer by what stands in it, line by line. */
async function speed(_: Sandbox): Promise<void> {
  for (const [bytes, label, rounds] of [
    [200 * 1024, "200 KB", 3],
    [20 * 1024 * 1024, "20 MB", 1],
  ] as const) {
    const times: number[] = [];
    for (const set of correct.filter((s) => s.name.includes(only))) {
      if (bytes > 1e6 && !["tool-versions", "fanout-table", "flow-steps", "memory-slots"].includes(set.name))
        continue;
      const logs = set.logs.slice(0, 1).map((log) => grown(log, bytes));
      for (let i = 0; i < rounds; i++) {
        const report = await run(set, set.sources, logs);
        times.push(report.duration_ms);
      }
    }
    console.log(
      `${label} of logs: median ${median(times)} ms, slowest ${Math.max(...times)} ms (${times.length} runs)`,
    );
  }
}

function grown(log: LoadedText, bytes: number): LoadedText {
  const filler = log.text
    .split("\n")
    .map((line) => `. ${line.replace(/\S/g, (c) => (/[a-z]/.test(c) ? "u" : c))} `);
  const block = `${filler.join("\n")}\n`;
  const text = log.text + block.repeat(Math.ceil((bytes - log.text.length) / block.length));
  return { ...log, text, bytes: text.length, sha256: sha256(text) };
}

function median(list: readonly number[]): number {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
