// Cancelling a call at each moment.
import { afterEach, describe, expect, test } from "bun:test";
import { AtomsmithError } from "../../src/core/errors.ts";
import type { Script, ScriptedReply } from "../support/model-server.ts";
import { callModel, httpFailure, stopServer } from "./one-call.ts";

afterEach(stopServer);

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
      const { error, partials } = await callModel(answer, { signal: stop.signal });
      expect(error?.kind).toBe("interrupted");
      expect(error?.exitCode).toBe(130);
      expect(partials).toHaveLength(reply.stallAfter === undefined ? 0 : 1);
    });
  }

  test("while waiting for a retry", async () => {
    const stop = new AbortController();
    const answer: Script = () => {
      setTimeout(() => stop.abort(new AtomsmithError("interrupted", "stopped by SIGINT")), 50);
      return httpFailure(500, {}, { "retry-after": "30" });
    };
    const { error } = await callModel(answer, { signal: stop.signal, realTime: true, deadlineMs: 100_000 });
    expect(error?.message).toBe("stopped by SIGINT");
  });
});
