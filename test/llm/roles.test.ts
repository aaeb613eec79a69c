// Model roles are names in the configuration: each has its own settings, and only used roles are checked.
import { describe, expect, test } from "bun:test";
import { AUTHOR_ROLES } from "../../src/author/roles.ts";
import { ROLE_NAMES } from "../../src/config/role-names.ts";
import { roleConfig } from "../../src/config/roles.ts";
import { configSchema } from "../../src/config/schema.ts";
import { createLlmServices } from "../../src/llm/index.ts";
import { resolveRole } from "../../src/llm/providers.ts";

const emit = (): void => undefined;

test("every role of the list has settings in the schema, empty by default", () => {
  const { llm } = configSchema.parse({});
  for (const role of ROLE_NAMES) expect(llm[role]).toEqual({});
  expect(() => configSchema.parse({ llm: { agent_c: {} } })).toThrow(/agent_c/);
});

test("a role inherits nothing from another", () => {
  const config = configSchema.parse({ llm: { agent_a: { provider: "openai", model: "m", max_tokens: 5 } } });
  expect(roleConfig(config, "factory")).toEqual({});
});

test("an unknown role is a config error that lists the roles", () => {
  const config = configSchema.parse({});
  expect(() => roleConfig(config, "toString")).toThrow(/llm\.toString is not a role; roles: agent_a, /);
});

describe("which roles are checked", () => {
  // A model without a key.
  const config = configSchema.parse({ llm: { factory: { provider: "openai", model: "m" } } });
  test("an unused role needs no key", () => {
    expect(() => createLlmServices(config, { env: {}, emit, roles: AUTHOR_ROLES })).not.toThrow();
  });
  test("a used role needs its key before any request", () => {
    expect(() => createLlmServices(config, { env: {}, emit, roles: ["factory"] })).toThrow(/OPENAI_API_KEY/);
  });
  test("a role uses the settings under its name", () => {
    const settings = resolveRole("factory", config, { OPENAI_API_KEY: "sk-x" });
    expect(settings).toMatchObject({ role: "factory", provider: "openai", model: "m" });
  });
});

test("the keys of all roles are masked, also of unused ones", () => {
  const config = configSchema.parse({ llm: { design: { api_key_env: "DESIGN_SECRET" } } });
  const services = createLlmServices(config, {
    env: { DESIGN_SECRET: "hush-hush-hush" },
    emit,
    roles: AUTHOR_ROLES,
  });
  expect(services.redact("it is hush-hush-hush")).not.toContain("hush-hush-hush");
});
