// Waits for jobs of the fleet: one query for all that are waited for, and a word to the person when nothing moves.
import { toAtomsmithError } from "../core/errors.ts";
import { endedJobs, type JobResult, listWorkers, type Queue } from "../queue/index.ts";

const LOOK_MS = { first: 100, longest: 300 };
/** Between two looks for jobs without attempts left: workers look, too. */
const BURY_MS = 2_000;
/** Nothing ended for this long: look whether there are workers at all, milliseconds. */
const QUIET_MS = 15_000;

interface Waiter {
  resolve(job: JobResult): void;
  reject(error: unknown): void;
}

export class Collector {
  private readonly waiters = new Map<string, Waiter>();
  private readonly queue: Queue;
  private readonly signal: AbortSignal;
  private readonly warn: (message: string) => void;
  private looking = false;
  private closed = false;
  private quietSince = performance.now();
  private buriedAt = 0;
  private warned = "";

  constructor(queue: Queue, signal: AbortSignal, warn: (message: string) => void) {
    this.queue = queue;
    this.signal = signal;
    this.warn = warn;
    signal.addEventListener("abort", () => this.rejectAll(signal.reason), { once: true });
  }

  /** Resolves when the job has ended. Rejects with the signal's reason; the job goes on then. */
  wait(id: string): Promise<JobResult> {
    const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
    if (this.signal.aborted) reject(this.signal.reason);
    else this.waiters.set(id, { resolve, reject });
    if (!this.looking) void this.look();
    return promise;
  }

  close(): void {
    this.closed = true;
  }

  private async look(): Promise<void> {
    this.looking = true;
    let wait = LOOK_MS.first;
    while (this.waiters.size > 0 && !this.closed) {
      try {
        const ended = await this.lookOnce();
        wait = ended > 0 ? LOOK_MS.first : Math.min(LOOK_MS.longest, wait * 1.5);
      } catch (error) {
        this.rejectAll(toAtomsmithError(error));
      }
      await Bun.sleep(wait);
    }
    this.looking = false;
  }

  private async lookOnce(): Promise<number> {
    const ended = await endedJobs(this.queue, [...this.waiters.keys()]);
    for (const job of ended) {
      this.waiters.get(job.id)?.resolve(job);
      this.waiters.delete(job.id);
    }
    if (performance.now() - this.buriedAt > BURY_MS) {
      this.buriedAt = performance.now();
      await this.queue.buryDead();
    }
    if (ended.length > 0) this.quietSince = performance.now();
    else if (performance.now() - this.quietSince > QUIET_MS) await this.tellQuiet();
    return ended.length;
  }

  private async tellQuiet(): Promise<void> {
    this.quietSince = performance.now();
    const workers = await listWorkers(this.queue.db);
    const refusals = [...new Set(workers.flatMap(({ refused }) => refused ?? []))];
    const message =
      workers.length === 0
        ? `no worker lives on ${this.queue.db.name}; start one with: atomsmith worker --queue URL`
        : refusals.length > 0
          ? `workers refuse jobs: ${refusals.join("; ")}`
          : "";
    if (message !== "" && message !== this.warned) this.warn(message);
    this.warned = message;
  }

  private rejectAll(error: unknown): void {
    for (const { reject } of this.waiters.values()) reject(error);
    this.waiters.clear();
  }
}
