// `queue ls|show|retry|cancel|drain`: inspect and control the jobs of a fleet.
import { EXIT } from "../../core/errors.ts";
import { count } from "../../core/words.ts";
import type { CommandGroup } from "../command.ts";
import { defineCommand } from "../command.ts";
import { openQueue, QUEUE_NEEDED_ARG } from "../queue.ts";

const STATES = ["waiting", "running", "done", "dead", "cancelled"] as const;
const KINDS = ["item", "check", "job"] as const;
const EXAMPLE_URL = "postgres://ci@db.example/atomsmith";

const JOBS_ARG = {
  type: "positional",
  valueHint: "JOB",
  multiple: true,
  description: "ids of jobs (a unique prefix is enough), or their subjects",
} as const;

const lsCommand = defineCommand({
  name: "ls",
  summary: "list the jobs and workers of a queue",
  details: "Newest jobs first. A dead job used all its attempts; its reason says how the last one ended.",
  args: {
    ...QUEUE_NEEDED_ARG,
    state: {
      type: "enum",
      options: STATES,
      multiple: true,
      description: "list only jobs in this state; may be repeated",
    },
    kind: {
      type: "enum",
      options: KINDS,
      multiple: true,
      description: "list only jobs of this kind; may be repeated",
    },
    project: {
      type: "string",
      valueHint: "NAME",
      description: "list only jobs of this project (queue.project)",
    },
    limit: {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 1, max: 100_000 },
      description: "most jobs to list",
      defaultHint: "50",
    },
  },
  examples: [
    { command: `atomsmith queue ls --queue ${EXAMPLE_URL}`, does: "list jobs and workers" },
    { command: "atomsmith queue ls --state dead", does: "list dead jobs with their reasons" },
  ],
  run: async (args, context) => {
    const { listJobs, listWorkers } = await import("../../queue/index.ts");
    const queue = await openQueue(context, args.queue);
    const limit = args.limit ?? 50;
    const { jobs, totals } = await listJobs(queue.db, {
      kinds: args.kind,
      states: args.state,
      ...(args.project === undefined ? {} : { project: args.project }),
      limit,
    });
    const workers = await listWorkers(queue.db);
    context.output.result({ jobs, totals, workers }, () => {
      const sum = STATES.map((state) => `${totals[state] ?? 0} ${state}`).join(", ");
      const rows = jobs.map((job) => [
        job.id.slice(0, 8),
        job.kind,
        job.subject,
        job.state,
        String(job.attempts),
        job.worker ?? "",
        job.reason ?? "",
      ]);
      const lines = [
        context.output.table(["JOB", "KIND", "SUBJECT", "STATE", "ATTEMPTS", "WORKER", "REASON"], rows),
      ];
      if (jobs.length === limit) lines.push(`showing the newest ${limit}; use --limit N for more`);
      const table = workers.map((worker) => [
        worker.id,
        worker.kinds,
        `${worker.running} of ${worker.concurrency}`,
        String(worker.done),
        worker.drain ? "ends" : (worker.refused ?? ""),
      ]);
      lines.push("", `jobs: ${sum}`, "");
      lines.push(
        table.length === 0
          ? "no live workers"
          : context.output.table(["WORKER", "KINDS", "RUNNING", "DONE", "NOTE"], table),
      );
      return lines.join("\n");
    });
    return EXIT.ok;
  },
});

const showCommand = defineCommand({
  name: "show",
  summary: "show a job: its state, its worker, and the end of its journal",
  args: {
    ...QUEUE_NEEDED_ARG,
    job: {
      type: "positional",
      valueHint: "JOB",
      required: true,
      description: "id or subject of the job",
    },
  },
  examples: [{ command: "atomsmith queue show 3f2a9c01", does: "show the history of a job" }],
  run: async (args, context) => {
    const { findJob } = await import("../../queue/index.ts");
    const { PostgresReader } = await import("../../store/postgres/reader.ts");
    const queue = await openQueue(context, args.queue);
    const job = await findJob(queue.db, args.job);
    const reader = new PostgresReader(
      { db: queue.db, space: job.project },
      { loop: job.kind, id: job.subject },
    );
    const [checkpoint, journal, turns] = await Promise.all([
      reader.loadCheckpoint(),
      reader.loadJournal(),
      reader.loadTurns(),
    ]);
    const document = {
      ...job,
      stage: checkpoint?.stage ?? null,
      replies: turns.length,
      events: journal.slice(-20),
    };
    context.output.result(document, (style) => {
      const { id, kind, subject, state, attempts, worker, reason } = job;
      const lines = [
        `${style.bold(subject)}  ${kind}  ${state}  ${count(attempts, "attempt")}`,
        `  job: ${id} of ${job.project}, since ${job.at}`,
        ...(worker === null ? [] : [`  worker: ${worker}`]),
        ...(document.stage === null
          ? []
          : [`  stage: ${document.stage}, ${count(turns.length, "reply", "replies")}`]),
        ...(reason === null ? [] : [`  reason: ${reason}`]),
      ];
      for (const { at, type } of journal.slice(-10)) lines.push(style.dim(`  ${at}  ${type}`));
      return lines.join("\n");
    });
    return EXIT.ok;
  },
});

const retryCommand = defineCommand({
  name: "retry",
  summary: "requeue dead or cancelled jobs",
  args: { ...QUEUE_NEEDED_ARG, jobs: { ...JOBS_ARG, required: true } },
  examples: [{ command: "atomsmith queue retry 3f2a9c01", does: "after fixing the cause" }],
  run: async (args, context) => {
    const { findJob } = await import("../../queue/index.ts");
    const queue = await openQueue(context, args.queue);
    const ids: string[] = [];
    for (const word of args.jobs) ids.push((await findJob(queue.db, word)).id);
    const retried = await queue.retry(ids);
    context.output.result({ retried }, () => `${count(retried, "job")} requeued`);
    return EXIT.ok;
  },
});

const cancelCommand = defineCommand({
  name: "cancel",
  summary: "cancel jobs; running ones are stopped",
  args: {
    ...QUEUE_NEEDED_ARG,
    jobs: JOBS_ARG,
    project: { type: "string", valueHint: "NAME", description: "cancel all open jobs of this project" },
  },
  examples: [
    { command: "atomsmith queue cancel 3f2a9c01", does: "cancel one job" },
    { command: "atomsmith queue cancel --project nightly", does: "cancel all jobs of a project" },
  ],
  run: async (args, context) => {
    const { findJob, listJobs } = await import("../../queue/index.ts");
    const queue = await openQueue(context, args.queue);
    const ids: string[] = [];
    for (const word of args.jobs) ids.push((await findJob(queue.db, word)).id);
    if (args.project !== undefined) {
      const open = { kinds: [], states: ["waiting", "running"], project: args.project, limit: 1_000_000 };
      ids.push(...(await listJobs(queue.db, open)).jobs.map((job) => job.id));
    }
    const cancelled = await queue.cancel(ids, "cancelled with atomsmith queue cancel");
    context.output.result({ cancelled }, () => `${count(cancelled, "job")} cancelled`);
    return EXIT.ok;
  },
});

const drainCommand = defineCommand({
  name: "drain",
  summary: "let workers finish their jobs and exit",
  details: "For upgrades or before removing a machine. Waiting jobs stay in the queue for other workers.",
  args: {
    ...QUEUE_NEEDED_ARG,
    worker: { type: "positional", valueHint: "WORKER", description: "name of a worker (default: all)" },
    wait: {
      type: "string",
      valueHint: "SECONDS",
      number: { min: 0 },
      description: "wait up to this long for the workers to exit",
      defaultHint: "0",
    },
  },
  examples: [{ command: "atomsmith queue drain --wait 600", does: "drain all workers before an upgrade" }],
  exits: {
    0: "the workers were asked to exit, or exited in time",
    4: "some workers are still running after the timeout",
  },
  run: async (args, context) => {
    const { drainWorkers, listWorkers } = await import("../../queue/index.ts");
    const queue = await openQueue(context, args.queue);
    const requested = await drainWorkers(queue, args.worker);
    const limit = performance.now() + (args.wait ?? 0) * 1000;
    let left = requested;
    while (left.length > 0 && performance.now() < limit && !context.signal.aborted) {
      await Bun.sleep(500);
      const alive = new Set((await listWorkers(queue.db)).map((worker) => worker.id));
      left = left.filter((id) => alive.has(id));
    }
    const waited = args.wait !== undefined;
    context.output.result({ asked: requested, still_working: waited ? left : null }, () =>
      waited
        ? `${count(requested.length - left.length, "worker")} exited${left.length > 0 ? `, still running: ${left.join(", ")}` : ""}`
        : `asked ${count(requested.length, "worker")} to exit`,
    );
    return waited && left.length > 0 ? EXIT.infrastructure : EXIT.ok;
  },
});

export const queueGroup: CommandGroup = {
  kind: "group",
  name: "queue",
  summary: "inspect and control the jobs of a fleet of workers",
  commands: [
    { name: "ls", summary: lsCommand.summary, load: async () => lsCommand },
    { name: "show", summary: showCommand.summary, load: async () => showCommand },
    { name: "retry", summary: retryCommand.summary, load: async () => retryCommand },
    { name: "cancel", summary: cancelCommand.summary, load: async () => cancelCommand },
    { name: "drain", summary: drainCommand.summary, load: async () => drainCommand },
  ],
};
