// `npm run bench -- worker-database [items]`: what an item of a batch costs in the database of a fleet: transactions by the
// counters of the server, and statements by its log, of one worker with four items at once and a model that answers at
// once. Polling is included: a slow machine has more of it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AT_ONCE, ENV, makeProject, removeProjects, scriptedModel } from "../loops/item/scripted.ts";
import { Fleet } from "../support/fleet.ts";
import { startModelServer } from "../support/model-server.ts";
import { batchArgs } from "../worker/chaos.ts";

/** Rarer statements are left out of the table. */
const LEAST = 0.5;
const SHOWN_CHARS = 110;

const items = Number(process.argv[2] ?? 100);
const model = startModelServer(scriptedModel(AT_ONCE));
const project = makeProject(
  model.url,
  Array.from({ length: items }, (_, i) => `CLK-${i + 1}`),
);
const fleet = await Fleet.start({ cwd: project.root, env: ENV });
try {
  await measure();
} finally {
  await fleet.stop();
  await model.stop();
  removeProjects();
}

async function measure(): Promise<void> {
  const { postgres } = fleet;
  await fleet.run(["queue", "ls"]);
  await postgres.query("ALTER SYSTEM SET logging_collector = on");
  await postgres.query("ALTER SYSTEM SET log_statement = 'all'");
  await postgres.query("ALTER SYSTEM SET log_line_prefix = '|'");
  await postgres.kill();
  await postgres.run();
  fleet.worker(["--config", project.config, "--concurrency", "4"]);
  while ((await postgres.query("SELECT 1 FROM atomsmith.worker")).length === 0) await Bun.sleep(100);
  const [row] = await postgres.query<{ dir: string }>("SELECT current_setting('data_directory') AS dir");
  const folder = join(row?.dir ?? "", "log");
  const [before, logged] = [await transactions(), logText(folder).length];
  const done = await fleet.run(batchArgs(project, "fleet"));
  if (done.code !== 0) throw new Error(done.stderr);
  const statements = statementsOf(logText(folder).slice(logged));
  const after = await transactions();
  const total = statements.reduce((sum, [, times]) => sum + times, 0);
  say(`${items} items, ${(JSON.parse(done.stdout).totals.duration_ms / items).toFixed(0)} ms each`);
  say(
    `${((after - before) / items).toFixed(1)} transactions and ${(total / items).toFixed(1)} statements each:`,
  );
  for (const [text, times] of statements) {
    if (times / items >= LEAST)
      say(`${(times / items).toFixed(1).padStart(6)} ${text.slice(0, SHOWN_CHARS)}`);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function transactions(): Promise<number> {
  // Counters of a process are written at most once a second.
  await Bun.sleep(1_500);
  const [row] = await fleet.postgres.query<{ commits: number }>(
    "SELECT xact_commit::float8 AS commits FROM pg_stat_database WHERE datname = current_database()",
  );
  return row?.commits ?? 0;
}

function logText(folder: string): string {
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}

/** Statements and how often they were run, the most frequent first. */
function statementsOf(log: string): [text: string, times: number][] {
  const counts = new Map<string, number>();
  for (const entry of log.split(/^\|/m)) {
    const text = /^LOG:\s+(?:execute [^:]*|statement): (.*)$/s.exec(entry)?.[1];
    if (text === undefined) continue;
    const known = text
      .replace(/\s+/g, " ")
      .replace(/^WITH held AS MATERIALIZED \(.*? FOR (SHARE|UPDATE)\)/, "held")
      .trim();
    counts.set(known, (counts.get(known) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}
