// `batch --queue`: submits items, waits for the fleet, and brings home what each left, so that output and cache are as
// after a run on this machine.
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
import { inputsHash, makeSubmission } from "./submission.ts";

/** Items decided about within this time are submitted together, milliseconds. */
const GATHER_MS = 50;
/** Items brought home at once. */
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
  private gathered: Waiting[] = [];
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

  /** @param pages paths of all pages of the batch: no logs */
  static async open(
    queue: Queue,
    run: RunServices,
    options: { force: boolean; pages: readonly string[] },
  ): Promise<ItemSubmitter> {
    const submission = await makeSubmission({
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

  /** Fetches results without a waiting submitter, unless a set was made here in the meantime. */
  async collectEarlier(): Promise<void> {
    for (const job of await uncollectedJobs(this.queue, this.submission.project, "item")) {
      if (await this.isAwaited(job)) await this.bringHome(job);
      await markCollected(this.queue, job.id);
    }
  }

  /** Is the set here still the one that the job began with, or the one that it left? Hashes, not times: the clocks of the
   * machines may differ. */
  private async isAwaited({ subject, payload }: { subject: string; payload: string }): Promise<boolean> {
    const local = manifestHash(this.outputDir(subject));
    const parsed = itemPayloadSchema.safeParse(JSON.parse(payload));
    if (parsed.success && parsed.data.had === local) return true;
    const files = await loadFiles(this.queue.db, this.placeOf(subject));
    const left = files.find(({ path }) => path === MANIFEST_FILE);
    return left !== undefined && sha256(left.body) === local;
  }

  /** Has an item run by the fleet. Rejects with kind `interrupted` when the wait is ended; the job goes on then. */
  perform(decision: Decision): Promise<ItemResult | NotPerformed> {
    const { promise, resolve, reject } = Promise.withResolvers<ItemResult | NotPerformed>();
    this.gathered.push({ decision, resolve, reject });
    this.timer ??= setTimeout(() => void this.submit(), GATHER_MS);
    return promise;
  }

  /** No waiting job of this submission is started any more; those under way end. */
  async stop(reason: string): Promise<void> {
    await stopSubmission(this.queue, this.id, reason, null);
  }

  /** Ends the waiting. */
  close(): void {
    clearTimeout(this.timer);
    this.collector.close();
  }

  private async submit(): Promise<void> {
    const waiting = this.gathered;
    this.gathered = [];
    this.timer = undefined;
    try {
      const jobs = await Promise.all(waiting.map(({ decision }) => this.jobOf(decision)));
      const ids = await submitJobs(this.queue, this.id, this.submission, jobs);
      for (const one of waiting) this.follow(one, ids.get(one.decision.spec.itemId) ?? "");
    } catch (error) {
      for (const one of waiting) one.reject(error);
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
        `the fleet gave the item up: ${job.reason ?? "no reason is known"}`,
        {
          where: job.subject,
          hint: `atomsmith queue show ${job.id} tells more; queue retry ${job.id} tries again`,
        },
      );
      return failedResult(job.subject, error, this.outputDir(job.subject), { ms: 0 });
    }
    await this.bringHome(job);
    await markCollected(this.queue, job.id);
    return value;
  }

  /** Puts the set and the run of an item into the local folders, as a run here would have left them. */
  private async bringHome({ subject }: Pick<JobResult, "subject">): Promise<void> {
    if (this.submission.store === "files") return;
    const { config, llm } = this.run;
    const { db } = this.queue;
    const place = this.placeOf(subject);
    const output = await OutputStore.open(config.paths.output_dir, subject);
    try {
      const files = await loadFiles(db, place);
      // Nothing at all: the item failed before it had anything to show, and what is here stays.
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
    const held = checkpoint && {
      ...checkpoint,
      // A run that starts over keeps the answers of people, and nothing else.
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
      checkpoint: held && { id: held.id, body: JSON.stringify(held) },
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
