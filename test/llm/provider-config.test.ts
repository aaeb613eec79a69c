// Errors of the configuration of a provider.
import { describe, expect, test } from "bun:test";
import { HELLO, llmConfig, modelOf, servicesFor } from "../support/llm.ts";
import { startModelServer } from "../support/model-server.ts";

const never = new AbortController().signal;

describe("configuration of providers", () => {
  const start = (role: object): (() => unknown) => {
    return () => servicesFor(llmConfig("http://127.0.0.1:9/v1", {}, role));
  };
  test("a missing model is an error", () =>
    expect(start({ model: undefined })).toThrow(/agent_a.model is not set/));
  test("a missing key is an error", () =>
    expect(start({ api_key_env: "UNSET_KEY" })).toThrow(/UNSET_KEY is not set/));
  test("a missing address is an error", () =>
    expect(start({ provider: "azure", base_url: undefined })).toThrow(/base_url/));
  test("an unknown quirk is an error", () =>
    expect(start({ quirks: ["no_such"] })).toThrow(/Known quirks|unknown quirk/));
  test("replay without cassettes is an error", () =>
    expect(start({ provider: "replay" })).toThrow(/no cassettes/));
  test("a local server needs no key", () => {
    expect(start({ api_key_env: undefined })).not.toThrow();
  });
});

test("a server that requires a key gets a hint that names the variable", async () => {
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
