// What tests of the llm layer share: a configuration that points at a local server, and services over it.
import { type Config, configSchema } from "../../src/config/schema.ts";
import type { EventBody } from "../../src/core/events.ts";
import type { Clock } from "../../src/llm/clock.ts";
import { createLlmServices, type LlmServices } from "../../src/llm/index.ts";
import type { ChatRequest } from "../../src/llm/types.ts";

export const TEST_KEY = "sk-test-0123456789abcdefghij";

export function llmConfig(url: string, overrides: Record<string, unknown> = {}, role: object = {}): Config {
  const one = { provider: "openai", model: "test-model", base_url: url, api_key_env: "TEST_KEY", ...role };
  return configSchema.parse({
    ...overrides,
    // The author writes all parts, as in the original, unless a test says otherwise.
    llm: {
      agent_a: one,
      agent_b: one,
      reflect: one,
      universal_atoms: "author",
      ...((overrides["llm"] as object | undefined) ?? {}),
    },
  });
}

/** A clock on which waiting takes no time but is remembered. */
export function fastClock(): Clock & { waits: number[] } {
  let skipped = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => performance.now() + skipped,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      skipped += ms;
    },
  };
}

export function servicesFor(config: Config, clock?: Clock): { services: LlmServices; events: EventBody[] } {
  const events: EventBody[] = [];
  const services = createLlmServices(config, {
    env: { TEST_KEY },
    emit: (event) => events.push(event),
    random: () => 0.5,
    ...(clock === undefined ? {} : { clock }),
  });
  return { services, events };
}

export const HELLO: ChatRequest = {
  role: "agent_a",
  messages: [
    { role: "system", content: "You are a test." },
    { role: "user", content: "Say hello." },
  ],
  tools: [],
};
