// How fast the built executable starts: npm run bench -- startup [RUNS]. Medians of whole processes, in ms.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { executable } from "../support/executable.ts";

const runs = Number(process.argv[2] ?? 30);
const bin = executable();
const cwd = mkdtempSync(join(tmpdir(), "atomsmith-bench-"));
writeFileSync(join(cwd, "own.yaml"), "execution: {concurrency: 2}\n");
const lines: [string, string[]][] = [
  ["--version", ["--version"]],
  ["--help", ["--help"]],
  ["config show", ["config", "show"]],
  ["status", ["status"]],
  ["status, with a file", ["status", "--config", "own.yaml"]],
  ["check --help", ["check", "--help"]],
  ["an unknown command", ["chekc"]],
];

console.log(`${cpus()[0]?.model ?? "?"}, ${cpus().length} cores, ${runs} runs each`);
for (const [name, args] of lines) {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const started = performance.now();
    Bun.spawnSync([bin, ...args], { cwd, env: { HOME: cwd }, stdout: "ignore", stderr: "ignore" });
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  console.log(`${name.padEnd(20)} median ${median.toFixed(1)} ms, fastest ${(times[0] ?? 0).toFixed(1)} ms`);
}
rmSync(cwd, { recursive: true, force: true });
