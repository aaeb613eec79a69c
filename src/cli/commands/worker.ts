// `worker`: works off the jobs of a queue until it is stopped.
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
/** Connections beside those of the jobs and the one of the heartbeats: claims, supervision. */
const OWN_CONNECTIONS = 2;
/** A worker may start before its database does, milliseconds. */
const CONNECT_MS = 60_000;

export const workerCommand = defineCommand({
  name: "worker",
  summary: "work off the jobs of a queue: items, checks, agent jobs",
  details:
    "Any number of workers on any number of machines work on one queue. A worker may be killed, stopped or cut off at " +
    "any moment: its jobs are taken over, and what it still writes afterwards is rejected. Logs are read where they " +
    "lie: a worker without the search root of a job, or with other contents there, leaves the job to others. Keys of " +
    "models are read from the environment of each worker.",
  args: {
    ...QUEUE_NEEDED_ARG,
    kinds: {
      type: "string",
      valueHint: "LIST",
      description: "kinds of jobs, with commas: item, check, job",
      defaultHint: "all",
    },
    concurrency: {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 1, max: 256 },
      description: "jobs under way at once",
      defaultHint: "execution.concurrency, else 4",
      sets: ["execution.concurrency"],
    },
    root: {
      type: "string",
      valueHint: "NAME=DIR",
      multiple: true,
      description: "where a search root lies here; may be repeated (without any, where its name says)",
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
      description: "end after this time without a job",
    },
  },
  examples: [
    {
      command: "atomsmith worker --queue postgres://ci@db.example/atomsmith --concurrency 8",
      does: "eight jobs at once, until it is stopped",
    },
    {
      command: "atomsmith worker --kinds check --root nightly=/mnt/nightly --until-idle 60",
      does: "only checks of one search root; the queue is named by ATOMSMITH_QUEUE",
    },
  ],
  exits: {
    0: "it was drained, or idle for too long",
    2: "wrong usage",
    4: "the database was away for too long",
    130: "stopped; its jobs were handed back",
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
      return `${count(done, "job")} done, ${failed} failed, ${handed_back} handed back, ${lost} lost to other workers`;
    });
    return EXIT.ok;
  },
});

function kindsOf(list: string | undefined): (typeof KINDS)[number][] {
  if (list === undefined) return [...KINDS];
  return list.split(",").map((word) => {
    const kind = KINDS.find((known) => known === word.trim());
    if (kind !== undefined) return kind;
    throw new AtomsmithError("usage", `--kinds ${word} is not a kind of job`, {
      hint: `the kinds are: ${KINDS.join(", ")}`,
    });
  });
}

/** A folder for what jobs need here, removed with the command. */
function scratchFolder(context: CommandContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-worker-")));
  context.onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
