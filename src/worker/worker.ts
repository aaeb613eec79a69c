// A worker: claims jobs, keeps them alive, works them off, and gives up whatever is no longer its own. Results count only
// through a completion fenced by job and attempt, so a worker may be killed or stopped at any moment.
import { configSchema } from "../config/schema.ts";
import { AtomsmithError, toAtomsmithError } from "../core/errors.ts";
import { VERSION } from "../core/version.ts";
import {
  beat,
  type ClaimedJob,
  findRoot,
  hashRoot,
  type JobKind,
  loadSubmission,
  removeOld,
  type Submission,
  signOff,
  stopSubmission,
} from "../queue/index.ts";
import { programHash } from "./program.ts";
import { folderMark } from "./submission.ts";
import type { Outcome, Prepare, Prepared, WorkerContext } from "./types.ts";

const BEAT_MS = 2_000;
/** Between two claims of an idle worker, milliseconds. */
const IDLE_MS = { first: 50, longest: 500 };
/** How long a refusal holds: a root may be mounted later. */
const REFUSED_MS = 60_000;
/** Seconds before another worker gets a job that was handed back. */
const BACK_SECONDS = 1;
/** Of its free places a worker fills one in this many at once, so that a small batch spreads over the fleet. */
const CLAIM_SHARE = 4;
/** Submissions kept ready. */
const MAX_PREPARED = 4;
const HOUSEKEEPING_MS = 3_600_000;
const KEEP_DAYS = 14;

export interface WorkerOptions extends WorkerContext {
  kinds: readonly JobKind[];
  handlers: Readonly<Record<JobKind, Prepare>>;
  host: string;
  concurrency: number;
  /** This machine's path of each search root. */
  roots: ReadonlyMap<string, string>;
  /** The worker ends: jobs under way finish their stage and are handed back. */
  pause: AbortSignal;
  /** Ends when there has been nothing to do for this long, milliseconds. */
  idleMs?: number;
}

export interface WorkerSummary {
  done: number;
  failed: number;
  handed_back: number;
  lost: number;
}

interface Active {
  job: ClaimedJob;
  lost: AbortController;
  ended: Promise<void>;
}

export class Worker {
  private readonly o: WorkerOptions;
  private readonly active = new Map<string, Active>();
  private readonly prepared = new Map<string, { made: Promise<Prepared>; users: number }>();
  private readonly refused = new Map<string, { until: number; reason: string }>();
  private readonly summary: WorkerSummary = { done: 0, failed: 0, handed_back: 0, lost: 0 };
  private readonly program = programHash();
  /** Kinds without jobs at the last look, and until when they are not looked for again. */
  private readonly empty = new Map<JobKind, number>();
  private draining = false;
  private turn = 0;
  private wake: () => void = () => undefined;
  /** Resolved when nothing is under way any more. */
  private readonly over = Promise.withResolvers<void>();
  private cleaned = 0;

  constructor(options: WorkerOptions) {
    this.o = options;
  }

  /** Works until it is stopped, drained, or idle for too long. */
  async run(): Promise<WorkerSummary> {
    const beating = this.beats();
    try {
      await this.claims();
      await Promise.all([...this.active.values()].map((active) => active.ended));
    } finally {
      this.draining = true;
      this.over.resolve();
      await beating.catch(() => undefined);
      for (const { made } of this.prepared.values()) await (await made.catch(() => undefined))?.close();
      await signOff(this.o.queue, this.o.name).catch(() => undefined);
    }
    return this.summary;
  }

  private get ending(): boolean {
    return this.draining || this.o.pause.aborted || this.o.signal.aborted;
  }

  private async claims(): Promise<void> {
    let idle = IDLE_MS.first;
    let idleSince = performance.now();
    while (!this.ending) {
      const free = this.o.concurrency - this.active.size;
      const wait = this.active.size > 0 ? IDLE_MS.longest : idle;
      const jobs = free > 0 ? await this.claimSome(Math.ceil(free / CLAIM_SHARE), wait) : [];
      for (const job of jobs) this.start(job);
      if (jobs.length > 0) {
        idle = IDLE_MS.first;
        continue;
      }
      if (this.active.size > 0) idleSince = performance.now();
      else if (performance.now() - idleSince > (this.o.idleMs ?? Number.POSITIVE_INFINITY)) return;
      await this.pauseFor(free > 0 ? idle : IDLE_MS.longest);
      idle = Math.min(IDLE_MS.longest, idle * 2);
    }
  }

  /** Claims jobs of the next kind that has some.
   * @param wait milliseconds before a kind without jobs is looked for again */
  private async claimSome(count: number, wait: number): Promise<ClaimedJob[]> {
    const now = performance.now();
    for (const [id, { until }] of this.refused) if (until < now) this.refused.delete(id);
    const { kinds, queue, name } = this.o;
    for (let i = 0; i < kinds.length; i++) {
      const kind = kinds[(this.turn + i) % kinds.length] as JobKind;
      if ((this.empty.get(kind) ?? 0) > now) continue;
      const jobs = await queue.claim(kind, count, [...this.refused.keys()], name);
      if (jobs.length > 0) {
        this.turn += i + 1;
        return jobs;
      }
      this.empty.set(kind, performance.now() + wait);
    }
    return [];
  }

  private start(job: ClaimedJob): void {
    const lost = new AbortController();
    const key = `${job.id}-${job.attempt}`;
    const ended = this.workOff(job, lost)
      .catch((error) => this.warn(`job ${job.id}: ${toAtomsmithError(error).message}`))
      .finally(() => {
        this.active.delete(key);
        this.wake();
      });
    this.active.set(key, { job, lost, ended });
  }

  private async workOff(job: ClaimedJob, lost: AbortController): Promise<void> {
    const { queue, name } = this.o;
    const outcome = await this.outcome(job, lost);
    if (lost.signal.aborted) {
      this.summary.lost += 1;
      return;
    }
    if (outcome.end === "result") {
      const done = await queue.complete(job, name, JSON.stringify(outcome.result), outcome.store);
      if (done) this.summary.done += 1;
      else this.summary.lost += 1;
      if (done && outcome.stop)
        await stopSubmission(queue, job.submission, outcome.stop.reason, outcome.stop.exit);
      return;
    }
    if (outcome.end === "failed") {
      this.summary.failed += 1;
      this.warn(`${job.kind} ${job.subject}: ${outcome.reason}`);
      await queue.fail(job, name, outcome.reason);
      return;
    }
    this.summary.handed_back += 1;
    if (outcome.refuse) this.refuse(job.submission, outcome.reason);
    await queue.handBack(job, name, outcome.reason, BACK_SECONDS);
  }

  private async outcome(job: ClaimedJob, lost: AbortController): Promise<Outcome> {
    const { signal, pause } = this.o;
    const { stopped } = job;
    if (stopped !== undefined)
      return { end: "result", result: { not_started: stopped.reason, exit: stopped.exit } };
    const ready = this.prepare(job);
    ready.users += 1;
    try {
      const prepared = await ready.made;
      return await prepared.work({ job, pause, signal: AbortSignal.any([signal, lost.signal]) });
    } catch (thrown) {
      const error = toAtomsmithError(thrown);
      return error instanceof Refusal
        ? { end: "back", reason: error.message, refuse: true }
        : { end: "failed", reason: error.message };
    } finally {
      ready.users -= 1;
    }
  }

  private prepare(job: ClaimedJob): { made: Promise<Prepared>; users: number } {
    const known = this.prepared.get(job.submission);
    if (known !== undefined) return known;
    const entry = { made: this.make(job), users: 0 };
    this.prepared.set(job.submission, entry);
    entry.made.catch(() => this.prepared.delete(job.submission));
    for (const [id, { users, made }] of this.prepared) {
      if (this.prepared.size <= MAX_PREPARED) break;
      if (users > 0 || id === job.submission) continue;
      this.prepared.delete(id);
      made.then((prepared) => prepared.close()).catch(() => undefined);
    }
    return entry;
  }

  /** Checks whether this worker can work on a submission. Throws a refusal when it cannot. */
  private async make(job: ClaimedJob): Promise<Prepared> {
    const { queue, handlers } = this.o;
    const submission = await loadSubmission(queue, job.submission);
    if (submission === undefined) throw new Refusal("its submission is gone");
    if (submission.program !== this.program) {
      throw new Refusal("it was submitted by another version of atomsmith");
    }
    const root = submission.root === null ? "" : await this.rootOf(submission, submission.root);
    try {
      return await handlers[job.kind]({ id: job.submission, submission, root }, this.o);
    } catch (thrown) {
      const error = toAtomsmithError(thrown);
      // Most often a key that this worker does not have.
      if (error.kind === "config" || error.kind === "sandbox") throw new Refusal(error.message);
      throw error;
    }
  }

  /** This worker's path of the search root. Throws a refusal when the logs of the submission do not lie there. */
  private async rootOf(
    submission: Submission,
    { name, hash }: { name: string; hash: string },
  ): Promise<string> {
    const found = findRoot(name, this.o.roots);
    if ("missing" in found) throw new Refusal(found.missing);
    if (hashRoot(found.path, submission.own_files) !== hash) {
      throw new Refusal(`the search root ${name} has other contents on this worker`);
    }
    if (submission.store === "files") await this.checkShared(submission, found.path);
    return found.path;
  }

  /** Checkpoints in shared files name paths, so these have to be the same on all machines. */
  private async checkShared({ store_mark, config }: Submission, root: string): Promise<void> {
    const { output_dir } = this.o.config.paths;
    if ((await folderMark(output_dir)) !== store_mark) {
      throw new Refusal(
        `the output folder ${output_dir} is not the shared one of the submission (--out, --cache)`,
      );
    }
    const theirs = configSchema.parse(config).paths.search_root;
    if (theirs !== root) {
      throw new Refusal(`with queue.store: files the search root needs the same path everywhere: ${theirs}`);
    }
  }

  private refuse(submission: string, reason: string): void {
    if (!this.refused.has(submission)) this.warn(`jobs of submission ${submission} are refused: ${reason}`);
    this.refused.set(submission, { until: performance.now() + REFUSED_MS, reason });
  }

  /** Heartbeats of the jobs under way and of the worker. A job that the queue gave to another worker is stopped. */
  private async beats(): Promise<void> {
    while (!(this.ending && this.active.size === 0)) {
      const began = performance.now();
      try {
        await this.beatOnce();
      } catch (error) {
        this.warn(toAtomsmithError(error).message);
      }
      const left = Math.max(0, Math.min(BEAT_MS, began + BEAT_MS - performance.now()));
      await Promise.race([Bun.sleep(left), this.over.promise]);
    }
  }

  private async beatOnce(): Promise<void> {
    const { queue, kinds, roots, host, name, concurrency } = this.o;
    for (const kind of kinds) {
      const own = [...this.active.values()].filter(({ job }) => job.kind === kind);
      const held = await queue.touch(
        kind,
        own.map(({ job }) => job),
      );
      for (const { job, lost } of own) {
        if (held.has(job.id) || !this.active.has(`${job.id}-${job.attempt}`) || lost.signal.aborted) continue;
        lost.abort(new AtomsmithError("interrupted", `job ${job.id} was taken over by another worker`));
      }
    }
    const refused = [...this.refused.values()].map(({ reason }) => reason).join("; ");
    this.draining =
      (await beat(
        queue,
        { id: name, host, version: VERSION, kinds, roots: [...roots.keys()], concurrency },
        { running: this.active.size, done: this.summary.done, refused: refused === "" ? null : refused },
      )) || this.draining;
    await queue.buryDead();
    if (performance.now() - this.cleaned < HOUSEKEEPING_MS && this.cleaned > 0) return;
    this.cleaned = performance.now();
    // Heartbeats do not wait for it.
    removeOld(queue, KEEP_DAYS).catch((error) => this.warn(toAtomsmithError(error).message));
  }

  /** Sleeps, or until a job ends or the worker is stopped. */
  private async pauseFor(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wake = resolve;
    const end = (): void => resolve();
    const timer = setTimeout(end, ms);
    this.o.pause.addEventListener("abort", end, { once: true });
    await promise;
    this.o.pause.removeEventListener("abort", end);
    clearTimeout(timer);
  }

  private warn(message: string): void {
    this.o.bus.emit({ type: "log", level: "warning", message });
  }
}

/** This worker cannot work on a submission; others may. */
class Refusal extends AtomsmithError {
  constructor(message: string) {
    super("config", message);
  }
}
