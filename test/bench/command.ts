// `npm run bench -- command`: what a command costs in the jail beside a plain start of the same program.
// Medians of times from the call to the result, in one run. From the sources, as tests run it.
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { type CommandOptions, runCommand } from "../../sandbox/command.ts";

const RUNS = 25;
const folder = mkdtempSync(join(tmpdir(), "atomsmith-bench-command-"));
const repo = mkdtempSync(join(folder, "repo-"));
const options: Omit<CommandOptions, "jail"> = {
  argv: ["true"],
  cwd: repo,
  readable: "system",
  writable: [repo],
  privateTmp: true,
  network: false,
  limits: { timeMs: 20_000, outputBytes: 10_000 },
  stdout: join(folder, "out"),
  stderr: join(folder, "err"),
};

async function median(run: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < RUNS; i += 1) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return `${(times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN).toFixed(1)} ms`;
}

console.log(`load ${loadavg()[0]?.toFixed(1)}`);
console.log(`plain start: ${await median(() => Bun.spawn(["true"], { cwd: repo }).exited)}`);
console.log(`supervised, no jail: ${await median(() => runCommand({ ...options, jail: "off" }))}`);
console.log(`in the jail: ${await median(() => runCommand({ ...options, jail: "preferred" }))}`);
rmSync(folder, { recursive: true, force: true });
