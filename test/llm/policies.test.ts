// The policies that need no server: limiter, retries, budget, prices, masking.
import { describe, expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import { AtomsmithError } from "../../src/core/errors.ts";
import type { EventBody } from "../../src/core/events.ts";
import data from "../../src/core/redact/gitleaks.json" with { type: "json" };
import { createRedactor } from "../../src/core/redact/index.ts";
import type { ServiceRule } from "../../src/core/redact/services.ts";
import { waitMs, withRetries } from "../../src/core/retry.ts";
import { costOf, Ledger, priceOf, usageOfTurns } from "../../src/llm/budget.ts";
import { retryAfterMs } from "../../src/llm/failures.ts";
import { AdaptiveLimiter, type CallOutcome } from "../../src/llm/limiter.ts";
import type { AgentTurn } from "../../src/llm/turns.ts";
import { fastClock, HELLO, llmConfig, modelOf, servicesFor } from "../support/llm.ts";
import { startModelServer } from "../support/model-server.ts";

const never = new AbortController().signal;

describe("limiter", () => {
  const call = (limiter: AdaptiveLimiter, outcome: CallOutcome, retryAfterMs?: number): Promise<void> =>
    limiter.run(
      never,
      async () => undefined,
      () => ({ outcome, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }),
    );

  test("never more calls at once than the limit, and all of them get their turn", async () => {
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

  test("a 429 lowers the limit by a fifth; calls already on their way do not lower it again", async () => {
    const clock = fastClock();
    const limiter = new AdaptiveLimiter(10, clock);
    await Promise.all(Array.from({ length: 10 }, () => call(limiter, "rate_limited")));
    expect(limiter.state().limit).toBe(8);
    await clock.sleep(1);
    await call(limiter, "rate_limited");
    expect(limiter.state().limit).toBe(6);
  });

  test("success raises it by one a round, after the cool-down, up to where it began", async () => {
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

  test("server errors stop the growth but do not lower it", async () => {
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

  test("what one caller is told to wait, all callers of the endpoint wait", async () => {
    const clock = fastClock();
    const limiter = new AdaptiveLimiter(4, clock);
    await call(limiter, "rate_limited", 2000);
    await call(limiter, "success");
    expect(clock.waits.some((ms) => ms > 1900)).toBe(true);
  });

  test("a caller that is cancelled leaves the queue", async () => {
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
});

describe("limiter", () => {
  test("a waiter that is stopped while it sleeps out a pause leaves its place to the next one", async () => {
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

describe("retries", () => {
  const broken = (details = {}): AtomsmithError =>
    new AtomsmithError("provider", "broken", { retryable: true, ...details });

  test("waits grow, with jitter, up to a ceiling", () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => waitMs(attempt, broken(), () => 1));
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    expect(waitMs(1, broken(), () => 0)).toBe(250);
  });

  test("what the server asks is kept", () => {
    expect(waitMs(1, broken({ retryAfterMs: 7000 }), () => 0)).toBe(7000);
    expect(waitMs(1, broken({ retryAfterMs: 7000 }), () => 0.99)).toBeLessThan(8000);
  });

  test("only what may be retried is", async () => {
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

  test("retry-after as date, seconds, milliseconds, nonsense and absurdity", () => {
    const header = (value: string, name = "retry-after"): number | undefined =>
      retryAfterMs(new Headers({ [name]: value }));
    expect(header("2")).toBe(2000);
    expect(header("1500", "retry-after-ms")).toBe(1500);
    expect(header(new Date(Date.now() + 5000).toUTCString())).toBeGreaterThan(3000);
    // The clock of this machine is wrong: the server's tells.
    const server = { date: "Mon, 01 Jan 2001 00:00:00 GMT", "retry-after": "Mon, 01 Jan 2001 00:00:07 GMT" };
    expect(retryAfterMs(new Headers(server))).toBe(7_000);
    // A clock that jumped: a date in the past, or years ahead.
    expect(header("Mon, 01 Jan 2001 00:00:00 GMT")).toBe(0);
    expect(header("Mon, 01 Jan 2091 00:00:00 GMT")).toBe(600_000);
    expect(header("-5")).toBe(0);
    expect(header("soon")).toBeUndefined();
  });
});

describe("money", () => {
  test("one unpriced call does not switch a cost limit off, and stored turns are priced again", () => {
    const limits = { tokens: undefined, costUsd: 1 };
    const usage = { input_tokens: 1e6, cached_tokens: 0, output_tokens: 0 };
    const ledger = new Ledger("item", limits, () => {}, { subject: "A-1" });
    ledger.add("agent_a", { usage, cost_usd: null });
    ledger.add("agent_a", { usage, cost_usd: 1.5 });
    expect(ledger.spent()).toMatchObject({ cost_usd: null, known_cost_usd: 1.5 });
    expect(ledger.exhausted()).toMatchObject({ what: "cost_usd", used: 1.5 });

    const turn = { role: "agent_a", reply: { usage, cost_usd: null, model: "m-2026-01-01" } } as AgentTurn;
    const prices = { m: { input: 2, output: 2 } };
    expect(usageOfTurns([turn, turn], prices, () => "m")).toMatchObject({ cost_usd: 4, known_cost_usd: 4 });
    expect(usageOfTurns([turn], prices, () => undefined)).toMatchObject({ cost_usd: null });
  });

  const reply = (input: number, output: number, cost: number | null) => ({
    usage: { input_tokens: input, cached_tokens: 0, output_tokens: output },
    cost_usd: cost,
  });

  test("the exact name of a model beats a prefix, a longer prefix a shorter one", () => {
    const prices = {
      "*": { input: 1, output: 1 },
      "m-*": { input: 2, output: 2 },
      "m-1": { input: 3, output: 3 },
    };
    expect(priceOf("m-1", prices)?.input).toBe(3);
    expect(priceOf("m-2", prices)?.input).toBe(2);
    expect(priceOf("x", prices)?.input).toBe(1);
    expect(priceOf("x", {})).toBeUndefined();
  });

  test("cached input without a price of its own costs as other input", () => {
    const usage = { input_tokens: 1_000_000, cached_tokens: 400_000, output_tokens: 0 };
    expect(costOf(usage, "m", { m: { input: 5, output: 1 } })).toBe(5);
    expect(costOf(usage, "m", { m: { input: 5, cached_input: 1, output: 1 } })).toBeCloseTo(3.4);
  });

  test("a token limit stops the next call, with exit code 5, and is announced once", () => {
    const events: EventBody[] = [];
    const ledger = new Ledger("run", { tokens: 100, costUsd: undefined }, (event) => events.push(event));
    ledger.add("agent_a", reply(50, 30, null));
    ledger.check();
    ledger.add("agent_a", reply(10, 10, null));
    for (let i = 0; i < 2; i += 1) {
      try {
        ledger.check();
        throw new Error("not stopped");
      } catch (error) {
        expect(error).toBeInstanceOf(AtomsmithError);
        expect((error as AtomsmithError).exitCode).toBe(5);
      }
    }
    expect(events).toEqual([{ type: "budget", scope: "run", what: "tokens", used: 100, limit: 100 }]);
  });

  test("calls that are running count with their input", () => {
    const ledger = new Ledger("run", { tokens: undefined, costUsd: 1 }, () => undefined);
    const release = ledger.reserve(1000, 1.5);
    expect(ledger.exhausted()?.what).toBe("cost_usd");
    release();
    expect(ledger.exhausted()).toBeUndefined();
  });

  test("one unknown price makes the total unknown", () => {
    const ledger = new Ledger("item", { tokens: undefined, costUsd: undefined }, () => undefined);
    ledger.add("agent_a", reply(1, 1, 0.5));
    ledger.add("agent_b", reply(1, 1, null));
    expect(ledger.spent().cost_usd).toBeNull();
    expect(ledger.spentByRole()["agent_a"]?.cost_usd).toBe(0.5);
  });

  test("a cost limit without a price is an error at the start", () => {
    for (const limit of ["max_cost_usd", "max_cost_usd_per_item"]) {
      const config = llmConfig("http://127.0.0.1:9", { llm: { [limit]: 1 } });
      expect(() => servicesFor(config)).toThrow(/price of test-model is unknown/);
    }
  });
});

describe("configuration of providers", () => {
  const start = (role: object): (() => unknown) => {
    return () => servicesFor(llmConfig("http://127.0.0.1:9/v1", {}, role));
  };
  test("no model", () => expect(start({ model: undefined })).toThrow(/agent_a.model is not set/));
  test("no key", () => expect(start({ api_key_env: "UNSET_KEY" })).toThrow(/UNSET_KEY is not set/));
  test("no address", () => expect(start({ provider: "azure", base_url: undefined })).toThrow(/base_url/));
  test("unknown quirk", () => expect(start({ quirks: ["no_such"] })).toThrow(/Known quirks|unknown quirk/));
  test("replay without a folder", () => expect(start({ provider: "replay" })).toThrow(/no cassettes/));
  test("a server of one's own needs no key", () => {
    expect(start({ api_key_env: undefined })).not.toThrow();
  });
});

describe("masking", () => {
  const redact = createRedactor({ shapes: true, known: ["hunter2-hunter2", "abc"] });
  const secrets: [string, string][] = [
    ["known", "the key hunter2-hunter2 was used"],
    ["openai", "key sk-proj-AbCdEfGhIjKlMnOpQrStUv"],
    ["github", `ghp_${"a1B2".repeat(9)}`],
    ["aws", "AKIAIOSFODNN7EXAMPLE"],
    ["url", "https://user:s3cr3tpw@host/x"],
    ["assignment", 'password="s3cr3tpw"'],
    ["assignment with blanks", "API_KEY = abcdef123456"],
    ["bearer", "Authorization: Bearer abcdefghijklmnopqrstuvwxyz"],
    ["a line of a file", "user: root\npassword: s3cr3tpw\nport: 1"],
    ["a quoted value", 'password: "s3cr3tpw", port: 1'],
    ["JSON", '{"password": "s3cr3tpw"}'],
    ["JSON inside JSON", JSON.stringify({ text: '{"password":"s3cr3tpw"}' })],
    ["a line of a file inside JSON", JSON.stringify({ text: "password: s3cr3tpw\nnext" })],
    ["an option", "psql --password s3cr3tpw -h db"],
    ["an option with a prefix", "run --db-password=s3cr3tpw"],
    ["arguments as a list", '["psql","--password","s3cr3tpw"]'],
    ["environment", "MYSQL_PASSWORD=s3cr3tpw"],
    ["client secret", "client_secret=s3cr3tpw"],
    ["a key with a colon", "api_key: abcdef123456"],
    ["cloud", "AWS_SECRET_ACCESS_KEY=s3cr3tpw/x+abcdef123456"],
    ["basic", "Authorization: Basic czNjcjN0cHc6YWJjZGVm"],
    ["basic in JSON", '{"Authorization": "Basic czNjcjN0cHc6YWJjZGVm"}'],
    ["private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----"],
  ];
  for (const [name, text] of secrets) {
    test(name, () => {
      const masked = redact(text);
      expect(masked).toContain("[MASKED:");
      for (const secret of [
        "hunter2",
        "AbCdEf",
        "a1B2a1B2",
        "IOSFODNN7",
        "s3cr3tpw",
        "abcdef123456",
        "MIIEow",
        "czNjcjN0cHc6",
      ]) {
        expect(masked).not.toContain(secret);
      }
    });
  }

  // Made up, in the form that each service gives out.
  const KEYS: [string, string][] = [
    ["slack-bot-token", "xoxb-781236542736-2364535789652-GkwFDQoHqzXDVsC6GzqYUypD"],
    ["gitlab-pat", "glpat-x8Vq2LmZ0pTnRw5KdYcJ"],
    [
      "stripe-access-token",
      "sk_test_51OuEMLAlTWGaDypq4P5cuDHbuKeG4tAGPYHJpEXQ7zE8mKK3jkhTFPvCxnSSK5zB5EQZrJsYdsatNmAHGgb0vSKD00GTMSWRHs",
    ],
    ["npm-access-token", "npm_7qLxWc0ZnPv4RtYk2MdHs9JbGf6Ea1Ui3Xo5"],
    [
      "hashicorp-tf-api-token",
      "Qw8rTy2UiOp4As.atlasv1.zX9cVbNm1qW3eR5tY7uI0pAs2dF4gH6jK8lZxC1vB3nM5qW7eR9tY0uI2oP4aS6",
    ],
    ["digitalocean-pat", "dop_v1_3f8a1c5e7b9d2f4a6c8e0b1d3f5a7c9e2b4d6f8a0c1e3b5d7f9a2c4e6b8d0f1a"],
  ];
  for (const [rule, key] of KEYS) {
    test(`key of a service: ${rule}`, () => {
      expect(redact(`deploy with ${key} now`)).toBe(`deploy with [MASKED:${rule}] now`);
    });
  }

  test("every rule of the data set compiles and is reached by its keywords", () => {
    expect(data.rules.length).toBeGreaterThan(200);
    for (const { id, pattern, keywords, group } of data.rules as ServiceRule[]) {
      const groups = new RegExp(`${pattern}|`).exec("")?.length ?? 0;
      expect([id, (group ?? 0) < groups]).toEqual([id, true]);
      expect([id, keywords.length > 0, keywords.every((word) => word === word.toLowerCase())]).toEqual([
        id,
        true,
        true,
      ]);
    }
  });

  test("code and ordinary log text stay what they are", () => {
    const texts = [
      "const m = /password=(\\S+)/.exec(line);",
      'if (line.includes("api_key=")) continue;',
      "Failed password for root from 10.0.0.1 port 22 ssh2",
      "Path: clk_sk-gen/u1/Q  slack -0.012",
      "a secret: none; token expired; abc",
      "http://host:8080/path",
      "return { password: text, user };",
      "type Login = { password: string; user: string };",
      'const KEYS = ["password:", "secret="];',
      'line.startsWith("--password") || line.includes("api_key: ")',
      '/"password":\\s*"([^"]+)"/',
    ];
    for (const text of texts) expect(redact(text)).toBe(text);
  });

  test("no text makes it take time that grows with its square", () => {
    for (const piece of [
      " ",
      "-",
      "--",
      "a-",
      "\\",
      "password ",
      "token aaaa ",
      "authorization: ",
      '"',
      "basic a",
      "okta=",
      "curl -H ",
      "sumo: aaaaaaaaaaaa",
    ]) {
      for (const text of [
        piece.repeat(300_000 / piece.length),
        `authorization: basic ${piece.repeat(100_000)}`,
      ]) {
        const start = performance.now();
        redact(text);
        expect([piece, performance.now() - start < 3000]).toEqual([piece, true]);
      }
    }
  }, 20_000);

  test("the same twice gives the same", () => {
    for (const [, text] of secrets) expect(redact(redact(text))).toBe(redact(text));
  });

  test("switched off, only known keys are masked", () => {
    const off = createRedactor({ shapes: false, known: ["hunter2-hunter2"] });
    expect(off("hunter2-hunter2 AKIAIOSFODNN7EXAMPLE")).toBe("[MASKED:known secret] AKIAIOSFODNN7EXAMPLE");
  });
});

test("a server called without a key that wants one says how to name it", async () => {
  const server = startModelServer(() => ({
    http: { status: 401, body: '{"error":{"message":"who are you"}}' },
  }));
  const { services } = servicesFor(llmConfig(server.url, {}, { api_key_env: undefined }));
  const model = modelOf(services, "agent_a", "X");
  await expect(model.complete(HELLO, { signal: never })).rejects.toMatchObject({
    details: {
      hint: "It requires a key: set OPENAI_API_KEY, or name another variable with llm.agent_a.api_key_env.",
    },
  });
  await server.stop();
});
