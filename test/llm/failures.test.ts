// Failures by HTTP status, of the connection and of the deadline: which are final, and which are retried and when.
import { afterEach, describe, expect, test } from "bun:test";
import { fastClock, HELLO, llmConfig, modelOf, servicesFor, TEST_KEY } from "../support/llm.ts";
import { startModelServer } from "../support/model-server.ts";
import { callModel, GOOD, httpFailure, stopServer } from "./one-call.ts";

afterEach(stopServer);

describe("by status", () => {
  test("only the beginning of an endless error body is read", async () => {
    const piece = Buffer.from("no ".repeat(10_000));
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        sent += 1;
        await Bun.sleep(1);
        controller.enqueue(piece);
      },
    });
    const { error } = await callModel([{ http: { status: 400, body } }], { realTime: true });
    expect(error?.details.status).toBe(400);
    expect(error?.message).toContain("no no no");
    expect(sent * piece.byteLength).toBeLessThan(4_000_000);
  }, 5000);

  test("401 is final and names the variable, never the key", async () => {
    const { error, requests } = await callModel([httpFailure(401, { message: `bad key ${TEST_KEY}` })]);
    expect(error?.kind).toBe("provider");
    expect(error?.details).toMatchObject({ fatal: true, retryable: false, status: 401 });
    expect(error?.exitCode).toBe(4);
    expect(error?.details.hint).toContain("TEST_KEY");
    expect(JSON.stringify([error?.message, error?.toJSON()])).not.toContain(TEST_KEY);
    expect(requests).toHaveLength(1);
  });

  test("404 is final and names the model", async () => {
    const { error } = await callModel([
      httpFailure(404, { message: "no such model", code: "model_not_found" }),
    ]);
    expect(error?.details.fatal).toBe(true);
    expect(error?.message).toContain("test-model");
  });

  test("400 is final for the call, not for the run", async () => {
    const { error, requests } = await callModel([httpFailure(400)]);
    expect(error?.details).toMatchObject({ retryable: false, status: 400 });
    expect(error?.details.fatal).toBeUndefined();
    expect(requests).toHaveLength(1);
  });

  for (const status of [408, 409, 500, 502, 503]) {
    test(`${status} is retried`, async () => {
      const { reply, retries, requests } = await callModel([httpFailure(status), httpFailure(status), GOOD]);
      expect(reply?.content).toBe("hello");
      expect(retries).toHaveLength(2);
      expect(requests).toHaveLength(3);
    });
  }

  test("429 waits as long as the server requests", async () => {
    const { reply, waits } = await callModel([
      httpFailure(429, {}, { "retry-after": "3" }),
      httpFailure(429, {}, { "retry-after-ms": "250" }),
      GOOD,
    ]);
    expect(reply?.content).toBe("hello");
    const long = waits.filter((ms) => ms >= 3000);
    expect(long.length).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThan(4000);
  });

  test("repeated 429 is a rate_limit error after max_retries", async () => {
    const { error, requests } = await callModel([httpFailure(429)], { role: { max_retries: 2 } });
    expect(error?.kind).toBe("rate_limit");
    expect(error?.message).toContain("after 3 attempts");
    expect(requests).toHaveLength(3);
  });

  test("429 because of used-up credit is final", async () => {
    const { error, requests } = await callModel([
      httpFailure(429, { code: "insufficient_quota", message: "pay" }),
    ]);
    expect(error?.details.fatal).toBe(true);
    expect(requests).toHaveLength(1);
  });

  test("a wait beyond the deadline is not started", async () => {
    const { error, waits } = await callModel([httpFailure(429, {}, { "retry-after": "500" })], {
      deadlineMs: 10_000,
    });
    expect(error?.kind).toBe("rate_limit");
    expect(error?.message).toContain("too late");
    expect(waits).toEqual([]);
  });

  test("redirects are not followed, so that key and logs stay with the configured address", async () => {
    const { error } = await callModel(
      [{ http: { status: 302, headers: { location: "http://127.0.0.1:9/" } } }],
      {
        role: { max_retries: 0 },
      },
    );
    expect(error?.message).toContain("redirect");
  });
});

test("a pause requested from other callers does not outlast the deadline of this call", async () => {
  const server = startModelServer(() => httpFailure(429, {}, { "retry-after": "500" }));
  const { services } = servicesFor(llmConfig(server.url, {}, { max_retries: 0 }));
  const call = (ms: number) => {
    const model = modelOf(services, "agent_a", "X");
    return model.complete(HELLO, {
      signal: new AbortController().signal,
      deadline: services.clock.now() + ms,
    });
  };
  await expect(call(10_000)).rejects.toMatchObject({ kind: "rate_limit" });
  await expect(call(50)).rejects.toThrow(/no free slot/);
  expect(server.requests).toHaveLength(1);
  await server.stop();
});

test("an unreachable server is a retryable provider error", async () => {
  const { services } = servicesFor(llmConfig("http://127.0.0.1:9/v1", {}, { max_retries: 1 }), fastClock());
  const model = modelOf(services, "agent_a", "X");
  const call = model.complete(HELLO, { signal: new AbortController().signal });
  await expect(call).rejects.toMatchObject({ kind: "provider", details: { retryable: true } });
});

test("OPENAI_ variables of the environment do not change the address of requests", async () => {
  const before = { ...process.env };
  Object.assign(process.env, { OPENAI_BASE_URL: "http://127.0.0.1:9/", OPENAI_ORG_ID: "org-hostile" });
  try {
    for (const provider of ["openai", "azure"]) {
      const server = startModelServer(() => GOOD, provider as "openai" | "azure");
      const { services } = servicesFor(llmConfig(server.url, {}, { provider }));
      const model = modelOf(services, "agent_a", "X");
      const reply = await model.complete(HELLO, { signal: new AbortController().signal });
      expect(reply.content).toBe("hello");
      expect(JSON.stringify(server.requests[0]?.headers)).not.toContain("org-hostile");
      await server.stop();
    }
  } finally {
    process.env = before;
  }
});
