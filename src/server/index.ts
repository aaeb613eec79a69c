// `atomsmith serve`: assembles the parts, listens, and shuts down in order. Each loop adds one module to `MODULES`.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { AtomsmithError } from "../core/errors.ts";
import { takeLock } from "../store/index.ts";
import { agentsModule } from "./api/agents.ts";
import { checksModule } from "./api/checks.ts";
import { designModule } from "./api/design/index.ts";
import { eventsModule } from "./api/events.ts";
import { factoryModule } from "./api/factory.ts";
import { itemsModule } from "./api/items.ts";
import { jobsModule } from "./api/jobs.ts";
import { labelModule } from "./api/label.ts";
import { queueModule } from "./api/queue.ts";
import { systemModule } from "./api/system.ts";
import { Checks } from "./checks.ts";
import { Hub } from "./events/hub.ts";
import { Streams } from "./events/stream.ts";
import { Fleet } from "./fleet.ts";
import { createApp, type Extra, MAX_BODY_BYTES } from "./http/app.ts";
import { Guard, isLoopback, shownHost } from "./http/guard.ts";
import { Metrics } from "./http/metrics.ts";
import { openApiDocument } from "./http/openapi.ts";
import { Items } from "./items/items.ts";
import { Jobs } from "./jobs/jobs.ts";
import { ITEM_KINDS } from "./jobs/kinds.ts";
import { Labels } from "./labels.ts";
import { Folders, hiddenBelow, Logs } from "./logs.ts";
import { loadPage, pageAnswers } from "./pages.ts";
import { ProgramRunner } from "./program.ts";
import type { ServeOptions, ServerContext, ServerModule } from "./types.ts";
import { startWatches } from "./watches.ts";

/** Seconds without a byte after which a connection is closed; a stream sends one every 10. */
const IDLE_SECONDS = 30;
const MAX_STREAMS = 500;

/** Routes and kinds of jobs, one module per loop. */
const MODULES: readonly ServerModule[] = [
  { kinds: ITEM_KINDS },
  jobsModule,
  itemsModule,
  checksModule,
  queueModule,
  designModule,
  agentsModule,
  factoryModule,
];

export interface RunningServer {
  url: string;
  port: number;
  context: ServerContext;
  /** Stops: streams end, jobs are checkpointed, the lock is released. */
  close(): Promise<void>;
}

/** Starts the server. Throws kind `usage` when the address needs a token or is in use, or when another server uses the
 * cache folder. */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { config, host, port, token } = options;
  if (!isLoopback(host) && token === undefined) {
    throw new AtomsmithError(
      "usage",
      `a token is required to listen on ${host}, which other machines can reach`,
      {
        hint: "set one with --token-file FILE or ATOMSMITH_TOKEN",
      },
    );
  }
  const { cache_dir, output_dir, item_specs_dir, search_root } = config.paths;
  const dir = join(cache_dir, "@serve");
  const lock = await takeLock(join(dir, "lock"), `the server of ${cache_dir}`);
  const hub = new Hub();
  const items = new Items({
    specsDir: item_specs_dir,
    cacheDir: cache_dir,
    outputDir: output_dir,
    onChange: () => hub.publish({ type: "items_changed", states: items.byState }),
  });
  try {
    await mkdir(join(dir, "jobs"), { recursive: true });
    const run = new ProgramRunner({ ...options, flags: options.programFlags });
    const jobs = new Jobs({
      dir: join(dir, "jobs"),
      kinds: MODULES.flatMap(({ kinds = [] }) => kinds),
      items,
      config,
      hub,
      run,
      concurrency: options.concurrency,
    });
    await jobs.load();
    await items.open();
    const context: ServerContext = {
      options,
      items,
      jobs,
      checks: new Checks(jobs),
      hub,
      logs: new Logs(search_root, hiddenBelow(search_root, [cache_dir, output_dir, item_specs_dir])),
      folders: new Folders(),
      fleet: new Fleet({
        url: options.env["ATOMSMITH_QUEUE"],
        maxAttempts: config.queue.max_attempts,
        warn: options.warn,
      }),
      metrics: new Metrics(),
      run,
      startedAt: Date.now(),
    };
    return await listen(context, { host, port, token }, lock.release);
  } catch (error) {
    items.close();
    await lock.release();
    throw error;
  }
}

async function listen(
  context: ServerContext,
  { host, port, token }: Pick<ServeOptions, "host" | "port" | "token">,
  release: () => Promise<void>,
): Promise<RunningServer> {
  const { options, hub, items, jobs } = context;
  const guard = new Guard({ host, allowedHosts: options.allowedHosts, token });
  const streams = new Streams(MAX_STREAMS);
  const modules = [
    systemModule(
      () => streams.count,
      (given) => guard.sessionCookie(given),
    ),
    eventsModule(streams),
    labelModule(new Labels(options)),
    ...MODULES,
  ];
  const routes = modules.flatMap(({ routes: own = [] }) => own);
  const openApi = JSON.stringify(openApiDocument(routes, guard.needsToken));
  const mcp = await mcpAnswer(context);
  const extras: Extra[] = [
    ...pageAnswers(await loadPage()),
    {
      method: "GET",
      path: "/openapi.json",
      open: true,
      handle: () => new Response(openApi, { headers: { "content-type": "application/json" } }),
    },
    mcp.answer,
  ];
  const server = serve(host, port, createApp(routes, extras, guard, context));
  const bound = server.port ?? port;
  const watches = MODULES.flatMap(({ watches: own = [] }) => own);
  const stopWatches = startWatches(watches, context);
  return {
    url: `http://${shownHost(host)}:${bound}/`,
    port: bound,
    context,
    close: async () => {
      hub.end();
      items.close();
      stopWatches();
      await jobs.close();
      await mcp.close();
      await context.fleet.close();
      await Promise.race([server.stop(), Bun.sleep(2_000)]);
      await server.stop(true);
      await release();
    },
  };
}

function serve(host: string, port: number, fetch: (request: Request) => Promise<Response>) {
  try {
    return Bun.serve({
      hostname: host,
      port,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: MAX_BODY_BYTES,
      development: false,
      fetch,
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === "EADDRINUSE" ? "is in use" : `cannot be used (${code ?? String(error)})`;
    throw new AtomsmithError("usage", `the address ${shownHost(host)}:${port} ${why}`, {
      hint: "choose another one with --port N or --host ADDRESS",
      cause: error,
    });
  }
}

/** The MCP server over streamable HTTP. Its package is loaded with the first request. */
async function mcpAnswer({
  options,
  run,
}: ServerContext): Promise<{ answer: Extra; close(): Promise<void> }> {
  let handler: Promise<{ fetch(request: Request): Promise<Response>; close(): Promise<void> }> | undefined;
  return {
    answer: {
      method: "ALL",
      path: "/mcp",
      open: false,
      handle: async (request) => {
        handler ??= import("./mcp/http.ts").then(({ mcpHandler }) => mcpHandler({ ...options, run }));
        return (await handler).fetch(request);
      },
    },
    close: async () => (await handler?.catch(() => undefined))?.close(),
  };
}
