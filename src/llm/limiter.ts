// Adaptive concurrency: limits the number of concurrent calls to one endpoint. A 429 lowers the limit by a fifth and
// pauses the endpoint for the requested time; a round of successes raises it by one; server errors only suspend growth.
// One limiter per endpoint, shared by all items and roles of a run.
import type { Clock } from "../core/clock.ts";

/** Time without growth after a reduction or a server error, milliseconds. */
const COOL_DOWN_MS = 10_000;

export type CallOutcome = "success" | "rate_limited" | "server_error" | "other";

interface Waiter {
  start: () => void;
}

export class AdaptiveLimiter {
  private limit: number;
  private running = 0;
  private successes = 0;
  /** Time of the last reduction; calls that started before it do not reduce the limit again. */
  private lastCut = Number.NEGATIVE_INFINITY;
  private growAfter = Number.NEGATIVE_INFINITY;
  private pausedUntil = Number.NEGATIVE_INFINITY;
  private readonly waiters: Waiter[] = [];
  private readonly max: number;
  private readonly clock: Clock;

  constructor(max: number, clock: Clock) {
    this.max = max;
    this.limit = max;
    this.clock = clock;
  }

  /** The current limit, and the numbers of running and waiting calls. */
  state(): { limit: number; running: number; waiting: number } {
    return { limit: this.limit, running: this.running, waiting: this.waiters.length };
  }

  /** Runs `call` when the limit allows it; `outcomeOf` classifies its result. Rejects with the signal's reason when
   * aborted while waiting. */
  async run<T>(
    signal: AbortSignal,
    call: () => Promise<T>,
    outcomeOf: (result: T) => { outcome: CallOutcome; retryAfterMs?: number },
  ): Promise<T> {
    await this.acquire(signal);
    const startedAt = this.clock.now();
    try {
      const result = await call();
      const { outcome, retryAfterMs } = outcomeOf(result);
      this.adapt(outcome, startedAt, retryAfterMs);
      return result;
    } finally {
      this.running -= 1;
      this.admit();
    }
  }

  private async acquire(signal: AbortSignal): Promise<void> {
    let woken = false;
    try {
      for (;;) {
        signal.throwIfAborted();
        const pause = this.pausedUntil - this.clock.now();
        if (pause > 0) {
          await this.clock.sleep(pause, signal);
          continue;
        }
        if (this.running < this.limit) {
          this.running += 1;
          return;
        }
        await this.queue(signal);
        woken = true;
      }
    } catch (error) {
      // Pass the slot of this waiter on to the next one.
      if (woken) this.admit();
      throw error;
    }
  }

  private queue(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const at = this.waiters.indexOf(waiter);
        if (at >= 0) this.waiters.splice(at, 1);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        start: () => {
          signal.removeEventListener("abort", leave);
          resolve();
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      this.waiters.push(waiter);
    });
  }

  /** Wakes as many waiters as there are free slots; each checks again whether it may start. */
  private admit(): void {
    for (let room = this.limit - this.running; room > 0; room -= 1) {
      const next = this.waiters.shift();
      if (!next) return;
      next.start();
    }
  }

  private adapt(outcome: CallOutcome, startedAt: number, retryAfterMs: number | undefined): void {
    const now = this.clock.now();
    if (outcome === "rate_limited") {
      if (retryAfterMs !== undefined) this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
      // Calls that were running when the limit was reduced tell nothing about the new limit.
      if (startedAt >= this.lastCut) {
        this.limit = Math.max(1, Math.min(this.limit - 1, Math.floor(this.limit * 0.8)));
        this.lastCut = now;
      }
      this.growAfter = now + COOL_DOWN_MS;
      this.successes = 0;
    } else if (outcome === "server_error") {
      this.growAfter = now + COOL_DOWN_MS;
      this.successes = 0;
    } else if (outcome === "success") {
      this.successes += 1;
      if (this.successes >= this.limit && now >= this.growAfter && this.limit < this.max) {
        this.limit += 1;
        this.successes = 0;
      }
    }
  }
}
