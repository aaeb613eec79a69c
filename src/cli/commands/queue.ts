// `queue ls|show|retry|cancel|drain`: see and steer what a fleet does.
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
  description: "ids of jobs, as far as they are unique, or what they are about",
} as const;

const lsCommand = defineCommand({
  name: "ls",
  summary: "jobs and workers of a queue",
  details: "The newest jobs first. A dead job had all its attempts; its reason says what ended the last one.",
  args: {
    ...QUEUE_NEEDED_ARG,
    state: {
      type: "enum",
      options: STATES,
      multiple: true,
      description: "only jobs in this state; may be repeated",
    },
    kind: {
      type: "enum",
      options: KINDS,
      multiple: true,
      description: "only jobs of this kind; may be repeated",
    },
    project: { type: "string", valueHint: "NAME", description: "only jobs of this project (queue.project)" },
    limit: {
      type: "string",
      valueHint: "N",
      number: { integer: true, min: 1, max: 100_000 },
      description: "jobs listed at most",
      defaultHint: "50",
    },
  },
  examples: [
    { command: `atomsmith queue ls --queue ${EXAMPLE_URL}`, does: "what is there, and who works" },
    { command: "atomsmith queue ls --state dead", does: "the dead letters, with their reasons" },
  ],
  run: async (args, context) => {
    const { listJobs, listWorkers } = await import("../../queue/index.ts");
    const queue = await openQueue(context, args.queue);
    const limit = args.limit ?? 50;
    const { jobs, totals } = await listJobs(queue, {
      kinds: args.kind,
      states: args.state,
      ...(args.project === undefined ? {} : { project: args.project }),
      limit,
    });
    const workers = await listWorkers(queue);
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
      if (jobs.length === limit) lines.push(`the newest ${limit}; --limit N lists more`);
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
          ? "no worker lives"
          : context.output.table(["WORKER", "KINDS", "RUNNING", "DONE", "NOTE"], table),
      );
      return lines.join("\n");
    });
    return EXIT.ok;
  },
});

const showCommand = defineCommand({
  name: "show",
  summary: "one job: its state, its worker, and the end of its journal",
  args: {
    ...QUEUE_NEEDED_ARG,
    job: {
      type: "positional",
      valueHint: "JOB",
      required: true,
      description: "id of the job, or what it is about",
    },
  },
  examples: [{ command: "atomsmith queue show 3f2a9c01", does: "what happened to it so far" }],
  run: async (args, context) => {
    const { findJob } = await import("../../queue/index.ts");
    const { PostgresReader } = await import("../../store/postgres/run-store.ts");
    const queue = await openQueue(context, args.queue);
    const job = await findJob(queue, args.job);
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
  summary: "give dead or cancelled jobs new attempts",
  args: { ...QUEUE_NEEDED_ARG, jobs: { ...JOBS_ARG, required: true } },
  examples: [{ command: "atomsmith queue retry 3f2a9c01", does: "when its reason is gone" }],
  run: async (args, context) => {
    const { findJob } = await import("../../queue/index.ts");
    const queue = await openQueue(context, args.queue);
    const ids: string[] = [];
    for (const word of args.jobs) ids.push((await findJob(queue, word)).id);
    const retried = await queue.retry(ids);
    context.output.result({ retried }, () => `${count(retried, "job")} back in the queue`);
    return EXIT.ok;
  },
});

const cancelCommand = defineCommand({
  name: "cancel",
  summary: "take jobs out of the queue; running ones are stopped",
  args: {
    ...QUEUE_NEEDED_ARG,
    jobs: JOBS_ARG,
    project: { type: "string", valueHint: "NAME", description: "all open jobs of this project" },
  },
  examples: [
    { command: "atomsmith queue cancel 3f2a9c01", does: "one job" },
    { command: "atomsmith queue cancel --project nightly", does: "all of one project" },
  ],
  run: async (args, context) => {
    const { findJob, listJobs } = await import("../../queue/index.ts");
    const queue = await openQueue(context, args.queue);
    const ids: string[] = [];
    for (const word of args.jobs) ids.push((await findJob(queue, word)).id);
    if (args.project !== undefined) {
      const open = { kinds: [], states: ["waiting", "running"], project: args.project, limit: 1_000_000 };
      ids.push(...(await listJobs(queue, open)).jobs.map((job) => job.id));
    }
    const cancelled = await queue.cancel(ids, "cancelled by a person");
    context.output.result({ cancelled }, () => `${count(cancelled, "job")} cancelled`);
    return EXIT.ok;
  },
});

const drainCommand = defineCommand({
  name: "drain",
  summary: "have workers finish their jobs, take no more, and end",
  details: "For an upgrade or to take a machine away. Waiting jobs stay in the queue for other workers.",
  args: {
    ...QUEUE_NEEDED_ARG,
    worker: { type: "positional", valueHint: "WORKER", description: "name of one worker (default: all)" },
    wait: {
      type: "string",
      valueHint: "SECONDS",
      number: { min: 0 },
      description: "wait at most this long until they have ended",
      defaultHint: "0",
    },
  },
  examples: [{ command: "atomsmith queue drain --wait 600", does: "all workers, before an upgrade" }],
  exits: { 0: "asked, or ended within the time", 4: "some still work after the time" },
  run: async (args, context) => {
    const { drainWorkers, listWorkers } = await import("../../queue/index.ts");
    const queue = await openQueue(context, args.queue);
    const asked = await drainWorkers(queue, args.worker);
    const limit = performance.now() + (args.wait ?? 0) * 1000;
    let left = asked;
    while (left.length > 0 && performance.now() < limit && !context.signal.aborted) {
      await Bun.sleep(500);
      const alive = new Set((await listWorkers(queue)).map((worker) => worker.id));
      left = left.filter((id) => alive.has(id));
    }
    const waited = args.wait !== undefined;
    context.output.result({ asked, still_working: waited ? left : null }, () =>
      waited
        ? `${count(asked.length - left.length, "worker")} ended${left.length > 0 ? `, still at work: ${left.join(", ")}` : ""}`
        : `${count(asked.length, "worker")} asked to end`,
    );
    return waited && left.length > 0 ? EXIT.infrastructure : EXIT.ok;
  },
});

export const queueGroup: CommandGroup = {
  kind: "group",
  name: "queue",
  summary: "see and steer what a fleet of workers does",
  commands: [
    { name: "ls", summary: lsCommand.summary, load: async () => lsCommand },
    { name: "show", summary: showCommand.summary, load: async () => showCommand },
    { name: "retry", summary: retryCommand.summary, load: async () => retryCommand },
    { name: "cancel", summary: cancelCommand.summary, load: async () => cancelCommand },
    { name: "drain", summary: drainCommand.summary, load: async () => drainCommand },
  ],
};
