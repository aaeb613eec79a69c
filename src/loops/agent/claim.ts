// A worker's claim on a job: the process lock of its folder, its row in the store, and a heartbeat. A worker that loses it
// stops before the next call and cannot write checkpoints.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { AtomsmithError } from "../../core/errors.ts";
import { randomHex } from "../../core/random.ts";
import type { Redact } from "../../core/redact/index.ts";
import { type Retention, RunStore, type RunWriter } from "../../store/index.ts";
import { storeFolder } from "./jobs/folder.ts";
import type { Job, JobChange, JobStore } from "./jobs/types.ts";
import { AGENT_LOOP } from "./schemas.ts";

/** Heartbeats that a worker of another machine may miss. */
const MISSED = 3;

export interface ClaimOptions {
  jobs: JobStore;
  /** Folder of all jobs. */
  workspace: string;
  heartbeatMs: number;
  retention: Retention;
  redact: Redact;
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
    this.timer = setInterval(() => this.beat(), heartbeatMs);
    this.timer.unref();
  }

  /** Claims the job. Throws kind `usage` when an active worker has it, or when its state has changed. */
  static async take(job: Job, options: ClaimOptions): Promise<Claim> {
    const store = options.store ?? (await openFolder(job, options));
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

  private beat(): void {
    try {
      if (!this.jobs.beat(this.id, this.worker, Date.now())) this.lost = true;
    } catch {
      // The store may be busy: the next heartbeat or check reports a lost job.
    }
  }
}

/** The store in the job's folder. A worker of another machine counts as dead after missed heartbeats, one of this
 * machine as soon as its process has ended. */
async function openFolder(job: Job, options: ClaimOptions): Promise<RunStore> {
  const folder = storeFolder(options.workspace, job.id);
  const silent = job.heartbeat_ms === null ? 0 : Date.now() - job.heartbeat_ms;
  if (job.worker !== null && silent > MISSED * options.heartbeatMs)
    await rm(join(folder, "lock"), { force: true });
  return RunStore.open({ folder }, { loop: AGENT_LOOP, id: job.id }, options.retention, options.redact);
}
