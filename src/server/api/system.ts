// Health, readiness, state and metrics of the server, and the session of a browser.
import { z } from "zod";
import type { Config } from "../../config/schema.ts";
import { VERSION } from "../../core/version.ts";
import { listAgentJobs } from "../agents/jobs.ts";
import { projectIds, projectRow } from "../design/projects.ts";
import { series } from "../http/metrics.ts";
import { refusal } from "../http/problem.ts";
import { addUsage, JOB_STATES, usageSchema } from "../jobs/record.ts";
import { route, type ServerContext, type ServerModule } from "../types.ts";
import { type Status, statusSchema } from "../wire/status.ts";
import { queueGauges } from "./queue.ts";

async function statusOf(
  { options, items, jobs, fleet, startedAt }: ServerContext,
  streams: number,
): Promise<Status> {
  const list = jobs.list();
  const byState: Record<string, number> = {};
  for (const state of JOB_STATES) byState[state] = 0;
  for (const { state } of list) byState[state] = (byState[state] ?? 0) + 1;
  return {
    version: VERSION,
    started_at: new Date(startedAt).toISOString(),
    items: { ...items.byState },
    jobs: byState,
    last_check: list.find(({ kind, state }) => kind === "check" && state === "finished")?.id ?? null,
    search_root: options.config.paths.search_root,
    kinds: [...jobs.kinds.values()].map(({ name, summary }) => ({ name, summary })),
    usage: list.map(({ usage }) => usage).reduce(addUsage, usageSchema.parse(undefined)),
    waiting: await waitingIn(options.config),
    queue: fleet.isConfigured,
    streams,
  };
}

/** Projects and agents that need a decision. Unreadable ones are reported by their own views. */
async function waitingIn(config: Config): Promise<Status["waiting"]> {
  const projects = await Promise.all(projectIds(config).map((id) => projectRow(config, id)));
  const designs = projects.flatMap(({ id, waiting_patches, waiting_run }) => {
    if (waiting_patches > 0) return [{ kind: "design" as const, id, what: "a patch" }];
    return waiting_run ? [{ kind: "design" as const, id, what: "a run" }] : [];
  });
  const agents = listAgentJobs(config)
    .filter(({ status }) => status === "waiting")
    .map(({ job_id, message }) => ({
      kind: "agent" as const,
      id: job_id,
      what: message.split("\n")[0]?.slice(0, 200) ?? "",
    }));
  return [...designs, ...agents];
}

export function systemModule(
  streams: () => number,
  login: (token: string) => string | undefined,
): ServerModule {
  return {
    routes: [
      route({
        method: "get",
        path: "/health",
        summary: "the process answers",
        tag: "system",
        open: true,
        answer: z.object({ status: z.literal("ok"), version: z.string() }),
        handle: () => ({ status: "ok", version: VERSION }),
      }),
      route({
        method: "get",
        path: "/ready",
        summary: "items are loaded and jobs can be started",
        tag: "system",
        open: true,
        answer: z.object({ status: z.literal("ready") }),
        handle: (_, { hub }) => {
          if (hub.isEnded) throw refusal(503, "the server is stopping");
          return { status: "ready" };
        },
      }),
      route({
        method: "get",
        path: "/status",
        summary: "numbers of items and jobs",
        tag: "system",
        answer: statusSchema,
        handle: (_, context) => statusOf(context, streams()),
      }),
      route({
        method: "get",
        path: "/metrics",
        summary: "the same, requests and the queue of the fleet, for Prometheus",
        tag: "system",
        answer: { mediaType: "text/plain; version=0.0.4", description: "metrics" },
        handle: (_, context) => metricsResponse(context, streams()),
      }),
      route({
        method: "post",
        path: "/api/session",
        summary: "exchange the token for a cookie of this browser",
        tag: "system",
        open: true,
        body: z.strictObject({ token: z.string().max(1000) }),
        answer: z.object({ ok: z.literal(true) }),
        handle: ({ body }) => {
          const cookie = login(body.token);
          if (cookie === undefined) throw refusal(401, "wrong token");
          return Response.json({ ok: true }, { headers: { "set-cookie": cookie } });
        },
      }),
    ],
  };
}

async function metricsResponse(context: ServerContext, streams: number): Promise<Response> {
  const { items, jobs } = await statusOf(context, streams);
  const seconds = Math.round((Date.now() - context.startedAt) / 1000);
  const byState = (values: Record<string, number>) =>
    series(Object.entries(values).map(([state, value]) => ({ labels: { state }, value })));
  const single = (value: number) => series([{ value }]);
  const text = context.metrics.text([
    { name: "items", help: "items by state", values: byState(items) },
    { name: "jobs", help: "jobs by state", values: byState(jobs) },
    { name: "event_streams", help: "open event streams", values: single(streams) },
    { name: "events_published", help: "events published to clients", values: single(context.hub.newest) },
    { name: "memory_bytes", help: "resident memory", values: single(process.memoryUsage.rss()) },
    { name: "uptime_seconds", help: "since the start", values: single(seconds) },
    ...(await queueGauges(context.fleet)),
  ]);
  return new Response(text, { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } });
}
