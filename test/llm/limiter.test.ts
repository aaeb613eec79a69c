// The limit on simultaneous calls: how it falls, rises and pauses.
import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import { AtomsmithError } from "../../src/core/errors.ts";
import { AdaptiveLimiter, type CallOutcome } from "../../src/llm/limiter.ts";
import { fastClock } from "../support/llm.ts";

const never = new AbortController().signal;

describe("limiter", () => {
  const call = (limiter: AdaptiveLimiter, outcome: CallOutcome, retryAfterMs?: number): Promise<void> =>
    limiter.run(
      never,
      async () => undefined,
      () => ({ outcome, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }),
    );

  test("no more calls than the limit run at once, and all of them run", async () => {
    const limiter = new AdaptiveLimiter(3, fastClock());
    let running = 0;
    let peak = 0;
    let done = 0;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        limiter.run(
          never,
          async () => {
            running += 1;
            peak = Math.max(peak, running);
            await Bun.sleep(1);
            running -= 1;
            done += 1;
          },
          () => ({ outcome: "success" }),
        ),
      ),
    );
    expect(peak).toBe(3);
    expect(done).toBe(20);
    expect(limiter.state()).toEqual({ limit: 3, running: 0, waiting: 0 });
  });

  test("a 429 lowers the limit by a fifth; calls already running do not lower it again", async () => {
    const clock = fastClock();
    const limiter = new AdaptiveLimiter(10, clock);
    await Promise.all(Array.from({ length: 10 }, () => call(limiter, "rate_limited")));
    expect(limiter.state().limit).toBe(8);
    await clock.sleep(1);
    await call(limiter, "rate_limited");
    expect(limiter.state().limit).toBe(6);
  });

  test("success raises the limit by one per round after the cool-down, up to its start value", async () => {
    const clock = fastClock();
    const limiter = new AdaptiveLimiter(4, clock);
    await call(limiter, "rate_limited");
    expect(limiter.state().limit).toBe(3);
    for (let i = 0; i < 9; i += 1) await call(limiter, "success");
    expect(limiter.state().limit).toBe(3);
    await clock.sleep(10_000);
    for (let i = 0; i < 3; i += 1) await call(limiter, "success");
    expect(limiter.state().limit).toBe(4);
    for (let i = 0; i < 20; i += 1) await call(limiter, "success");
    expect(limiter.state().limit).toBe(4);
  });

  test("server errors stop the growth but do not lower the limit", async () => {
    const limiter = new AdaptiveLimiter(4, fastClock());
    await call(limiter, "server_error");
    expect(limiter.state().limit).toBe(4);
  });

  test("the limit never falls below one", async () => {
    const clock = fastClock();
    const limiter = new AdaptiveLimiter(2, clock);
    for (let i = 0; i < 5; i += 1) {
      await call(limiter, "rate_limited");
      await clock.sleep(1);
    }
    expect(limiter.state().limit).toBe(1);
  });

  test("all callers of the endpoint wait when one of them is told to", async () => {
    const clock = fastClock();
    const limiter = new AdaptiveLimiter(4, clock);
    await call(limiter, "rate_limited", 2000);
    await call(limiter, "success");
    expect(clock.waits.some((ms) => ms > 1900)).toBe(true);
  });

  test("a cancelled caller leaves the queue", async () => {
    const limiter = new AdaptiveLimiter(1, fastClock());
    let free = (): void => undefined;
    const first = limiter.run(
      never,
      () => new Promise<void>((resolve) => (free = resolve)),
      () => ({ outcome: "success" }),
    );
    const stop = new AbortController();
    const second = limiter.run(
      stop.signal,
      async () => "ran",
      () => ({ outcome: "success" }),
    );
    await Bun.sleep(1);
    stop.abort(new AtomsmithError("interrupted", "stop"));
    await expect(second).rejects.toMatchObject({ kind: "interrupted" });
    free();
    await first;
    expect(limiter.state()).toEqual({ limit: 1, running: 0, waiting: 0 });
  });

  test("a caller cancelled during a pause gives its slot to the next one", async () => {
    const limiter = new AdaptiveLimiter(1, systemClock);
    const refused = limiter.run(
      never,
      () => Bun.sleep(10),
      () => ({ outcome: "rate_limited" as const, retryAfterMs: 60 }),
    );
    const stop = new AbortController();
    const success = () => ({ outcome: "success" as const });
    const stopped = limiter.run(stop.signal, async () => "ran", success);
    const next = limiter.run(never, async () => "ran", success);
    await refused;
    await Bun.sleep(10);
    stop.abort(new AtomsmithError("interrupted", "stop"));
    await expect(stopped).rejects.toMatchObject({ kind: "interrupted" });
    expect(await Promise.race([next, Bun.sleep(2000).then(() => "asleep")])).toBe("ran");
  });
});
