// Detects whether the worker of a job is alive. Clocks of different machines are not compared: a worker of another
// machine counts as dead when its heartbeat has not changed for three intervals of this process's monotonic clock.
import { join } from "node:path";
import { lockHolder } from "../../store/lock.ts";
import { storeFolder } from "./jobs/folder.ts";
import type { Job, JobStore } from "./jobs/types.ts";

/** Number of missed heartbeats after which a worker counts as dead. */
const MAX_MISSED = 3;
/** Polls per heartbeat interval. */
const POLLS_PER_BEAT = 4;

interface Observation {
  worker: string | null;
  beat: number | null;
  /** Monotonic time of the first observation of this heartbeat. */
  since: number;
  /** True when an earlier heartbeat of the same worker was observed. */
  changed: boolean;
}

interface Verdict {
  /** The job at the last poll. */
  job: Job | undefined;
  workedOn: boolean;
  /** Token of the lock of the dead worker, if it left one. */
  dead?: string | undefined;
}

export class Heartbeats {
  private readonly jobs: JobStore;
  private readonly workspace: string;
  private readonly beatMs: number;
  private readonly observations = new Map<string, Observation>();

  /** @param workspace folder of all jobs */
  constructor(jobs: JobStore, workspace: string, beatMs: number) {
    this.jobs = jobs;
    this.workspace = workspace;
    this.beatMs = beatMs;
  }

  /** Poll interval, milliseconds. */
  get pollMs(): number {
    return this.beatMs / POLLS_PER_BEAT;
  }

  /** True when a worker runs the job. Undefined when further polls are needed. */
  async isRunning(job: Job): Promise<boolean | undefined> {
    return (await this.poll(job)).workedOn;
  }

  /** Polls until the answer is known, for at most three heartbeats. Rejects with the signal's reason. */
  async waitUntilKnown(id: string, signal?: AbortSignal): Promise<Verdict> {
    for (;;) {
      signal?.throwIfAborted();
      const job = this.jobs.get(id);
      if (job === undefined) return { job, workedOn: false };
      const { workedOn, lock } = await this.poll(job);
      if (workedOn !== undefined) return { job, workedOn, ...(workedOn ? {} : { dead: lock }) };
      await Bun.sleep(this.pollMs);
    }
  }

  private async poll(job: Job): Promise<{ workedOn: boolean | undefined; lock?: string }> {
    if (job.status !== "processing" || job.worker === null) return { workedOn: false };
    const holder = await lockHolder(join(storeFolder(this.workspace, job.id), "lock"));
    if (holder === undefined) return { workedOn: false };
    return { workedOn: holder.runs || this.hasHeartbeat(job), lock: holder.token };
  }

  private hasHeartbeat({ id, worker, heartbeat_ms: beat }: Job): boolean | undefined {
    const now = performance.now();
    const known = this.observations.get(id);
    if (known?.worker !== worker || known.beat !== beat) {
      const changed = known?.worker === worker;
      this.observations.set(id, { worker, beat, since: now, changed });
      return changed ? true : undefined;
    }
    if (now - known.since > MAX_MISSED * this.beatMs) return false;
    return known.changed ? true : undefined;
  }
}
