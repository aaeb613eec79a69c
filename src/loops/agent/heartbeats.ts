// Does the worker of a job live? The clocks of machines that share a workspace are not compared: a worker of another machine
// counts as dead when its heartbeat has not changed while three of them were due by this process's own monotonic clock.
import { join } from "node:path";
import { lockHolder } from "../../store/lock.ts";
import { storeFolder } from "./jobs/folder.ts";
import type { Job, JobStore } from "./jobs/types.ts";

/** Heartbeats that a worker may miss. */
const MISSED = 3;
/** Looks at a heartbeat within its time. */
const LOOKS = 4;

interface Seen {
  worker: string | null;
  beat: number | null;
  /** When it was first seen so, by the monotonic clock. */
  since: number;
  /** It was seen with another heartbeat before. */
  changed: boolean;
}

interface Known {
  /** As it was at the last look. */
  job: Job | undefined;
  workedOn: boolean;
  /** Token of the lock of the dead worker, if it left one. */
  dead?: string | undefined;
}

export class Heartbeats {
  private readonly jobs: JobStore;
  private readonly workspace: string;
  private readonly beatMs: number;
  private readonly seen = new Map<string, Seen>();

  /** @param workspace folder of all jobs */
  constructor(jobs: JobStore, workspace: string, beatMs: number) {
    this.jobs = jobs;
    this.workspace = workspace;
    this.beatMs = beatMs;
  }

  /** Time between two looks, milliseconds. */
  get lookMs(): number {
    return this.beatMs / LOOKS;
  }

  /** Does a worker work on the job? Undefined when it takes further looks to tell. */
  async isWorkedOn(job: Job): Promise<boolean | undefined> {
    return (await this.look(job)).workedOn;
  }

  /** Looks until it is told: for three heartbeats at most. Rejects with the signal's reason. */
  async untilKnown(id: string, signal?: AbortSignal): Promise<Known> {
    for (;;) {
      signal?.throwIfAborted();
      const job = this.jobs.get(id);
      if (job === undefined) return { job, workedOn: false };
      const { workedOn, lock } = await this.look(job);
      if (workedOn !== undefined) return { job, workedOn, ...(workedOn ? {} : { dead: lock }) };
      await Bun.sleep(this.lookMs);
    }
  }

  private async look(job: Job): Promise<{ workedOn: boolean | undefined; lock?: string }> {
    if (job.status !== "processing" || job.worker === null) return { workedOn: false };
    const holder = await lockHolder(join(storeFolder(this.workspace, job.id), "lock"));
    if (holder === undefined) return { workedOn: false };
    return { workedOn: holder.runs || this.beats(job), lock: holder.token };
  }

  private beats({ id, worker, heartbeat_ms: beat }: Job): boolean | undefined {
    const now = performance.now();
    const known = this.seen.get(id);
    if (known?.worker !== worker || known.beat !== beat) {
      const changed = known?.worker === worker;
      this.seen.set(id, { worker, beat, since: now, changed });
      return changed ? true : undefined;
    }
    if (now - known.since > MISSED * this.beatMs) return false;
    return known.changed ? true : undefined;
  }
}
