// The agent loop without a model: time of a turn beside the reply, size of requests over a long job.
//   npm run bench -- agent [TODOS per phase] [PHASES]
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jobScript } from "../loops/agent/script.ts";
import { cliJson } from "../support/cli.ts";
import { startModelServer } from "../support/model-server.ts";

const [todos = "20", phases = "25"] = process.argv.slice(2);
const cwd = mkdtempSync(join(tmpdir(), "atomsmith-bench-agent-"));
let answering = 0;
const usual = jobScript({ phases: Array.from({ length: Number(phases) }, () => Number(todos)) });
const server = startModelServer((request) => {
  const began = performance.now();
  const reply = usual(request);
  answering += performance.now() - began;
  return reply;
});
const config = join(cwd, "agent.json");
await Bun.write(config, JSON.stringify({ $extends: "researcher", limits: { max_iterations: 100_000 } }));
const model = [
  "-c",
  `llm.agent.base_url=${server.url}`,
  "-c",
  "llm.agent.model=gpt-4o",
  "-c",
  "execution.enable_streaming=false",
];
const began = performance.now();
const cpu = process.cpuUsage();
const { code, document } = await cliJson(
  [
    "agent",
    "run",
    "--config",
    config,
    "--description",
    "bench",
    "--job-id",
    "b",
    "--events",
    "events.jsonl",
    ...model,
  ],
  { cwd },
);
const ms = performance.now() - began - answering;
const { user, system } = process.cpuUsage(cpu);
await server.stop();
const events = readFileSync(join(cwd, "events.jsonl"), "utf8").trim().split("\n");
const all = events.map((line) => JSON.parse(line) as Record<string, number | string>);
const sizes = all.filter(({ type }) => type === "context").map((event) => Number(event["total_tokens"]));
const http = all
  .filter(({ type }) => type === "model_call_finished")
  .reduce((sum, event) => sum + Number(event["duration_ms"]), 0);
const turns = server.requests.length;
const done = all.filter(({ type }) => type === "todo_finished").length;
console.log(
  `exit ${code}, status ${(document as { status: string }).status}, ${turns} requests, ${done} todos`,
);
console.log(
  `${(ms / turns).toFixed(1)} ms per turn, ${((ms - http) / turns).toFixed(1)} ms of them without the HTTP exchange`,
);
console.log(`${((user + system) / 1000 / turns).toFixed(1)} ms of processor per turn, the server included`);
const step = Math.max(1, Math.ceil(sizes.length / 40));
for (let at = 0; at < sizes.length; at += step) {
  const most = Math.max(...sizes.slice(at, at + step));
  console.log(
    `${String(at + 1).padStart(5)}  ${String(most).padStart(6)} tokens  ${"#".repeat(Math.ceil(most / 200))}`,
  );
}
rmSync(cwd, { recursive: true, force: true });
