// Chaos on a fleet: items with a scripted model, workers killed and stopped past their lease, PostgreSQL killed and started
// again, at random moments. Used by the test in a small size and by the bench in full.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  AT_ONCE,
  atomsmith,
  ENV,
  makeProject,
  type Plan,
  type Project,
  scriptedModel,
} from "../loops/item/scripted.ts";
import { type Ended, Fleet, type FleetWorker } from "../support/fleet.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";

/** Longer than the heartbeat that the queue demands. */
const PAST_LEASE_MS = 13_000;

export interface ChaosOptions {
  items: number;
  workers: number;
  concurrency: number;
  seed: number;
  /** Milliseconds between two disturbances: uniform between these. */
  every: [least: number, most: number];
  /** Disturbances at most; the fleet is left alone afterwards. */
  most?: number;
  /** Milliseconds that the model takes for a reply. */
  replyMs: number;
  plan?: Plan;
  /** Also runs the batch on one machine, for comparison. */
  compare: boolean;
  program?: readonly string[];
  /** Told when the fleet runs. */
  onStart?: (fleet: Fleet) => void;
}

export interface ChaosResult {
  ended: Ended;
  kills: number;
  stops: number;
  restarts: number;
  ms: number;
  /** Requests that the model got from the fleet. */
  requests: number;
  /** The same batch on one machine. */
  single: { ended: Ended; requests: number; ms: number } | undefined;
  project: Project;
  /** All that workers wrote to stderr. */
  errors: string;
  states: Record<string, number>;
}

/** A generator of numbers in [0, 1) that a seed repeats. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function slowModel(plan: Plan, replyMs: number): ModelServer {
  const script = scriptedModel(plan);
  return startModelServer(async (request, number) => ({
    ...(await script(request, number)),
    delayMs: replyMs,
  }));
}

function batchArgs(project: Project, name: string): string[] {
  return [
    "batch",
    project.specs,
    ...["--config", project.config, "--search-root", project.logs, "--seed", "7"],
    ...["--out", join(project.root, name, "out"), "--cache", join(project.root, name, "cache"), "--json"],
  ];
}

/** Files of all sets; the moment of making is not part of what was made. */
export function contentOf(out: string): Record<string, unknown> {
  const content: Record<string, unknown> = {};
  for (const id of readdirSync(out).sort()) {
    if (id.startsWith(".")) continue;
    for (const name of readdirSync(join(out, id)).sort()) {
      const text = readFileSync(join(out, id, name), "utf8");
      content[`${id}/${name}`] = name === "manifest.json" ? { ...JSON.parse(text), created_at: "" } : text;
    }
  }
  return content;
}

/** Runs a batch on a fleet under chaos to its end. */
export async function chaos(options: ChaosOptions): Promise<ChaosResult> {
  const random = randomOf(options.seed);
  const model = slowModel(options.plan ?? AT_ONCE, options.replyMs);
  const ids = Array.from({ length: options.items }, (_, i) => `CLK-${i + 1}`);
  // A job that loses its worker again and again is no poison here.
  const project = makeProject(model.url, ids, "queue: {max_attempts: 50}\n");
  const { program } = options;
  const fleet = await Fleet.start({ cwd: project.root, env: ENV, ...(program ? { program } : {}) });
  options.onStart?.(fleet);
  const began = performance.now();
  const flags = ["--config", project.config, "--concurrency", String(options.concurrency)];
  try {
    const workers = Array.from({ length: options.workers }, () => fleet.worker(flags));
    const monkey = new Monkey(fleet, workers, random, options);
    const batch = fleet.run(batchArgs(project, "fleet")).finally(() => monkey.end());
    const ended = (await Promise.all([batch, monkey.run()]))[0];
    const ms = performance.now() - began;
    const requests = model.requests.length;
    const rows = await fleet.postgres.query<{ state: string; jobs: number }>(
      "SELECT state, count(*)::int AS jobs FROM atomsmith.job GROUP BY state",
    );
    return {
      ended,
      kills: monkey.kills,
      stops: monkey.stops,
      restarts: monkey.restarts,
      ms,
      requests,
      single: options.compare ? await alone(project, model) : undefined,
      project,
      errors: workers.map((worker) => worker.errors).join(""),
      states: Object.fromEntries(rows.map((row) => [row.state, row.jobs])),
    };
  } finally {
    await fleet.stop();
    await model.stop();
  }
}

async function alone(project: Project, model: ModelServer): Promise<ChaosResult["single"]> {
  const [before, began] = [model.requests.length, performance.now()];
  const { stdout, stderr, code } = await atomsmith(batchArgs(project, "alone"), project.root);
  return {
    ended: { stdout, stderr, code },
    requests: model.requests.length - before,
    ms: performance.now() - began,
  };
}

/** Disturbs a fleet until it is told to end, and leaves it running. */
class Monkey {
  kills = 0;
  stops = 0;
  restarts = 0;
  private ended = false;
  private readonly stopped = new Set<FleetWorker>();
  private readonly fleet: Fleet;
  private readonly workers: readonly FleetWorker[];
  private readonly random: () => number;
  private readonly every: [least: number, most: number];
  private readonly most: number;

  constructor(
    fleet: Fleet,
    workers: readonly FleetWorker[],
    random: () => number,
    { every, most }: Pick<ChaosOptions, "every" | "most">,
  ) {
    this.most = most ?? Number.POSITIVE_INFINITY;
    this.fleet = fleet;
    this.workers = workers;
    this.random = random;
    this.every = every;
  }

  async run(): Promise<void> {
    const waking: Promise<void>[] = [];
    const [least, most] = this.every;
    await this.sleep(least);
    while (!this.ended && this.kills + this.stops + this.restarts < this.most) {
      const what = this.random();
      // Every kind of disturbance happens in the first three, whatever the seed.
      const turn = this.kills + this.stops + this.restarts;
      if (turn === 1 || (turn > 2 && what < 0.2)) await this.restartPostgres();
      else if (turn === 0 || (turn > 2 && what < 0.45)) waking.push(this.stopOne());
      else await this.killOne();
      for (const worker of this.workers) worker.restart();
      await this.sleep(least + this.random() * (most - least));
    }
    await Promise.all(waking);
  }

  end(): void {
    this.ended = true;
  }

  private async killOne(): Promise<void> {
    const running = this.workers.filter((worker) => worker.isRunning && !this.stopped.has(worker));
    const one = running[Math.floor(this.random() * running.length)];
    if (one === undefined) return;
    this.kills += 1;
    await one.kill();
  }

  /** Stops a worker past its lease; it goes on afterwards and must do no harm. */
  private async stopOne(): Promise<void> {
    const one = this.workers.find((worker) => worker.isRunning && !this.stopped.has(worker));
    // One at least keeps working.
    if (one === undefined || this.stopped.size + 1 >= this.workers.length) return;
    this.stops += 1;
    this.stopped.add(one);
    one.signal("SIGSTOP");
    await this.sleep(PAST_LEASE_MS);
    one.signal("SIGCONT");
    this.stopped.delete(one);
  }

  private async restartPostgres(): Promise<void> {
    this.restarts += 1;
    await this.fleet.postgres.kill();
    await Bun.sleep(this.random() * 500);
    await this.fleet.postgres.run();
  }

  private async sleep(ms: number): Promise<void> {
    const until = performance.now() + ms;
    while (!this.ended && performance.now() < until) await Bun.sleep(Math.min(50, until - performance.now()));
  }
}
