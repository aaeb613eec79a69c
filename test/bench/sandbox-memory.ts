// `npm run bench -- sandbox-memory [NAME]`: peak memory of the sandbox for atoms that use much of it, with the default
// limits: of the child, and by how much this process grows. NAME selects shapes by a part of their names.
import { createSandbox } from "../../sandbox/index.ts";
import { DEFAULT_CALL_LIMITS } from "../../sandbox/types.ts";
import { ENDLESS, LARGE_RESULTS, legalShapes, type Shape } from "../hostile/memory/shapes.ts";
import { TreeMemory } from "../support/tree-memory.ts";

const TIMEOUT_MS = 10_000;
const LEGAL_SHARE = 0.8;

const { memoryMb } = DEFAULT_CALL_LIMITS;
const memory = new TreeMemory({ proportional: true });
const sandbox = await createSandbox(
  { require: "process", children: 1, limits: { timeoutMs: TIMEOUT_MS } },
  () => {},
);

async function measure({ name, source }: Shape): Promise<void> {
  const session = await sandbox.open({ name: "atom.js", source });
  Bun.gc(true);
  await memory.start();
  const started = performance.now();
  const outcome = await session.call("run", []);
  const ms = performance.now() - started;
  const { root, processes, rss, pss } = await memory.stop();
  await session.close();
  const child = Math.max(...processes.filter(({ pid }) => pid !== root?.pid).map(({ peak }) => peak));
  const grown = (root?.peak ?? 0) - (root?.first ?? 0);
  const numbers = [child, grown, rss, pss, ms].map((value) => value.toFixed(0));
  console.log(`| ${[name, ...numbers, outcome.ok ? "ok" : outcome.error.kind].join(" | ")} |`);
}

console.log(
  `| limit ${memoryMb} MiB | child, MiB | parent grows by, MiB | tree RSS | tree PSS | ms | outcome |`,
);
console.log("|---|---|---|---|---|---|---|");
const wanted = process.argv[2] ?? "";
const legal = legalShapes(LEGAL_SHARE * memoryMb * 2 ** 20);
for (const shape of [...legal, ...ENDLESS, ...LARGE_RESULTS]) {
  if (shape.name.includes(wanted)) await measure(shape);
}
await sandbox.close();
await memory.close();
