// Everything a server can do wrong, through real HTTP: none hangs, none loses what was paid for, none is taken
// for an answer.
import { afterEach, describe, expect, test } from "bun:test";
import { AtomsmithError } from "../../src/core/errors.ts";
import type { ChatReply } from "../../src/llm/types.ts";
import { fastClock, HELLO, ledgerOf, llmConfig, modelOf, servicesFor, TEST_KEY } from "../support/llm.ts";
import {
  type ModelServer,
  type Script,
  type ScriptedReply,
  startModelServer,
} from "../support/model-server.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

interface Ran {
  reply?: ChatReply;
  error?: AtomsmithError;
  partials: ChatReply[];
  waits: number[];
  retries: string[];
  spent: number;
}

async function run(
  script: Script | ScriptedReply[],
  options: {
    llm?: object;
    role?: object;
    execution?: object;
    signal?: AbortSignal;
    deadlineMs?: number;
    realTime?: boolean;
    onDelta?: () => void;
  } = {},
): Promise<Ran> {
  const answer: Script = Array.isArray(script)
    ? (_, n) => script[Math.min(n, script.length) - 1] ?? { content: "" }
    : script;
  server = startModelServer(answer);
  const clock = fastClock();
  const { services, events } = servicesFor(
    llmConfig(server.url, { llm: options.llm ?? {}, execution: options.execution ?? {} }, options.role),
    options.realTime ? undefined : clock,
  );
  const ledger = ledgerOf(services, "X");
  const model = modelOf(services, "agent_a", "X", ledger);
  const partials: ChatReply[] = [];
  const out: Ran = { partials, waits: clock.waits, retries: [], spent: 0 };
  try {
    out.reply = await model.complete(HELLO, {
      signal: options.signal ?? new AbortController().signal,
      onPartial: async (partial) => {
        partials.push(partial);
      },
      ...(options.onDelta === undefined ? {} : { onDelta: options.onDelta }),
      ...(options.deadlineMs === undefined ? {} : { deadline: services.clock.now() + options.deadlineMs }),
    });
  } catch (error) {
    if (!(error instanceof AtomsmithError)) throw error;
    out.error = error;
  }
  out.retries = events.flatMap((event) => (event.type === "retry" ? [event.reason] : []));
  out.spent = ledger.spent().output_tokens;
  return out;
}

const GOOD: ScriptedReply = { content: "hello" };
const failing = (status: number, error: object = { message: "no" }, headers = {}): ScriptedReply => ({
  http: { status, body: JSON.stringify({ error }), headers },
});

describe("by status", () => {
  test("of an endless error only the beginning is read", async () => {
    const piece = Buffer.from("no ".repeat(10_000));
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        sent += 1;
        await Bun.sleep(1);
        controller.enqueue(piece);
      },
    });
    const { error } = await run([{ http: { status: 400, body } }], { realTime: true });
    expect(error?.details.status).toBe(400);
    expect(error?.message).toContain("no no no");
    expect(sent * piece.byteLength).toBeLessThan(4_000_000);
  }, 5000);

  test("401 is final, names the variable, never shows the key", async () => {
    const { error } = await run([failing(401, { message: `bad key ${TEST_KEY}` })]);
    expect(error?.kind).toBe("provider");
    expect(error?.details).toMatchObject({ fatal: true, retryable: false, status: 401 });
    expect(error?.exitCode).toBe(4);
    expect(error?.details.hint).toContain("TEST_KEY");
    expect(JSON.stringify([error?.message, error?.toJSON()])).not.toContain(TEST_KEY);
    expect(server?.requests).toHaveLength(1);
  });

  test("404 is final and names the model", async () => {
    const { error } = await run([failing(404, { message: "no such model", code: "model_not_found" })]);
    expect(error?.details.fatal).toBe(true);
    expect(error?.message).toContain("test-model");
  });

  test("400 is final for the call, not for the run", async () => {
    const { error } = await run([failing(400)]);
    expect(error?.details).toMatchObject({ retryable: false, status: 400 });
    expect(error?.details.fatal).toBeUndefined();
    expect(server?.requests).toHaveLength(1);
  });

  for (const status of [408, 409, 500, 502, 503]) {
    test(`${status} is tried again`, async () => {
      const { reply, retries } = await run([failing(status), failing(status), GOOD]);
      expect(reply?.content).toBe("hello");
      expect(retries).toHaveLength(2);
      expect(server?.requests).toHaveLength(3);
    });
  }

  test("429 waits as long as the server asks", async () => {
    const { reply, waits } = await run([
      failing(429, {}, { "retry-after": "3" }),
      failing(429, {}, { "retry-after-ms": "250" }),
      GOOD,
    ]);
    expect(reply?.content).toBe("hello");
    const long = waits.filter((ms) => ms >= 3000);
    expect(long.length).toBeGreaterThan(0);
    expect(Math.max(...waits)).toBeLessThan(4000);
  });

  test("429 without end is a rate_limit error after max_retries", async () => {
    const { error } = await run([failing(429)], { role: { max_retries: 2 } });
    expect(error?.kind).toBe("rate_limit");
    expect(error?.message).toContain("after 3 attempts");
    expect(server?.requests).toHaveLength(3);
  });

  test("429 because the credit is used up is final", async () => {
    const { error } = await run([failing(429, { code: "insufficient_quota", message: "pay" })]);
    expect(error?.details.fatal).toBe(true);
    expect(server?.requests).toHaveLength(1);
  });

  test("a wait that would pass the deadline is not begun", async () => {
    const { error, waits } = await run([failing(429, {}, { "retry-after": "500" })], { deadlineMs: 10_000 });
    expect(error?.kind).toBe("rate_limit");
    expect(error?.message).toContain("too late");
    expect(waits).toEqual([]);
  });

  test("a redirect is not followed: key and logs stay with the configured address", async () => {
    const { error } = await run([{ http: { status: 302, headers: { location: "http://127.0.0.1:9/" } } }], {
      role: { max_retries: 0 },
    });
    expect(error?.message).toContain("redirect");
  });
});

describe("a 200 that is no completion", () => {
  for (const [name, reply] of Object.entries<ScriptedReply>({
    HTML: { http: { status: 200, body: "<html>Sign in</html>", headers: { "content-type": "text/html" } } },
    nothing: { http: { status: 200 } },
    "other JSON": { http: { status: 200, body: '{"ok":true}' } },
    "no choices": { http: { status: 200, body: '{"choices":[]}' } },
    text: { http: { status: 200, body: "hello", headers: { "content-type": "text/plain" } } },
  })) {
    test(name, async () => {
      for (const enable_streaming of [true, false]) {
        const { error } = await run([reply], { role: { max_retries: 1 }, execution: { enable_streaming } });
        expect(error?.kind).toBe("provider");
        expect(server?.requests).toHaveLength(2);
        await server?.stop();
      }
    });
  }

  test("an error event inside a stream is an error", async () => {
    const body = `data: {"error":{"message":"overloaded","type":"server_error"}}\n\n`;
    const sse = { http: { status: 200, body, headers: { "content-type": "text/event-stream" } } };
    const { reply, retries } = await run([sse, GOOD]);
    expect(reply?.content).toBe("hello");
    expect(retries[0]).toContain("overloaded");
  });

  test("a stream that is no JSON", async () => {
    const sse = {
      http: { status: 200, body: "data: {oops\n\n", headers: { "content-type": "text/event-stream" } },
    };
    const { reply, retries } = await run([sse, GOOD]);
    expect(reply?.content).toBe("hello");
    expect(retries).toHaveLength(1);
  });
});

describe("a stream that goes wrong", () => {
  const text = "0123456789".repeat(20);

  test("ends early: what came is kept and counted, and it is asked again", async () => {
    const { reply, partials, spent } = await run([{ content: text, endAfter: 4 }, GOOD]);
    expect(reply?.content).toBe("hello");
    expect(partials.map(({ content }) => content)).toEqual([text.slice(0, 48)]);
    expect(partials[0]?.usage.estimated).toBe(true);
    expect(spent).toBeGreaterThan(20);
  });

  test("breaks off", async () => {
    const heard = Promise.withResolvers<void>();
    const { reply, partials } = await run([{ content: text, cutAfter: 4, cutWhen: heard.promise }, GOOD], {
      onDelta: () => heard.resolve(),
    });
    expect(reply?.content).toBe("hello");
    expect(partials).toHaveLength(1);
  });

  test("stalls: the idle limit ends it", async () => {
    const { reply, retries, partials } = await run([{ content: text, stallAfter: 3 }, GOOD], {
      llm: { idle_timeout: 0.1 },
    });
    expect(reply?.content).toBe("hello");
    expect(retries[0]).toContain("sent nothing for 0.1 s");
    expect(partials).toHaveLength(1);
  });

  test("thinks before it writes, longer than the idle limit: that is no stall", async () => {
    const body = '{"choices":[{"delta":{"role":"assistant","content":""},"finish_reason":null}]}';
    const first = {
      http: { status: 200, body: `data: ${body}\n\n`, headers: { "content-type": "text/event-stream" } },
    };
    expect((await run([first, GOOD])).retries).toHaveLength(1);
    await server?.stop();
    const { reply, retries } = await run([{ content: text, thinkMs: 300 }], { llm: { idle_timeout: 0.1 } });
    expect(reply?.content).toBe(text);
    expect(retries).toEqual([]);
  });

  test("keep-alive comments are signs of life", async () => {
    const { reply, retries } = await run([{ content: text, keepAlives: 40 }], { llm: { idle_timeout: 0.6 } });
    expect(reply?.content).toBe(text);
    expect(retries).toEqual([]);
  });

  test("never answers: the request limit ends it", async () => {
    const { error } = await run([{ content: text, delayMs: 5000 }], {
      role: { timeout: 0.1, max_retries: 0 },
    });
    expect(error?.message).toContain("did not answer within 0.1 s");
    expect(error?.details.hint).toContain("llm.agent_a.timeout");
  });

  test("talks for ever: the deadline of the stage ends it", async () => {
    const { error } = await run([{ content: text, keepAlives: 10_000 }], { deadlineMs: 200, realTime: true });
    expect(error?.kind).toBe("provider");
  });

  test("repeats its last chunks after the end", async () => {
    const { reply } = await run([{ content: "hello", chunkChars: 100, repeat: 1 }]);
    expect(reply?.content).toBe("hello");
    const body = [
      '{"choices":[{"delta":{"content":"hi"},"finish_reason":null}]}',
      '{"choices":[{"delta":{},"finish_reason":"stop"}]}',
      '{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}',
      "[DONE]",
    ].map((line) => `data: ${line}\n\n`);
    const sse = {
      http: { status: 200, body: body.join(""), headers: { "content-type": "text/event-stream" } },
    };
    await server?.stop();
    expect((await run([sse])).reply?.content).toBe("hi");
  });

  test("goes round in circles: it is stopped, and is no answer", async () => {
    const { reply } = await run([{ content: "and again ".repeat(50_000), chunkChars: 1000 }]);
    expect(reply?.finish_reason).toBe("length");
    expect(reply?.content.length).toBeLessThan(50_000);
  });

  test("a reply of 5 MB comes whole", async () => {
    const lines = Array.from(
      { length: 200_000 },
      (_, i) => `const row_${i} = "${(i * 7919) % 104729}-${i}";`,
    );
    const big = lines.join("\n").slice(0, 5_000_000);
    for (const enable_streaming of [true, false]) {
      const { reply } = await run([{ content: big, chunkChars: 4000 }], { execution: { enable_streaming } });
      expect(reply?.content.length).toBe(big.length);
      expect(reply?.content === big).toBe(true);
      await server?.stop();
    }
  });
});

test("a pause that other callers were told does not outlast the deadline of this one", async () => {
  server = startModelServer(() => failing(429, {}, { "retry-after": "500" }));
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
});

describe("cancelling", () => {
  for (const [name, reply] of Object.entries<ScriptedReply>({
    "while waiting for the first byte": { content: "x", delayMs: 5000 },
    "inside a stream": { content: "0123456789".repeat(10), stallAfter: 3 },
  })) {
    test(name, async () => {
      const stop = new AbortController();
      const answer: Script = () => {
        setTimeout(() => stop.abort(), 50);
        return reply;
      };
      const { error, partials } = await run(answer, { signal: stop.signal });
      expect(error?.kind).toBe("interrupted");
      expect(error?.exitCode).toBe(130);
      expect(partials).toHaveLength(reply.stallAfter === undefined ? 0 : 1);
    });
  }

  test("while waiting to try again", async () => {
    const stop = new AbortController();
    const answer: Script = () => {
      setTimeout(() => stop.abort(new AtomsmithError("interrupted", "stopped by SIGINT")), 50);
      return failing(500, {}, { "retry-after": "30" });
    };
    const { error } = await run(answer, { signal: stop.signal, realTime: true, deadlineMs: 100_000 });
    expect(error?.message).toBe("stopped by SIGINT");
  });
});

test("no server at all", async () => {
  const { services } = servicesFor(llmConfig("http://127.0.0.1:9/v1", {}, { max_retries: 1 }), fastClock());
  const model = modelOf(services, "agent_a", "X");
  const call = model.complete(HELLO, { signal: new AbortController().signal });
  await expect(call).rejects.toMatchObject({ kind: "provider", details: { retryable: true } });
});

test("OPENAI_ variables of the environment do not change where requests go", async () => {
  const before = { ...process.env };
  Object.assign(process.env, { OPENAI_BASE_URL: "http://127.0.0.1:9/", OPENAI_ORG_ID: "org-hostile" });
  try {
    for (const provider of ["openai", "azure"]) {
      server = startModelServer(() => GOOD, provider as "openai" | "azure");
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
