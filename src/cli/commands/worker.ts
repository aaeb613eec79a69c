// `worker`: runs jobs of a queue until it is stopped.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { AtomsmithError, EXIT } from "../../core/errors.ts";
import { count } from "../../core/words.ts";
import { defineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { openQueue, QUEUE_NEEDED_ARG } from "../queue.ts";
import { stopSignals } from "../stop-signals.ts";

const KINDS = ["item", "check", "job"] as const;
/** Connections in addition to those of the jobs and the one of the heartbeats: claims, supervision. */
const OWN_CONNECTIONS = 2;
/** Time to wait for a database that starts after the worker, milliseconds. */
const CONNECT_MS = 60_000;

export const workerCommand = defineCommand({
  name: "worker",
  summary: "run the jobs of a queue: items, checks, agent jobs",
  details:
    "Any number of workers on any number of machines can share a queue. A worker may be killed, stopped or disconnected at " +
    "any time: other workers take over its jobs, and its later writes are rejected. Logs are read in " +
    "place: a worker without the search root of a job, or with different contents there, leaves the job to others. API keys " +
    "are read from the environment of each worker.",
  args: {
    ...QUEUE_NEEDED_ARG,
    kinds: {
      type: "string",
      valueHint: "LIST",
      description: "comma-separated kinds of jobs: item, check, job",
      defaultHint: "all",
    },
    concurrency: {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 1, max: 256 },
      description: "jobs that run at the same time",
      defaultHint: "execution.concurrency, or 4",
      sets: ["execution.concurrency"],
    },
    root: {
      type: "string",
      valueHint: "NAME=DIR",
      multiple: true,
      description: "local path of a search root; may be repeated (default: the path that is its name)",
    },
    out: {
      type: "string",
      valueHint: "DIR",
      description: "shared output folder, for queue.store: files",
      sets: ["paths.output_dir"],
      defaultHint: "output",
    },
    cache: {
      type: "string",
      valueHint: "DIR",
      description: "shared cache folder, for queue.store: files",
      sets: ["paths.cache_dir"],
      defaultHint: "cache",
    },
    "until-idle": {
      type: "string",
      valueHint: "SECONDS",
      number: { min: 0 },
      description: "exit after this time without a job",
    },
  },
  examples: [
    {
      command: "atomsmith worker --queue postgres://ci@db.example/atomsmith --concurrency 8",
      does: "run eight jobs at a time until stopped",
    },
    {
      command: "atomsmith worker --kinds check --root nightly=/mnt/nightly --until-idle 60",
      does: "run only checks of one search root; ATOMSMITH_QUEUE names the queue",
    },
  ],
  exits: {
    0: "drained, or idle for the time of --until-idle",
    2: "wrong usage",
    4: "the database was unreachable for too long",
    130: "stopped; running jobs were returned to the queue",
  },
  run: async (args, context) => {
    const kinds = kindsOf(args.kinds);
    const { Worker, HANDLERS, parseRoots, newWorkerName } = await import("../../worker/index.ts");
    const { concurrency } = context.config.execution;
    const configured = Object.entries(context.config.queue.roots).map(([name, dir]) => `${name}=${dir}`);
    const roots = parseRoots([...configured, ...args.root], (path) => context.resolve(path));
    const queue = await openQueue(context, args.queue, {
      connections: concurrency + OWN_CONNECTIONS,
      supervise: true,
      connectMs: CONNECT_MS,
    });
    const name = newWorkerName(hostname());
    context.output.note(
      `worker ${name} on ${queue.db.name}: ${kinds.join(", ")}, ${count(concurrency, "job")} at once`,
    );
    const { signal, pause } = stopSignals(context);
    const worker = new Worker({
      queue,
      name,
      host: hostname(),
      config: context.config,
      env: context.env,
      bus: context.bus,
      scratch: scratchFolder(context),
      signal,
      pause,
      kinds,
      handlers: HANDLERS,
      concurrency,
      roots,
      ...(args["until-idle"] === undefined ? {} : { idleMs: args["until-idle"] * 1000 }),
    });
    const summary = await worker.run();
    Object.assign(context.totals, summary);
    context.output.result({ worker: name, ...summary }, () => {
      const { done, failed, handed_back, lost } = summary;
      return `${count(done, "job")} done, ${failed} failed, ${handed_back} returned, ${lost} lost to other workers`;
    });
    return EXIT.ok;
  },
});

function kindsOf(list: string | undefined): (typeof KINDS)[number][] {
  if (list === undefined) return [...KINDS];
  return list.split(",").map((word) => {
    const kind = KINDS.find((known) => known === word.trim());
    if (kind !== undefined) return kind;
    throw new AtomsmithError("usage", `--kinds: ${word} is not a kind of job`, {
      hint: `kinds of jobs: ${KINDS.join(", ")}`,
    });
  });
}

/** A temporary folder for the jobs, removed with the command. */
function scratchFolder(context: CommandContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-worker-")));
  context.onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
