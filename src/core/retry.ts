// The one retry policy: the error decides whether to retry (`retryable`, set where the status is known), the server's
// `retry-after` or exponential backoff with jitter how long to wait, and one deadline ends all attempts.
import type { Clock } from "./clock.ts";
import { AtomsmithError } from "./errors.ts";

const BACKOFF: Backoff = { firstMs: 500, longestMs: 30_000 };

export interface RetryOptions {
  maxRetries: number;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
  signal: AbortSignal;
  /** Clock time after which no attempt is made. */
  deadline: number;
  onRetry: (attempt: number, waitMs: number, error: AtomsmithError) => void;
  /** Backoff in milliseconds, where it is not that of a model's server. */
  backoff?: Backoff;
}

export interface Backoff {
  firstMs: number;
  longestMs: number;
}

/** Runs `makeAttempt` until it succeeds or fails for good. It receives the number of the attempt, from 1; errors other
 * than a retryable AtomsmithError end the retries. */
export async function withRetries<T>(
  options: RetryOptions,
  makeAttempt: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await makeAttempt(attempt);
    } catch (error) {
      if (!(error instanceof AtomsmithError) || error.details.retryable !== true) throw error;
      if (attempt > options.maxRetries) throw finalError(error, attempt, "");
      const wait = waitMs(attempt, error, options.random, options.backoff);
      if (options.clock.now() + wait >= options.deadline) {
        throw finalError(
          error,
          attempt,
          `; the next attempt in ${Math.ceil(wait / 1000)} s would be too late`,
        );
      }
      options.onRetry(attempt, wait, error);
      await options.clock.sleep(wait, options.signal);
    }
  }
}

/** The server's retry-after time is respected, plus jitter so that waiting callers do not all retry at once. */
export function waitMs(
  attempt: number,
  error: AtomsmithError,
  random: () => number,
  backoff: Backoff = BACKOFF,
): number {
  const retryAfter = error.details.retryAfterMs;
  if (retryAfter !== undefined) return retryAfter + random() * Math.min(1000, retryAfter * 0.1 + 50);
  const ceiling = Math.min(backoff.longestMs, backoff.firstMs * 2 ** (attempt - 1));
  return ceiling * (0.5 + 0.5 * random());
}

function finalError(error: AtomsmithError, attempts: number, why: string): AtomsmithError {
  if (attempts === 1 && why === "") return error;
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return new AtomsmithError(error.kind, `${error.message} (after ${tries}${why})`, {
    ...error.details,
    cause: error,
  });
}
