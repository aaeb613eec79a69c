// Many callers against one endpoint that limits its rate, through real HTTP: all get their answers, the number of
// simultaneous calls adapts, and a budget stops them together.
import { afterEach, expect, test } from "bun:test";
import { AtomsmithError } from "../../src/core/errors.ts";
import { HELLO, llmConfig, modelOf, servicesFor } from "../support/llm.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

test("the limit falls to the three calls that the server accepts, and no call fails", async () => {
  let running = 0;
  let limited = 0;
  server = startModelServer(async () => {
    if (running >= 3) {
      limited += 1;
      return {
        http: { status: 429, body: '{"error":{"message":"slow down"}}', headers: { "retry-after-ms": "20" } },
      };
    }
    running += 1;
    await Bun.sleep(5);
    running -= 1;
    return { content: "ok" };
  });
  const { services } = servicesFor(
    llmConfig(server.url, { llm: { max_concurrency: 12 } }, { max_retries: 20 }),
  );
  const calls = Array.from({ length: 60 }, (_, i) => {
    const item = `ITEM-${i}`;
    const model = modelOf(services, "agent_a", item);
    return model.complete(HELLO, { signal: new AbortController().signal });
  });
  const replies = await Promise.all(calls);
  expect(replies.map(({ content }) => content)).toEqual(Array.from({ length: 60 }, () => "ok"));
  expect(limited).toBeGreaterThan(0);
  const state = services.endpointStates()[server.url];
  expect(state?.limit).toBeLessThan(12);
  expect(state).toMatchObject({ running: 0, waiting: 0 });
  // The roles of all items share the limiter of the endpoint.
  expect(Object.keys(services.endpointStates())).toHaveLength(1);
});

test("llm.max_concurrency is never exceeded, whatever the number of items", async () => {
  server = startModelServer(() => ({ content: "ok", delayMs: 5 }));
  const { services } = servicesFor(llmConfig(server.url, { llm: { max_concurrency: 4 } }));
  await Promise.all(
    Array.from({ length: 40 }, () =>
      modelOf(services, "agent_b", "X").complete(
        { ...HELLO, role: "agent_b" },
        { signal: new AbortController().signal },
      ),
    ),
  );
  expect(server.requests).toHaveLength(40);
  expect(server.peak()).toBeLessThanOrEqual(4);
});

test("the budget of the run stops callers of all items, and running calls count with their input", async () => {
  server = startModelServer(() => ({
    content: "ok",
    usage: { prompt_tokens: 100, completion_tokens: 100 },
    delayMs: 5,
  }));
  const config = llmConfig(server.url, {
    llm: { max_concurrency: 2, max_cost_usd: 1, prices: { "test-model": { input: 500, output: 500 } } },
  });
  const { services, events } = servicesFor(config);
  const ends = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) =>
      modelOf(services, "agent_a", `I${i}`).complete(HELLO, { signal: new AbortController().signal }),
    ),
  );
  const failed = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
  expect(failed.length).toBeGreaterThan(20);
  expect(failed.every((error) => error instanceof AtomsmithError && error.kind === "budget")).toBe(true);
  // 0.1 USD per call: the limit is reached, and exceeded by running calls at most.
  expect(services.budget.spent().cost_usd).toBeGreaterThanOrEqual(0.99);
  expect(services.budget.spent().cost_usd).toBeLessThanOrEqual(1.21);
  expect(services.budget.exhausted()?.what).toBe("cost_usd");
  expect(events.filter(({ type }) => type === "budget")).toHaveLength(1);
});

test("a connection is reused after its answer was read to the end, streamed or not", async () => {
  for (const enable_streaming of [true, false]) {
    server = startModelServer(() => ({ content: "ok", chunkChars: 1 }));
    const { services } = servicesFor(llmConfig(server.url, { execution: { enable_streaming } }));
    const model = modelOf(services, "agent_a", "X");
    for (let i = 0; i < 12; i += 1) await model.complete(HELLO, { signal: new AbortController().signal });
    expect(server.requests).toHaveLength(12);
    expect(server.ports.size).toBeLessThan(6);
    await server.stop();
  }
});
