// `batch --queue`: submits items, waits for the fleet and copies the results back, so that output and cache are as
// after a local run.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import type { Decision, NotPerformed } from "../batch/index.ts";
import { AtomsmithError, type ExitCode } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { createSlots } from "../core/slots.ts";
import { createItemEmit } from "../loops/item/events.ts";
import { failedResult, type ItemResult, limitsHash, type RunServices } from "../loops/item/index.ts";
import { copyItemRun, ItemReader, openItemStore } from "../loops/item/item-store.ts";
import { listOutput, OutputStore } from "../loops/item/output-store.ts";
import {
  type JobResult,
  loadFiles,
  markCollected,
  type NewJob,
  newSubmissionId,
  type Queue,
  stopSubmission,
  submitJobs,
  uncollectedJobs,
} from "../queue/index.ts";
import type { Submission } from "../queue/types.ts";
import { MANIFEST_FILE } from "../runtime/atom-set.ts";
import { PostgresReader } from "../store/postgres/reader.ts";
import { Collector } from "./collect.ts";
import { itemPayloadSchema } from "./item-job.ts";
import { createSubmission, inputsHash } from "./submission.ts";

/** Items scheduled within this time are submitted together, milliseconds. */
const BATCH_MS = 50;
/** Number of items copied back concurrently. */
const COLLECT_AT_ONCE = 4;

interface Waiting {
  decision: Decision;
  resolve(result: ItemResult | NotPerformed): void;
  reject(error: unknown): void;
}

export class ItemSubmitter {
  private readonly queue: Queue;
  private readonly run: RunServices;
  private readonly force: boolean;
  private readonly submission: Submission;
  private readonly id = newSubmissionId();
  private readonly collector: Collector;
  private readonly slots = createSlots(COLLECT_AT_ONCE);
  private pending: Waiting[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(queue: Queue, run: RunServices, force: boolean, submission: Submission) {
    this.queue = queue;
    this.run = run;
    this.force = force;
    this.submission = submission;
    this.collector = new Collector(queue, run.signal, (message) =>
      run.bus.emit({ type: "log", level: "warning", message }),
    );
  }

  /** @param pages paths of all pages of the batch, which are not logs */
  static async open(
    queue: Queue,
    run: RunServices,
    options: { force: boolean; pages: readonly string[] },
  ): Promise<ItemSubmitter> {
    const submission = await createSubmission({
      kind: "item",
      config: run.config,
      searchRoot: run.searchRoot,
      seed: run.seed,
      commandFlags: run.commandFlags,
      ownFiles: [...(run.ownFiles ?? []), run.config.paths.item_specs_dir, ...options.pages],
      options: {},
    });
    return new ItemSubmitter(queue, run, options.force, submission);
  }

  /** Fetches results without a waiting submitter, unless the local set changed in the meantime. */
  async collectEarlier(): Promise<void> {
    for (const job of await uncollectedJobs(this.queue, this.submission.project, "item")) {
      if (await this.isLocalSetUnchanged(job)) await this.copyBack(job);
      await markCollected(this.queue, job.id);
    }
  }

  /** True when the local set is the one that the job started with, or its result. Compares hashes, because the clocks
   * of machines may differ. */
  private async isLocalSetUnchanged({
    subject,
    payload,
  }: {
    subject: string;
    payload: string;
  }): Promise<boolean> {
    const local = manifestHash(this.outputDir(subject));
    const parsed = itemPayloadSchema.safeParse(JSON.parse(payload));
    if (parsed.success && parsed.data.had === local) return true;
    const files = await loadFiles(this.queue.db, this.placeOf(subject));
    const left = files.find(({ path }) => path === MANIFEST_FILE);
    return left !== undefined && sha256(left.body) === local;
  }

  /** Runs an item on the fleet. Rejects with kind `interrupted` when the wait ends; the job then continues. */
  perform(decision: Decision): Promise<ItemResult | NotPerformed> {
    const { promise, resolve, reject } = Promise.withResolvers<ItemResult | NotPerformed>();
    this.pending.push({ decision, resolve, reject });
    this.timer ??= setTimeout(() => void this.submit(), BATCH_MS);
    return promise;
  }

  /** Prevents the start of waiting jobs of this submission; running ones end normally. */
  async stop(reason: string): Promise<void> {
    await stopSubmission(this.queue, this.id, reason, null);
  }

  /** Stops waiting for results. */
  close(): void {
    clearTimeout(this.timer);
    this.collector.close();
  }

  private async submit(): Promise<void> {
    const waiting = this.pending;
    this.pending = [];
    this.timer = undefined;
    try {
      const jobs = await Promise.all(waiting.map(({ decision }) => this.jobOf(decision)));
      const ids = await submitJobs(this.queue, this.id, this.submission, jobs);
      for (const job of waiting) this.follow(job, ids.get(job.decision.spec.itemId) ?? "");
    } catch (error) {
      for (const job of waiting) job.reject(error);
    }
  }

  private follow({ decision, resolve, reject }: Waiting, id: string): void {
    const { itemId } = decision.spec;
    const emit = createItemEmit(this.run.bus, itemId);
    emit({ type: "item_started", reason: decision.reason });
    this.collector
      .wait(id)
      .then((job) => this.slots.run(() => this.resultOf(job)))
      .then((result) => {
        if ("status" in result) {
          const message = result.error === undefined ? {} : { message: result.error.message };
          emit({ type: "item_finished", status: result.status, ...message, duration_ms: result.duration_ms });
        }
        resolve(result);
      })
      .catch(reject);
  }

  private async resultOf(job: JobResult): Promise<ItemResult | NotPerformed> {
    if (job.state === "cancelled") return { notStarted: job.reason ?? "cancelled", exit: null };
    const value = job.result === null ? undefined : (JSON.parse(job.result) as ItemResult | FleetStop);
    if (value !== undefined && "not_started" in value) {
      await markCollected(this.queue, job.id);
      return { notStarted: value.not_started, exit: value.exit as ExitCode | null };
    }
    if (job.state === "dead" || value === undefined) {
      const error = new AtomsmithError(
        "store",
        `the fleet gave up the item: ${job.reason ?? "unknown reason"}`,
        {
          where: job.subject,
          hint: `details: atomsmith queue show ${job.id}; try again: atomsmith queue retry ${job.id}`,
        },
      );
      return failedResult(job.subject, error, this.outputDir(job.subject), { ms: 0 });
    }
    await this.copyBack(job);
    await markCollected(this.queue, job.id);
    return value;
  }

  /** Copies the set and the run of an item to the local folders. */
  private async copyBack({ subject }: Pick<JobResult, "subject">): Promise<void> {
    if (this.submission.store === "files") return;
    const { config, llm } = this.run;
    const { db } = this.queue;
    const place = this.placeOf(subject);
    const output = await OutputStore.open(config.paths.output_dir, subject);
    try {
      const files = await loadFiles(db, place);
      // No files: the item failed before it wrote any; keep the local ones.
      if (files.length > 0) await output.replaceAll(files);
    } finally {
      await output.close();
    }
    const { max_checkpoints_per_hour: maxCheckpointsPerHour, keep_hours: keepHours } = config.cache;
    const store = await openItemStore(
      config.paths.cache_dir,
      subject,
      { maxCheckpointsPerHour, keepHours },
      llm.redact,
    );
    try {
      await copyItemRun(new PostgresReader({ db, space: place.space }, { loop: "item", id: subject }), store);
    } finally {
      await store.close();
    }
  }

  private async jobOf({ spec, reason }: Decision): Promise<NewJob> {
    const { config, authorSettings, promptsSha256 } = this.run;
    const shared = this.submission.store === "files";
    const dir = this.outputDir(spec.itemId);
    const reader = new ItemReader(config.paths.cache_dir, spec.itemId);
    const checkpoint = shared ? undefined : await reader.loadCheckpoint();
    const startCheckpoint = checkpoint && {
      ...checkpoint,
      // A run that starts over keeps only the answers of the user.
      state: this.force ? { ...checkpoint.state, finished: true } : checkpoint.state,
    };
    return {
      subject: spec.itemId,
      inputs: inputsHash(this.submission, [
        spec.sha256,
        authorSettings.settings_sha256,
        promptsSha256,
        limitsHash(config),
      ]),
      payload: JSON.stringify({
        spec_path: spec.path,
        spec_sha256: spec.sha256,
        page: readFileSync(spec.path).toString("base64"),
        reason,
        had: manifestHash(dir),
      } satisfies z.infer<typeof itemPayloadSchema>),
      files: shared ? [] : listOutput(dir).map((path) => ({ path, body: readFileSync(join(dir, path)) })),
      turns: shared || this.force ? [] : (await reader.loadTurns()).map((turn) => JSON.stringify(turn)),
      checkpoint: startCheckpoint && { id: startCheckpoint.id, body: JSON.stringify(startCheckpoint) },
    };
  }

  private placeOf(id: string): { space: string; loop: string; id: string } {
    return { space: this.submission.project, loop: "item", id };
  }

  private outputDir(itemId: string): string {
    return `${this.run.config.paths.output_dir}/${itemId}`;
  }
}

function manifestHash(dir: string): string | null {
  const path = join(dir, MANIFEST_FILE);
  return existsSync(path) ? sha256(readFileSync(path)) : null;
}

/** The answer of a worker that did not start an item. */
interface FleetStop {
  not_started: string;
  exit: number | null;
}
