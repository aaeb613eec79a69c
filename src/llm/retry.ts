// The one retry policy: what is tried again is decided by the error (`retryable`, made where the status was
// known); how long to wait by the server's `retry-after` or by exponential backoff with full jitter; and all of
// it ends at one deadline.
import { AtomsmithError } from "../core/errors.ts";
import type { Clock } from "./clock.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

export interface RetryOptions {
  maxRetries: number;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  signal: AbortSignal;
  /** Clock time after which nothing is tried any more. */
  deadline: number;
  onRetry: (attempt: number, waitMs: number, error: AtomsmithError) => void;
}

/** Runs `once` until it succeeds or fails for good. `once` gets the number of the attempt, from 1, and throws
 * AtomsmithError; any other error ends it at once. */
export async function withRetries<T>(
  options: RetryOptions,
  once: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(attempt);
    } catch (error) {
      if (!(error instanceof AtomsmithError) || error.details.retryable !== true) throw error;
      if (attempt > options.maxRetries) throw gaveUp(error, attempt, "");
      const wait = waitMs(attempt, error, options.random);
      if (options.clock.now() + wait >= options.deadline) {
        throw gaveUp(error, attempt, `; the next attempt in ${Math.ceil(wait / 1000)} s would be too late`);
      }
      options.onRetry(attempt, wait, error);
      await options.clock.sleep(wait, options.signal);
    }
  }
}

/** A server's own wish is kept, plus a little jitter so that waiting callers do not come back as one. */
export function waitMs(attempt: number, error: AtomsmithError, random: () => number): number {
  const asked = error.details.retryAfterMs;
  if (asked !== undefined) return asked + random() * Math.min(1000, asked * 0.1 + 50);
  const ceiling = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return ceiling * (0.5 + 0.5 * random());
}

function gaveUp(error: AtomsmithError, attempts: number, why: string): AtomsmithError {
  if (attempts === 1 && why === "") return error;
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return new AtomsmithError(error.kind, `${error.message} (after ${tries}${why})`, {
    ...error.details,
    cause: error,
  });
}
