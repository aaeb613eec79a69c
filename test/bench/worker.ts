// `npm run bench -- worker [items]`: what a fleet costs and how it grows, all on this one machine. Claims: jobs without work
// through the queue, by 1, 2 and 4 processes. Overhead: items with a model that answers at once, by one worker and by
// `batch`. Growth: items with a model that takes half a second, by 1, 2 and 4 workers. Chaos: `items` (1,000) on three
// workers that are killed and stopped, with a database that is killed, compared with one machine.
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { FleetLimits, newSubmissionId, Queue, submitJobs } from "../../src/queue/index.ts";
import {
  AT_ONCE,
  atomsmith,
  ENV,
  makeProject,
  removeProjects,
  scriptedModel,
} from "../loops/item/scripted.ts";
import { Fleet } from "../support/fleet.ts";
import { startModelServer } from "../support/model-server.ts";
import { TestPostgres } from "../support/postgres.ts";
import { batchArgs, chaos, contentOf } from "../worker/chaos.ts";

const JOBS = 2_000;
const CALLS = 500;
const WORKERS = [1, 2, 4];

const [, , role, url = "", submissionId = ""] = process.argv;
if (role === "--claim") await claimAll(url);
else if (role === "--call") await callMany(url, submissionId);
else await main(Number(process.argv[2] ?? 1_000));

/** @param items of the chaos; 0 leaves it out */
async function main(items: number): Promise<void> {
  await claims();
  await overhead(40, 240);
  await growth(48);
  if (items > 0) await disturbed(items);
  removeProjects();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function openQueue(url: string): Promise<Queue> {
  return Queue.open(url, { application: "bench", connections: 4, maxAttempts: 5, warn: () => undefined });
}

async function claims(): Promise<void> {
  const postgres = await TestPostgres.start();
  const queue = await openQueue(postgres.url());
  const submission = {
    format: 1,
    kind: "check",
    project: "bench",
    host: "bench",
    program: "",
    config: {},
    root: { name: "/", hash: "" },
    own_files: [],
    seed: 0,
    command_flags: [],
    store: "postgres",
    options: {},
  } as const;
  for (const processes of WORKERS) {
    const jobs = Array.from({ length: JOBS }, (_, n) => ({
      subject: `${processes}-${n}`,
      inputs: "",
      payload: "{}",
      files: [],
      turns: [],
      checkpoint: undefined,
    }));
    let began = performance.now();
    await submitJobs(queue, newSubmissionId(), { ...submission, own_files: [], command_flags: [] }, jobs);
    const submitted = performance.now() - began;
    const children = Array.from({ length: processes }, () =>
      Bun.spawn([process.execPath, import.meta.path, "--claim", postgres.url()], { stdout: "pipe" }),
    );
    const texts = await Promise.all(children.map((child) => new Response(child.stdout).text()));
    const times = texts.map((text) => JSON.parse(text) as { began: number; ended: number; jobs: number });
    began = Math.min(...times.map((time) => time.began));
    const seconds = (Math.max(...times.map((time) => time.ended)) - began) / 1000;
    say(
      `claims: ${processes} processes, ${JOBS} jobs claimed and completed one by one in ${seconds.toFixed(1)} s: ${(JOBS / seconds).toFixed(0)} a second, ${((1000 * seconds * processes) / JOBS).toFixed(1)} ms each; submitted in ${(submitted / JOBS).toFixed(2)} ms each`,
    );
  }
  const id = newSubmissionId();
  await submitJobs(queue, id, { ...submission, own_files: [], command_flags: [] }, []);
  const children = Array.from({ length: 4 }, () =>
    Bun.spawn([process.execPath, import.meta.path, "--call", postgres.url(), id], { stdout: "pipe" }),
  );
  const texts = await Promise.all(children.map((child) => new Response(child.stdout).text()));
  const times = texts.map((text) => JSON.parse(text) as { began: number; ended: number });
  const seconds =
    (Math.max(...times.map((time) => time.ended)) - Math.min(...times.map((time) => time.began))) / 1000;
  say(
    `places for calls: 4 processes, one endpoint: ${((4 * CALLS) / seconds).toFixed(0)} taken and given back a second`,
  );
  await queue.close();
  await postgres.stop();
}

/** The child: takes and gives back places for calls to one endpoint. */
async function callMany(url: string, submission: string): Promise<void> {
  const queue = await openQueue(url);
  const limits = new FleetLimits({ queue, submission, worker: "bench", hold: async () => undefined });
  const call = {
    subject: undefined,
    endpoint: "http://model",
    maxCalls: 1_000,
    reserve: { tokens: 10, costUsd: 0.01 },
    signal: new AbortController().signal,
  };
  const began = Date.now();
  for (let i = 0; i < CALLS; i++) await (await limits.enter(call)).leave({ tokens: 20, costUsd: 0.02 });
  process.stdout.write(JSON.stringify({ began, ended: Date.now() }));
  await queue.close();
}

/** The child: claims and completes until nothing is left. */
async function claimAll(url: string): Promise<void> {
  const queue = await openQueue(url);
  const began = Date.now();
  let jobs = 0;
  for (;;) {
    const [job] = await queue.claim("check", 1, [], "bench");
    if (job === undefined) break;
    await queue.complete(job, "bench", "{}");
    jobs += 1;
  }
  process.stdout.write(JSON.stringify({ began, ended: Date.now(), jobs }));
  await queue.close();
}

/** Milliseconds per further item: what a start costs is the same for a small and a large batch. */
async function overhead(few: number, many: number): Promise<void> {
  const model = startModelServer(scriptedModel(AT_ONCE));
  const times = { alone: [0, 0], fleet: [0, 0] };
  for (const [at, items] of [few, many].entries()) {
    const ids = Array.from({ length: items }, (_, i) => `CLK-${i + 1}`);
    const project = makeProject(model.url, ids);
    const single = await atomsmith([...batchArgs(project, "alone"), "--concurrency", "4"], project.root);
    if (single.code !== 0) throw new Error(single.stderr);
    times.alone[at] = JSON.parse(single.stdout).totals.duration_ms;
    times.fleet[at] = (await timed(project, 1, 4, items)) * items;
  }
  await model.stop();
  const [alone, fleet] = [times.alone, times.fleet].map(
    ([first = 0, second = 0]) => (second - first) / (many - few),
  );
  say(
    `overhead: 4 items at once, each further item of ${few} to ${many}: ${alone?.toFixed(1)} ms by batch, ${fleet?.toFixed(1)} by one worker`,
  );
}

async function growth(items: number): Promise<void> {
  const script = scriptedModel(AT_ONCE);
  const model = startModelServer(async (request, number) => ({
    ...(await script(request, number)),
    delayMs: 500,
  }));
  for (const workers of WORKERS) {
    const ids = Array.from({ length: items }, (_, i) => `CLK-${i + 1}`);
    const project = makeProject(model.url, ids, "");
    const each = await timed(project, workers, 2, items);
    say(
      `growth: ${workers} workers, 2 items at once each, replies of 500 ms: ${(1000 / each).toFixed(2)} items a second`,
    );
  }
  await model.stop();
}

/** Milliseconds per item. */
async function timed(
  project: ReturnType<typeof makeProject>,
  workers: number,
  concurrency: number,
  items: number,
): Promise<number> {
  const fleet = await Fleet.start({ cwd: project.root, env: ENV });
  try {
    await fleet.run(["queue", "ls"]);
    const flags = ["--config", project.config, "--concurrency", String(concurrency)];
    for (let i = 0; i < workers; i++) fleet.worker(flags);
    while ((await fleet.postgres.query("SELECT 1 FROM atomsmith.worker")).length < workers)
      await Bun.sleep(100);
    const before = await written(fleet);
    const done = await fleet.run(batchArgs(project, "fleet"));
    if (done.code !== 0) throw new Error(done.stderr);
    const [rows] = await fleet.postgres.query<{ lines: number }>(
      "SELECT count(*)::float8 / $1 AS lines FROM atomsmith.journal",
      [items],
    );
    const after = await written(fleet);
    say(
      `database: an item takes ${((after.commits - before.commits) / items).toFixed(0)} transactions, ${((after.bytes - before.bytes) / items / 1024).toFixed(0)} KiB of write-ahead log and ${rows?.lines.toFixed(0)} lines of journal, polling included; ${after.connections} connections with ${workers} workers of ${concurrency}`,
    );
    return JSON.parse(done.stdout).totals.duration_ms / items;
  } finally {
    await fleet.stop();
  }
}

/** What the database has done so far. */
async function written(fleet: Fleet): Promise<{ commits: number; bytes: number; connections: number }> {
  // Counters of a process are written at most once a second.
  await Bun.sleep(1_500);
  const [row] = await fleet.postgres.query<{ commits: number; bytes: number; connections: number }>(
    `SELECT (SELECT xact_commit::float8 FROM pg_stat_database WHERE datname = current_database()) AS commits,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes,
       (SELECT count(*)::int FROM pg_stat_activity WHERE application_name = 'atomsmith') AS connections`,
  );
  if (row === undefined) throw new Error("the database gave no figures");
  return row;
}

async function disturbed(items: number): Promise<void> {
  const seed = Number(process.env["ATOMSMITH_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  say(`chaos: ${items} items, three workers, ATOMSMITH_SEED=${seed}`);
  const run = await chaos({
    items,
    workers: 3,
    concurrency: 4,
    seed,
    every: [3_000, 9_000],
    replyMs: 50,
    compare: true,
  });
  const out = (name: string): string => join(run.project.root, name, "out");
  const same = isDeepStrictEqual(contentOf(out("fleet")), contentOf(out("alone")));
  const { kills, stops, restarts, ms, requests, single, ended, states } = run;
  say(
    `chaos: exit ${ended.code}, ${JSON.stringify(states)}, ${(ms / 1000).toFixed(0)} s with ${kills} kills, ${stops} stops past the lease, ${restarts} restarts of PostgreSQL; results ${same ? "equal" : "DIFFER FROM"} those of one machine (${((single?.ms ?? 0) / 1000).toFixed(0)} s)`,
  );
  say(`chaos: ${requests} requests to the model, one machine made ${single?.requests}`);
  if (!same || ended.code !== 0) process.exitCode = 1;
}
