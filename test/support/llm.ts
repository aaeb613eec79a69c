// Shared by the tests of the llm layer: a configuration for a local server, and services over it.
import { AUTHOR_ROLES } from "../../src/author/roles.ts";
import { type Config, configSchema } from "../../src/config/schema.ts";
import type { Clock } from "../../src/core/clock.ts";
import type { EventBody } from "../../src/core/events.ts";
import type { Ledger } from "../../src/llm/budget.ts";
import { createLlmServices, type LlmServices, NO_USAGE } from "../../src/llm/index.ts";
import type { ChatModel, ChatRequest } from "../../src/llm/types.ts";

export const TEST_KEY = "sk-test-0123456789abcdefghij";

export function llmConfig(url: string, overrides: Record<string, unknown> = {}, role: object = {}): Config {
  const one = { provider: "openai", model: "test-model", base_url: url, api_key_env: "TEST_KEY", ...role };
  return configSchema.parse({
    ...overrides,
    // Authors write all parts, as in the original, unless a test overrides this.
    llm: {
      agent_a: one,
      agent_b: one,
      reflect: one,
      universal_atoms: "author",
      ...((overrides["llm"] as object | undefined) ?? {}),
    },
  });
}

/** A clock whose waits take no time and are recorded. */
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
    roles: AUTHOR_ROLES,
    emit: (event) => events.push(event),
    random: () => 0.5,
    ...(clock === undefined ? {} : { clock }),
  });
  return { services, events };
}

export function ledgerOf(services: LlmServices, subject: string): Ledger {
  return services.ledger("item", { subject, spent: NO_USAGE }, services.emit);
}

/** The model of a role for one subject. */
export function modelOf(
  services: LlmServices,
  role: string,
  subject: string,
  ledger: Ledger = ledgerOf(services, subject),
): ChatModel {
  return services.model(role, { cassette: subject, ledger, emit: services.emit });
}

export const HELLO: ChatRequest = {
  role: "agent_a",
  messages: [
    { role: "system", content: "You are a test." },
    { role: "user", content: "Say hello." },
  ],
  tools: [],
};
