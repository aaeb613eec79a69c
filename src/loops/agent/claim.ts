// A worker's claim on a job: the process lock of its folder, its row in the store, and a heartbeat. A worker that loses it
// stops before the next call and cannot write checkpoints.
import { AtomsmithError } from "../../core/errors.ts";
import { randomHex } from "../../core/random.ts";
import type { Redact } from "../../core/redact/index.ts";
import { type Retention, RunStore, type RunWriter } from "../../store/index.ts";
import type { Heartbeats } from "./heartbeats.ts";
import { storeFolder } from "./jobs/folder.ts";
import type { Job, JobChange, JobStore } from "./jobs/types.ts";
import { AGENT_LOOP } from "./schemas.ts";

export interface ClaimOptions {
  jobs: JobStore;
  /** Folder of all jobs. */
  workspace: string;
  heartbeatMs: number;
  heartbeats: Heartbeats;
  retention: Retention;
  redact: Redact;
  signal: AbortSignal;
  /** Set for a worker of a fleet: its lease replaces the lock of the folder. */
  store?: RunWriter;
}

/** The job was cancelled by the user. */
export class Cancelled extends AtomsmithError {
  constructor(id: string) {
    super("interrupted", `job ${id} was cancelled`, { where: id });
  }
}

export class Claim {
  readonly store: RunWriter;
  readonly id: string;
  private readonly worker: string;
  private readonly jobs: JobStore;
  private readonly timer: ReturnType<typeof setInterval>;
  private lost = false;

  private constructor(job: Job, worker: string, store: RunWriter, { jobs, heartbeatMs }: ClaimOptions) {
    this.id = job.id;
    this.worker = worker;
    this.store = store;
    this.jobs = jobs;
    this.timer = setInterval(() => this.sendHeartbeat(), heartbeatMs);
    this.timer.unref();
  }

  /** Claims the job; waits up to three heartbeats to learn whether a worker of another machine is dead. Throws kind `usage`
   * when an active worker has it, or when its state has changed. */
  static async acquire(seen: Job, options: ClaimOptions): Promise<Claim> {
    const { job, store } = options.store
      ? { job: seen, store: options.store }
      : await openFolder(seen, options);
    const worker = randomHex(8);
    if (options.jobs.claim(job, worker, Date.now())) return new Claim(job, worker, store, options);
    await store.close();
    throw new AtomsmithError("usage", `job ${job.id} is being worked on by another process`, {
      where: job.id,
    });
  }

  /** Throws when another worker has the job, or when it was cancelled. */
  check(): void {
    const job = this.jobs.get(this.id);
    if (this.lost || job?.worker !== this.worker) {
      throw new AtomsmithError("store", `job ${this.id} was taken over by another worker`, {
        where: this.id,
      });
    }
    if (job.cancel_requested) throw new Cancelled(this.id);
  }

  update(change: JobChange): void {
    if (!this.jobs.update(this.id, this.worker, change)) this.lost = true;
  }

  /** Ends the claim; sets the status of the change, if any. */
  async release(change: JobChange): Promise<void> {
    clearInterval(this.timer);
    this.jobs.release(this.id, this.worker, change);
    await this.store.close();
  }

  private sendHeartbeat(): void {
    try {
      if (!this.jobs.beat(this.id, this.worker, Date.now())) this.lost = true;
    } catch {
      // The store may be busy: the next heartbeat or check reports a lost job.
    }
  }
}

/** The store in the job's folder. */
async function openFolder(seen: Job, options: ClaimOptions): Promise<{ job: Job; store: RunStore }> {
  const { heartbeats, workspace, retention, redact, signal } = options;
  const { job = seen, dead } = await heartbeats.waitUntilKnown(seen.id, signal);
  const place = { folder: storeFolder(workspace, seen.id), dead };
  return { job, store: await RunStore.open(place, { loop: AGENT_LOOP, id: seen.id }, retention, redact) };
}
