// Waits for jobs of the fleet with one query for all of them, and warns when there is no progress.
import { toAtomsmithError } from "../core/errors.ts";
import { endedJobs, type JobResult, listWorkers, type Queue } from "../queue/index.ts";

const POLL_MS = { first: 100, longest: 300 };
/** Interval of marking jobs dead that used all attempts; workers do this too. */
const MARK_DEAD_MS = 2_000;
/** Without an ended job for this long, check whether there are workers, milliseconds. */
const STALLED_MS = 15_000;

interface Waiter {
  resolve(job: JobResult): void;
  reject(error: unknown): void;
}

export class Collector {
  private readonly waiters = new Map<string, Waiter>();
  private readonly queue: Queue;
  private readonly signal: AbortSignal;
  private readonly warn: (message: string) => void;
  private polling = false;
  private closed = false;
  private lastEndAt = performance.now();
  private markedDeadAt = 0;
  private lastWarning = "";

  constructor(queue: Queue, signal: AbortSignal, warn: (message: string) => void) {
    this.queue = queue;
    this.signal = signal;
    this.warn = warn;
    signal.addEventListener("abort", () => this.rejectAll(signal.reason), { once: true });
  }

  /** Resolves when the job has ended. Rejects with the signal's reason; the job then continues. */
  wait(id: string): Promise<JobResult> {
    const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
    if (this.signal.aborted) reject(this.signal.reason);
    else this.waiters.set(id, { resolve, reject });
    if (!this.polling) void this.poll();
    return promise;
  }

  close(): void {
    this.closed = true;
  }

  private async poll(): Promise<void> {
    this.polling = true;
    let wait = POLL_MS.first;
    while (this.waiters.size > 0 && !this.closed) {
      try {
        const ended = await this.pollOnce();
        wait = ended > 0 ? POLL_MS.first : Math.min(POLL_MS.longest, wait * 1.5);
      } catch (error) {
        this.rejectAll(toAtomsmithError(error));
      }
      await Bun.sleep(wait);
    }
    this.polling = false;
  }

  private async pollOnce(): Promise<number> {
    const ended = await endedJobs(this.queue, [...this.waiters.keys()]);
    for (const job of ended) {
      this.waiters.get(job.id)?.resolve(job);
      this.waiters.delete(job.id);
    }
    if (performance.now() - this.markedDeadAt > MARK_DEAD_MS) {
      this.markedDeadAt = performance.now();
      await this.queue.markDead();
    }
    if (ended.length > 0) this.lastEndAt = performance.now();
    else if (performance.now() - this.lastEndAt > STALLED_MS) await this.warnIfStalled();
    return ended.length;
  }

  private async warnIfStalled(): Promise<void> {
    this.lastEndAt = performance.now();
    const workers = await listWorkers(this.queue.db);
    const refusals = [...new Set(workers.flatMap(({ refused }) => refused ?? []))];
    const message =
      workers.length === 0
        ? `no live worker on ${this.queue.db.name}; start one with: atomsmith worker --queue URL`
        : refusals.length > 0
          ? `workers refuse jobs: ${refusals.join("; ")}`
          : "";
    if (message !== "" && message !== this.lastWarning) this.warn(message);
    this.lastWarning = message;
  }

  private rejectAll(error: unknown): void {
    for (const { reject } of this.waiters.values()) reject(error);
    this.waiters.clear();
  }
}
