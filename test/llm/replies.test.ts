// Replies that are not complete answers: bodies that are not completions, and streams that end, stall or repeat.
import { afterEach, describe, expect, test } from "bun:test";
import type { ScriptedReply } from "../support/model-server.ts";
import { callModel, GOOD, stopServer } from "./one-call.ts";

afterEach(stopServer);

describe("a 200 without a completion", () => {
  for (const [name, reply] of Object.entries<ScriptedReply>({
    HTML: { http: { status: 200, body: "<html>Sign in</html>", headers: { "content-type": "text/html" } } },
    nothing: { http: { status: 200 } },
    "other JSON": { http: { status: 200, body: '{"ok":true}' } },
    "no choices": { http: { status: 200, body: '{"choices":[]}' } },
    text: { http: { status: 200, body: "hello", headers: { "content-type": "text/plain" } } },
  })) {
    test(name, async () => {
      for (const enable_streaming of [true, false]) {
        const { error, requests } = await callModel([reply], {
          role: { max_retries: 1 },
          execution: { enable_streaming },
        });
        expect(error?.kind).toBe("provider");
        expect(requests).toHaveLength(2);
      }
    });
  }

  test("an error event inside a stream is an error and is retried", async () => {
    const body = `data: {"error":{"message":"overloaded","type":"server_error"}}\n\n`;
    const sse = { http: { status: 200, body, headers: { "content-type": "text/event-stream" } } };
    const { reply, retries } = await callModel([sse, GOOD]);
    expect(reply?.content).toBe("hello");
    expect(retries[0]).toContain("overloaded");
  });

  test("a stream of invalid JSON is retried", async () => {
    const sse = {
      http: { status: 200, body: "data: {oops\n\n", headers: { "content-type": "text/event-stream" } },
    };
    const { reply, retries } = await callModel([sse, GOOD]);
    expect(reply?.content).toBe("hello");
    expect(retries).toHaveLength(1);
  });
});

describe("a stream that fails", () => {
  const text = "0123456789".repeat(20);

  test("a truncated stream is stored, counted and retried", async () => {
    const { reply, partials, spent } = await callModel([{ content: text, endAfter: 4 }, GOOD]);
    expect(reply?.content).toBe("hello");
    expect(partials.map(({ content }) => content)).toEqual([text.slice(0, 48)]);
    expect(partials[0]?.usage.estimated).toBe(true);
    expect(spent).toBeGreaterThan(20);
  });

  test("a broken connection is retried, and its text is kept", async () => {
    const firstDelta = Promise.withResolvers<void>();
    const { reply, partials } = await callModel(
      [{ content: text, cutAfter: 4, cutWhen: firstDelta.promise }, GOOD],
      {
        onDelta: () => firstDelta.resolve(),
      },
    );
    expect(reply?.content).toBe("hello");
    expect(partials).toHaveLength(1);
  });

  test("a stalled stream is ended by the idle limit and retried", async () => {
    const { reply, retries, partials } = await callModel([{ content: text, stallAfter: 3 }, GOOD], {
      llm: { idle_timeout: 0.1 },
    });
    expect(reply?.content).toBe("hello");
    expect(retries[0]).toContain("sent nothing for 0.1 s");
    expect(partials).toHaveLength(1);
  });

  test("a pause for thinking longer than the idle limit is not a stall", async () => {
    const body = '{"choices":[{"delta":{"role":"assistant","content":""},"finish_reason":null}]}';
    const first = {
      http: { status: 200, body: `data: ${body}\n\n`, headers: { "content-type": "text/event-stream" } },
    };
    expect((await callModel([first, GOOD])).retries).toHaveLength(1);
    const { reply, retries } = await callModel([{ content: text, thinkMs: 300 }], {
      llm: { idle_timeout: 0.1 },
    });
    expect(reply?.content).toBe(text);
    expect(retries).toEqual([]);
  });

  test("keep-alive comments reset the idle limit", async () => {
    const { reply, retries } = await callModel([{ content: text, keepAlives: 40 }], {
      llm: { idle_timeout: 0.6 },
    });
    expect(reply?.content).toBe(text);
    expect(retries).toEqual([]);
  });

  test("a server that never answers is ended by the request limit", async () => {
    const { error } = await callModel([{ content: text, delayMs: 5000 }], {
      role: { timeout: 0.1, max_retries: 0 },
    });
    expect(error?.message).toContain("did not answer within 0.1 s");
    expect(error?.details.hint).toContain("llm.agent_a.timeout");
  });

  test("an endless stream is ended by the deadline of the stage", async () => {
    const { error } = await callModel([{ content: text, keepAlives: 10_000 }], {
      deadlineMs: 200,
      realTime: true,
    });
    expect(error?.kind).toBe("provider");
  });

  test("chunks repeated after the end are ignored", async () => {
    const { reply } = await callModel([{ content: "hello", chunkChars: 100, repeat: 1 }]);
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
    expect((await callModel([sse])).reply?.content).toBe("hi");
  });

  test("an endlessly repeating text is stopped and marked as cut by length", async () => {
    const { reply } = await callModel([{ content: "and again ".repeat(50_000), chunkChars: 1000 }]);
    expect(reply?.finish_reason).toBe("length");
    expect(reply?.content.length).toBeLessThan(50_000);
  });

  test("a reply of 5 MB is complete", async () => {
    const lines = Array.from(
      { length: 200_000 },
      (_, i) => `const row_${i} = "${(i * 7919) % 104729}-${i}";`,
    );
    const big = lines.join("\n").slice(0, 5_000_000);
    for (const enable_streaming of [true, false]) {
      const { reply } = await callModel([{ content: big, chunkChars: 4000 }], {
        execution: { enable_streaming },
      });
      expect(reply?.content.length).toBe(big.length);
      expect(reply?.content === big).toBe(true);
    }
  });
});
