// The queue of a fleet: its jobs, workers and limits, and the commands `queue retry` and `queue cancel`.
import { z } from "zod";
import type { FleetOverview, WorkerRow } from "../../contract/queue.ts";
import { hashJson } from "../../core/hash.ts";
import type { Fleet } from "../fleet.ts";
import { type Gauge, series } from "../http/metrics.ts";
import { type Route, route, type ServerContext, type ServerModule } from "../types.ts";
import { queueSchema } from "../wire/queue.ts";

const query = z.object({
  state: z.enum(["waiting", "running", "done", "dead", "cancelled"]).optional(),
  kind: z.enum(["item", "check", "job"]).optional(),
  project: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
const idParams = z.object({ id: z.uuid() });

export const queueModule: ServerModule = {
  watches: [{ event: "queue_changed", marks: queueMarks }],
  routes: [
    route({
      method: "get",
      path: "/api/queue",
      summary: "jobs (the newest first), workers and limits of the queue",
      tag: "queue",
      query,
      answer: queueSchema,
      handle: async ({ query: { state, kind, project, limit } }, { fleet }) => {
        const db = await fleet.database();
        const { listJobs } = await import("../../queue/index.ts");
        const listed = await listJobs(db, {
          kinds: kind === undefined ? [] : [kind],
          states: state === undefined ? [] : [state],
          ...(project === undefined ? {} : { project }),
          limit,
        });
        return { ...listed, ...(await overviewOf(fleet)) };
      },
    }),
    action("retry", "requeue a dead or cancelled job", z.object({ retried: z.int() })),
    action("cancel", "cancel a job, or remove it from the dead jobs", z.object({ cancelled: z.int() })),
  ],
};

/** `queue retry JOB`, `queue cancel JOB`. */
function action(name: "retry" | "cancel", summary: string, answer: z.ZodType): Route {
  return route({
    method: "post",
    path: `/api/queue/{id}/${name}`,
    summary,
    tag: "queue",
    params: idParams,
    body: z.strictObject({}).optional(),
    answer,
    handle: async ({ params }, { fleet, run, hub }) => {
      await fleet.database();
      try {
        return await run.act(["queue", name, "--", params.id], { flags: "program" });
      } finally {
        hub.publish({ type: "queue_changed", subject: params.id });
      }
    },
  });
}

async function overviewOf(fleet: Fleet): Promise<FleetOverview & { workers: WorkerRow[] }> {
  const db = await fleet.database();
  const { fleetOverview, listWorkers } = await import("../../queue/index.ts");
  const [overview, workers] = await Promise.all([fleetOverview(db), listWorkers(db)]);
  return { ...overview, workers };
}

/** Changes with jobs, workers and limits; heartbeats and ages count in steps of ten seconds. Undefined while no page is
 * open: then the database is not queried. */
async function queueMarks({ fleet, hub }: ServerContext): Promise<ReadonlyMap<string, string> | undefined> {
  if (!fleet.isConfigured) return new Map();
  if (!hub.isFollowed) return undefined;
  const { kinds, workers, ...rest } = await overviewOf(fleet);
  const step = (seconds: number | null): number | null =>
    seconds === null ? null : Math.floor(seconds / 10);
  const mark = hashJson([
    kinds.map((kind) => ({ ...kind, oldest_waiting_seconds: step(kind.oldest_waiting_seconds) })),
    workers.map((worker) => ({ ...worker, silent_seconds: step(worker.silent_seconds) })),
    rest,
  ]);
  return new Map([["queue", mark]]);
}

/** The gauges of the fleet; only `queue_up` when its database cannot be read, none without a queue. */
export async function queueGauges(fleet: Fleet): Promise<Gauge[]> {
  if (!fleet.isConfigured) return [];
  const now = await overviewOf(fleet).catch(() => undefined);
  const up = {
    name: "queue_up",
    help: "1 when the database of the queue answers",
    values: series([{ value: now === undefined ? 0 : 1 }]),
  };
  return now === undefined
    ? [up]
    : [up, ...jobGauges(now), ...workerGauges(now.workers), ...limitGauges(now)];
}

function jobGauges({ kinds, leases_lost }: FleetOverview): Gauge[] {
  const states = ["waiting", "running", "done", "dead", "cancelled"] as const;
  return [
    {
      name: "queue_jobs",
      help: "jobs of the queue by kind and state; dead jobs used all attempts",
      values: series(
        kinds.flatMap((row) =>
          states.map((state) => ({ labels: { kind: row.kind, state }, value: row[state] })),
        ),
      ),
    },
    {
      name: "queue_oldest_waiting_seconds",
      help: "age of the oldest waiting job; 0 without waiting jobs",
      values: series(
        kinds.map(({ kind, oldest_waiting_seconds }) => ({
          labels: { kind },
          value: oldest_waiting_seconds ?? 0,
        })),
      ),
    },
    {
      name: "queue_leases_lost",
      help: "lost attempts of the stored jobs: their worker stopped responding",
      values: series([{ value: leases_lost }]),
    },
  ];
}

function workerGauges(workers: readonly WorkerRow[]): Gauge[] {
  const sum = (of: (worker: WorkerRow) => number): Map<string, number> =>
    series([{ value: workers.reduce((total, worker) => total + of(worker), 0) }]);
  return [
    { name: "queue_workers", help: "live workers", values: sum(() => 1) },
    {
      name: "queue_workers_refusing",
      help: "workers that refuse the jobs of a submission",
      values: sum(({ refused }) => (refused === null ? 0 : 1)),
    },
    {
      name: "queue_worker_places",
      help: "maximum number of concurrent jobs of all workers",
      values: sum(({ concurrency }) => concurrency),
    },
    {
      name: "queue_worker_silent_seconds",
      help: "longest time since a heartbeat of a worker",
      values: series([
        { value: workers.reduce((most, { silent_seconds }) => Math.max(most, silent_seconds), 0) },
      ]),
    },
  ];
}

function limitGauges({ submissions, endpoints }: FleetOverview): Gauge[] {
  const of = (name: "cost_usd" | "max_cost_usd" | "tokens" | "max_tokens"): Map<string, number> =>
    series(
      submissions.flatMap(({ id: submission, project, kind, ...row }) => {
        const value = row[name];
        return value === null ? [] : [{ labels: { submission, project, kind }, value }];
      }),
    );
  return [
    { name: "queue_cost_usd", help: "cost of a submission with open jobs", values: of("cost_usd") },
    { name: "queue_cost_limit_usd", help: "limit of the submission, if set", values: of("max_cost_usd") },
    { name: "queue_tokens", help: "tokens of a submission with open jobs", values: of("tokens") },
    { name: "queue_token_limit", help: "limit of the submission, if set", values: of("max_tokens") },
    {
      name: "queue_calls",
      help: "active model calls by endpoint",
      values: series(endpoints.map(({ url, calls }) => ({ labels: { endpoint: url }, value: calls }))),
    },
    {
      name: "queue_endpoint_pause_seconds",
      help: "remaining pause requested by the endpoint",
      values: series(
        endpoints.map(({ url, paused_seconds }) => ({
          labels: { endpoint: url },
          value: paused_seconds ?? 0,
        })),
      ),
    },
  ];
}
