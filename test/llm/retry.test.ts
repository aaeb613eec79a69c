// Waits between attempts, and which failures are retried.
import { describe, expect, test } from "bun:test";
import { AtomsmithError } from "../../src/core/errors.ts";
import { waitMs, withRetries } from "../../src/core/retry.ts";
import { retryAfterMs } from "../../src/llm/failures.ts";
import { fastClock } from "../support/llm.ts";

const never = new AbortController().signal;

describe("retries", () => {
  const broken = (details = {}): AtomsmithError =>
    new AtomsmithError("provider", "broken", { retryable: true, ...details });

  test("waits grow with jitter up to a maximum", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => waitMs(attempt, broken(), () => 1));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    expect(waitMs(1, broken(), () => 0)).toBe(250);
  });

  test("a wait requested by the server is used", () => {
    expect(waitMs(1, broken({ retryAfterMs: 7000 }), () => 0)).toBe(7000);
    expect(waitMs(1, broken({ retryAfterMs: 7000 }), () => 0.99)).toBeLessThan(8000);
  });

  test("only retryable errors are retried", async () => {
    let calls = 0;
    const options = {
      maxRetries: 5,
      clock: fastClock(),
      random: () => 0.5,
      signal: never,
      deadline: Number.POSITIVE_INFINITY,
      onRetry: () => undefined,
    };
    const final = withRetries(options, async () => {
      calls += 1;
      throw broken({ retryable: false });
    });
    await expect(final).rejects.toMatchObject({ message: "broken" });
    const bug = withRetries(options, async () => {
      calls += 1;
      throw new TypeError("a bug");
    });
    await expect(bug).rejects.toBeInstanceOf(TypeError);
    expect(calls).toBe(2);
  });

  test("retry-after is read as date, seconds and milliseconds, and invalid values are bounded", () => {
    const header = (value: string, name = "retry-after"): number | undefined =>
      retryAfterMs(new Headers({ [name]: value }));
    expect(header("2")).toBe(2000);
    expect(header("1500", "retry-after-ms")).toBe(1500);
    expect(header(new Date(Date.now() + 5000).toUTCString())).toBeGreaterThan(3000);
    // The clock of this machine is wrong: the date of the server is used.
    const server = { date: "Mon, 01 Jan 2001 00:00:00 GMT", "retry-after": "Mon, 01 Jan 2001 00:00:07 GMT" };
    expect(retryAfterMs(new Headers(server))).toBe(7_000);
    // A clock that jumped: a date in the past, or years ahead.
    expect(header("Mon, 01 Jan 2001 00:00:00 GMT")).toBe(0);
    expect(header("Mon, 01 Jan 2091 00:00:00 GMT")).toBe(600_000);
    expect(header("-5")).toBe(0);
    expect(header("soon")).toBeUndefined();
  });
});
