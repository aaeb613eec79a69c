// A worker: claims jobs, sends heartbeats, runs the jobs, and stops those that another worker took over. A result is
// stored only by a completion fenced by job and attempt, so a worker may be killed or stopped at any moment.
import { configSchema } from "../config/schema.ts";
import { AtomsmithError, toAtomsmithError } from "../core/errors.ts";
import { VERSION } from "../core/version.ts";
import {
  type ClaimedJob,
  findRoot,
  hashRoot,
  type JobKind,
  loadSubmission,
  removeOld,
  removeWorker,
  type Submission,
  sendHeartbeat,
  stopSubmission,
} from "../queue/index.ts";
import { programHash } from "./program.ts";
import { folderMark } from "./submission.ts";
import type { Outcome, Prepare, Prepared, WorkerContext } from "./types.ts";

const HEARTBEAT_MS = 2_000;
/** Interval between claims of an idle worker, milliseconds. */
const IDLE_MS = { first: 50, longest: 500 };
/** Duration of a refusal, milliseconds: a root may be mounted later. */
const REFUSED_MS = 60_000;
/** Delay before a returned job can be claimed again, seconds. */
const BACK_SECONDS = 1;
/** A worker claims jobs for 1/CLAIM_SHARE of its free slots at once, so that a small batch spreads over the fleet. */
const CLAIM_SHARE = 4;
/** Maximum number of prepared submissions. */
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
  /** Aborted to end the worker: running jobs finish their stage and are returned to the queue. */
  pause: AbortSignal;
  /** Ends the worker after this time without a job, milliseconds. */
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
  private readonly options: WorkerOptions;
  private readonly active = new Map<string, Active>();
  private readonly prepared = new Map<string, { created: Promise<Prepared>; users: number }>();
  private readonly refused = new Map<string, { until: number; reason: string }>();
  private readonly summary: WorkerSummary = { done: 0, failed: 0, handed_back: 0, lost: 0 };
  private readonly program = programHash();
  /** Kinds without jobs at the last claim, and until when they are not claimed again. */
  private readonly emptyUntil = new Map<JobKind, number>();
  private draining = false;
  private turn = 0;
  private wake: () => void = () => undefined;
  /** Resolved when no job is running any more. */
  private readonly allEnded = Promise.withResolvers<void>();
  private cleaned = 0;

  constructor(options: WorkerOptions) {
    this.options = options;
  }

  /** Runs jobs until it is stopped, drained, or idle for too long. */
  async run(): Promise<WorkerSummary> {
    const beating = this.heartbeatLoop();
    try {
      await this.claimLoop();
      await Promise.all([...this.active.values()].map((active) => active.ended));
    } finally {
      this.draining = true;
      this.allEnded.resolve();
      await beating.catch(() => undefined);
      for (const { created } of this.prepared.values()) await (await created.catch(() => undefined))?.close();
      await removeWorker(this.options.queue, this.options.name).catch(() => undefined);
    }
    return this.summary;
  }

  private get ending(): boolean {
    return this.draining || this.options.pause.aborted || this.options.signal.aborted;
  }

  private async claimLoop(): Promise<void> {
    let idle = IDLE_MS.first;
    let idleSince = performance.now();
    while (!this.ending) {
      const free = this.options.concurrency - this.active.size;
      const wait = this.active.size > 0 ? IDLE_MS.longest : idle;
      const jobs = free > 0 ? await this.claimSome(Math.ceil(free / CLAIM_SHARE), wait) : [];
      for (const job of jobs) this.start(job);
      if (jobs.length > 0) {
        idle = IDLE_MS.first;
        continue;
      }
      if (this.active.size > 0) idleSince = performance.now();
      else if (performance.now() - idleSince > (this.options.idleMs ?? Number.POSITIVE_INFINITY)) return;
      await this.pauseFor(free > 0 ? idle : IDLE_MS.longest);
      idle = Math.min(IDLE_MS.longest, idle * 2);
    }
  }

  /** Claims jobs of the next kind that has any.
   * @param wait milliseconds before a kind without jobs is claimed again */
  private async claimSome(count: number, wait: number): Promise<ClaimedJob[]> {
    const now = performance.now();
    for (const [id, { until }] of this.refused) if (until < now) this.refused.delete(id);
    const { kinds, queue, name } = this.options;
    for (let i = 0; i < kinds.length; i++) {
      const kind = kinds[(this.turn + i) % kinds.length] as JobKind;
      if ((this.emptyUntil.get(kind) ?? 0) > now) continue;
      const jobs = await queue.claim(kind, count, [...this.refused.keys()], name);
      if (jobs.length > 0) {
        this.turn += i + 1;
        return jobs;
      }
      this.emptyUntil.set(kind, performance.now() + wait);
    }
    return [];
  }

  private start(job: ClaimedJob): void {
    const lost = new AbortController();
    const key = `${job.id}-${job.attempt}`;
    const ended = this.runClaimed(job, lost)
      .catch((error) => this.warn(`job ${job.id}: ${toAtomsmithError(error).message}`))
      .finally(() => {
        this.active.delete(key);
        this.wake();
      });
    this.active.set(key, { job, lost, ended });
  }

  private async runClaimed(job: ClaimedJob, lost: AbortController): Promise<void> {
    const { queue, name } = this.options;
    const outcome = await this.execute(job, lost);
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

  private async execute(job: ClaimedJob, lost: AbortController): Promise<Outcome> {
    const { signal, pause } = this.options;
    const { stopped } = job;
    if (stopped !== undefined)
      return { end: "result", result: { not_started: stopped.reason, exit: stopped.exit } };
    const ready = this.prepare(job);
    ready.users += 1;
    try {
      const prepared = await ready.created;
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

  private prepare(job: ClaimedJob): { created: Promise<Prepared>; users: number } {
    const known = this.prepared.get(job.submission);
    if (known !== undefined) return known;
    const entry = { created: this.createPrepared(job), users: 0 };
    this.prepared.set(job.submission, entry);
    entry.created.catch(() => this.prepared.delete(job.submission));
    for (const [id, { users, created }] of this.prepared) {
      if (this.prepared.size <= MAX_PREPARED) break;
      if (users > 0 || id === job.submission) continue;
      this.prepared.delete(id);
      created.then((prepared) => prepared.close()).catch(() => undefined);
    }
    return entry;
  }

  /** Checks whether this worker can work on a submission. Throws a refusal when it cannot. */
  private async createPrepared(job: ClaimedJob): Promise<Prepared> {
    const { queue, handlers } = this.options;
    const submission = await loadSubmission(queue, job.submission);
    if (submission === undefined) throw new Refusal("its submission no longer exists");
    if (submission.program !== this.program) {
      throw new Refusal("it was submitted by another version of atomsmith");
    }
    const root = submission.root === null ? "" : await this.rootOf(submission, submission.root);
    try {
      return await handlers[job.kind]({ id: job.submission, submission, root }, this.options);
    } catch (thrown) {
      const error = toAtomsmithError(thrown);
      // Most often a missing API key.
      if (error.kind === "config" || error.kind === "sandbox") throw new Refusal(error.message);
      throw error;
    }
  }

  /** This worker's path of the search root. Throws a refusal when its content differs from that of the submission. */
  private async rootOf(
    submission: Submission,
    { name, hash }: { name: string; hash: string },
  ): Promise<string> {
    const found = findRoot(name, this.options.roots);
    if ("missing" in found) throw new Refusal(found.missing);
    if (hashRoot(found.path, submission.own_files) !== hash) {
      throw new Refusal(`the search root ${name} has different contents on this worker`);
    }
    if (submission.store === "files") await this.checkShared(submission, found.path);
    return found.path;
  }

  /** Checkpoints in shared files contain paths, so these must be the same on all machines. */
  private async checkShared({ store_mark, config }: Submission, root: string): Promise<void> {
    const { output_dir } = this.options.config.paths;
    if ((await folderMark(output_dir)) !== store_mark) {
      throw new Refusal(
        `the output folder ${output_dir} is not the shared one of the submission (--out, --cache)`,
      );
    }
    const submittedRoot = configSchema.parse(config).paths.search_root;
    if (submittedRoot !== root) {
      throw new Refusal(
        `with queue.store: files, the search root must have the same path on all machines: ${submittedRoot}`,
      );
    }
  }

  private refuse(submission: string, reason: string): void {
    if (!this.refused.has(submission)) this.warn(`jobs of submission ${submission} are refused: ${reason}`);
    this.refused.set(submission, { until: performance.now() + REFUSED_MS, reason });
  }

  /** Sends heartbeats of the running jobs and of the worker. Stops a job that the queue gave to another worker. */
  private async heartbeatLoop(): Promise<void> {
    while (!(this.ending && this.active.size === 0)) {
      const began = performance.now();
      try {
        await this.sendHeartbeats();
      } catch (error) {
        this.warn(toAtomsmithError(error).message);
      }
      const left = Math.max(0, Math.min(HEARTBEAT_MS, began + HEARTBEAT_MS - performance.now()));
      await Promise.race([Bun.sleep(left), this.allEnded.promise]);
    }
  }

  private async sendHeartbeats(): Promise<void> {
    const { queue, kinds, roots, host, name, concurrency } = this.options;
    for (const kind of kinds) {
      const own = [...this.active.values()].filter(({ job }) => job.kind === kind);
      const owned = await queue.touch(
        kind,
        own.map(({ job }) => job),
      );
      for (const { job, lost } of own) {
        if (owned.has(job.id) || !this.active.has(`${job.id}-${job.attempt}`) || lost.signal.aborted)
          continue;
        lost.abort(new AtomsmithError("interrupted", `job ${job.id} was taken over by another worker`));
      }
    }
    const refused = [...this.refused.values()].map(({ reason }) => reason).join("; ");
    this.draining =
      (await sendHeartbeat(
        queue,
        { id: name, host, version: VERSION, kinds, roots: [...roots.keys()], concurrency },
        { running: this.active.size, done: this.summary.done, refused: refused === "" ? null : refused },
      )) || this.draining;
    await queue.markDead();
    if (performance.now() - this.cleaned < HOUSEKEEPING_MS && this.cleaned > 0) return;
    this.cleaned = performance.now();
    // Not awaited, so that heartbeats are not delayed.
    removeOld(queue, KEEP_DAYS).catch((error) => this.warn(toAtomsmithError(error).message));
  }

  /** Sleeps until the time is over, a job ends, or the worker is stopped. */
  private async pauseFor(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.wake = resolve;
    const end = (): void => resolve();
    const timer = setTimeout(end, ms);
    this.options.pause.addEventListener("abort", end, { once: true });
    await promise;
    this.options.pause.removeEventListener("abort", end);
    clearTimeout(timer);
  }

  private warn(message: string): void {
    this.options.bus.emit({ type: "log", level: "warning", message });
  }
}

/** Error of a submission that this worker cannot run, but others may. */
class Refusal extends AtomsmithError {
  constructor(message: string) {
    super("config", message);
  }
}
