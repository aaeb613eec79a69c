// What the conversation layer costs: overhead per item with the model's time taken out, and throughput of 200
// items over 16 slots against a server with 50 ms latency. The server is a process of its own.
// Usage: npm run bench -- llm [ITEMS] [SLOTS] [LATENCY_MS]

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuthor } from "../../src/author/index.ts";
import { AUTHOR_ROLES } from "../../src/author/roles.ts";
import { configSchema } from "../../src/config/schema.ts";
import { createLlmServices, turnLogOver } from "../../src/llm/index.ts";
import { TurnFile } from "../../src/store/turns.ts";
import { createFileTools, toolLimits } from "../../src/tools/index.ts";
import { GOOD_A, GOOD_CONFIG, LOGIC, PARSING, STA_LOG } from "../support/author.ts";
import { startModelServer } from "../support/model-server.ts";
import { programAccess } from "../support/program-access.ts";
import { GOOD_ATOM_B, GOOD_ATOM_C, readThenSubmit, scriptedAuthor } from "../support/scripted-author.ts";

const CALLS_PER_ITEM = 4;

if (process.argv[2] === "--serve") serve(Number(process.argv[3]));
else await bench();

function serve(latencyMs: number): void {
  const script = scriptedAuthor({
    agent_a: readThenSubmit(["*.log"], {
      code: GOOD_A,
      input_files: ["sta.log"],
      log_summary: "one path per line",
    }),
    agent_b: [
      {
        tool_calls: [
          {
            name: "submit_logic",
            arguments: { atom_b: GOOD_ATOM_B, atom_c: GOOD_ATOM_C, config: GOOD_CONFIG },
          },
        ],
      },
    ],
  });
  const server = startModelServer(async (request, n) => ({
    ...(await script(request, n)),
    delayMs: latencyMs,
    chunkChars: 200,
  }));
  process.stdout.write(`${server.url}\n`);
}

interface Setup {
  url: string;
  root: string;
  slots: number;
}

/** One item from its first message to its config; returns milliseconds. */
async function oneItem(id: string, setup: Setup, shared: ReturnType<typeof services>): Promise<number> {
  const started = performance.now();
  const file = await TurnFile.open(join(setup.root, "cache", "item", id, "agent_turns.jsonl"));
  const emit = (): void => undefined;
  const tools = createFileTools({
    searchRoot: join(setup.root, "logs"),
    limits: toolLimits(shared.config.tool_constraints),
    hidden: [],
    emit,
    scope: "item",
  });
  const author = createAuthor(shared.config, {
    turns: turnLogOver(file),
    services: shared.services,
    searchRoot: join(setup.root, "logs"),
  });
  const context = {
    tools,
    emit,
    signal: new AbortController().signal,
    deadline: Number.POSITIVE_INFINITY,
    hints: [],
    item_id: id,
    iteration: 1,
    ...programAccess(join(setup.root, "logs")),
  };
  const a = await author.agentA({ ...PARSING, item_id: id }, context);
  if (a.kind !== "draft") throw new Error(a.reasons.join("; "));
  const extraction = { records: 2, files: 1, fields: {}, value_shapes: [] };
  const b = await author.agentB({ ...LOGIC, item_id: id }, a.atom_a, extraction, context);
  if (b.kind !== "draft") throw new Error(b.reasons.join("; "));
  file.close();
  return performance.now() - started;
}

function services(setup: Setup) {
  const role = { provider: "openai", model: "scripted", base_url: setup.url };
  const config = configSchema.parse({
    llm: { agent_a: role, agent_b: role, reflect: role, max_concurrency: setup.slots },
  });
  return {
    config,
    services: createLlmServices(config, { env: {}, emit: () => undefined, roles: AUTHOR_ROLES }),
  };
}

async function bench(): Promise<void> {
  const [items = 200, slots = 16, latency = 50] = process.argv.slice(2).map(Number);
  const root = mkdtempSync(join(tmpdir(), "atomsmith-bench-llm-"));
  mkdirSync(join(root, "logs"));
  writeFileSync(join(root, "logs/sta.log"), STA_LOG);
  const child = Bun.spawn([process.execPath, import.meta.path, "--serve", String(latency)], {
    stdout: "pipe",
  });
  try {
    const { value } = await child.stdout.getReader().read();
    const setup: Setup = { url: new TextDecoder().decode(value).trim(), root, slots };
    const shared = services(setup);
    await oneItem("warm-up", setup, shared);

    const alone: number[] = [];
    for (let i = 0; i < 15; i += 1) alone.push(await oneItem(`alone-${i}`, setup, shared));
    alone.sort((a, b) => a - b);
    const median = alone[Math.floor(alone.length / 2)] ?? 0;

    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    const before = process.cpuUsage();
    const started = performance.now();
    await Promise.all(Array.from({ length: items }, (_, i) => oneItem(`item-${i}`, setup, shared)));
    const took = performance.now() - started;
    const cpu = process.cpuUsage(before);
    clearInterval(watch);
    const ideal = (items * CALLS_PER_ITEM * latency) / slots;

    console.log(
      `overhead per item, model time excluded   median ${(median - CALLS_PER_ITEM * latency).toFixed(0)} ms`,
    );
    console.log(`${items} items, ${CALLS_PER_ITEM} calls each, ${slots} slots, ${latency} ms latency`);
    console.log(
      `  ideal ${(ideal / 1000).toFixed(2)} s, took ${(took / 1000).toFixed(2)} s: ${((100 * ideal) / took).toFixed(0)} % of the ideal throughput`,
    );
    console.log(
      `  processor time ${((cpu.user + cpu.system) / 1e6).toFixed(2)} s, peak memory ${(peak / 2 ** 20).toFixed(0)} MB`,
    );
  } finally {
    child.kill();
    rmSync(root, { recursive: true, force: true });
  }
}
