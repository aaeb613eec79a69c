// The provider table, and the resolution of a role's configuration with the environment. All differences between
// vendors are data here; adding a provider means adding a row (docs/providers.md).

import type { ProviderName, RoleConfig } from "../config/role-schema.ts";
import { roleConfig } from "../config/roles.ts";
import type { Config } from "../config/schema.ts";
import { AtomsmithError } from "../core/errors.ts";
import { QUIRKS, type QuirkName } from "./quirks.ts";
import type { ModelRole } from "./types.ts";

interface ProviderProfile {
  /** Client of the openai package to use. */
  client: "openai" | "azure";
  /** undefined: must be configured. */
  baseUrl: string | undefined;
  /** Environment variables that may hold the key; the first one set is used. */
  keyEnv: string[];
  apiVersion?: string;
  /** Default limit of a reply in tokens, for servers that would cut early or reject a request without one. */
  maxTokens?: number;
  quirks: QuirkName[];
}

type RemoteProvider = Exclude<ProviderName, "offline" | "replay">;

export const PROVIDER_TABLE: Record<RemoteProvider, ProviderProfile> = {
  openai: { client: "openai", baseUrl: "https://api.openai.com/v1", keyEnv: ["OPENAI_API_KEY"], quirks: [] },
  azure: {
    client: "azure",
    baseUrl: undefined,
    keyEnv: ["AZURE_OPENAI_API_KEY"],
    apiVersion: "2024-10-21",
    quirks: [],
  },
  anthropic: {
    client: "openai",
    baseUrl: "https://api.anthropic.com/v1",
    keyEnv: ["ANTHROPIC_API_KEY"],
    maxTokens: 8192,
    quirks: ["temperature_at_most_1", "no_reasoning_effort"],
  },
};

/** Sent to a server without a key; the client library requires some text. */
export const NO_KEY = "none";

/** Everything one role needs to call its model. `apiKey` never leaves this layer. */
export interface RoleSettings {
  role: ModelRole;
  provider: RemoteProvider;
  client: "openai" | "azure";
  model: string;
  baseUrl: string;
  apiKey: string;
  /** Name of the variable for the key, set or not (`apiKey` is then NO_KEY); for messages. */
  keyEnv: string;
  apiVersion: string | undefined;
  temperature: number | undefined;
  maxTokens: number | undefined;
  reasoningEffort: RoleConfig["reasoning_effort"];
  /** Milliseconds for one request. */
  timeoutMs: number;
  maxRetries: number;
  quirks: QuirkName[];
}

export type Env = Readonly<Record<string, string | undefined>>;

/** The provider of a role: the configured one; else `openai` when a server is configured, or a model with a key; else
 * `offline`. A key in the environment alone never causes costs. */
export function providerOf(role: RoleConfig, env: Env): ProviderName {
  if (role.provider !== undefined) return role.provider;
  // A server without a model is reported as an error; it does not mean `offline`.
  if (role.base_url !== undefined) return "openai";
  const key = env[role.api_key_env ?? "OPENAI_API_KEY"];
  return role.model !== undefined && key ? "openai" : "offline";
}

/** Resolves a role of a remote provider. Throws `config` errors that name the key to set. */
export function resolveRole(role: ModelRole, config: Config, env: Env): RoleSettings {
  const roleSettings = roleConfig(config, role);
  const provider = providerOf(roleSettings, env);
  if (provider === "offline" || provider === "replay") {
    throw new AtomsmithError("internal", `role ${role} has the provider ${provider}, which has no server`);
  }
  const profile = PROVIDER_TABLE[provider];
  const where = `llm.${role}`;
  if (roleSettings.model === undefined) {
    throw new AtomsmithError("config", `${where}.model is not set, but provider ${provider} requires it`, {
      where: `${where}.model`,
      hint: `Name the model, for example -c ${where}.model=NAME, or use --provider offline.`,
    });
  }
  const base = roleSettings.base_url ?? profile.baseUrl;
  if (base === undefined) {
    throw new AtomsmithError("config", `${where}.base_url is not set, but provider ${provider} requires it`, {
      where: `${where}.base_url`,
      hint: "For azure it is the address of the resource, https://NAME.openai.azure.com.",
    });
  }
  const { apiKey, keyEnv } = findKey(role, roleSettings, profile, provider, env);
  return {
    role,
    provider,
    client: profile.client,
    model: roleSettings.model,
    baseUrl: profile.client === "azure" ? azureBase(base) : base.replace(/\/+$/, ""),
    apiKey,
    keyEnv,
    apiVersion: roleSettings.api_version ?? profile.apiVersion,
    temperature: roleSettings.temperature,
    maxTokens: roleSettings.max_tokens ?? profile.maxTokens,
    reasoningEffort: roleSettings.reasoning_effort,
    timeoutMs: (roleSettings.timeout ?? config.execution.timeout_per_stage) * 1000,
    maxRetries: roleSettings.max_retries ?? 4,
    quirks: [
      ...new Set([...profile.quirks, ...(roleSettings.quirks ?? []).map((name) => quirkName(name, where))]),
    ],
  };
}

function findKey(
  role: ModelRole,
  roleSettings: RoleConfig,
  profile: ProviderProfile,
  provider: RemoteProvider,
  env: Env,
): { apiKey: string; keyEnv: string } {
  const names = roleSettings.api_key_env === undefined ? profile.keyEnv : [roleSettings.api_key_env];
  for (const name of names) {
    const value = env[name]?.trim();
    if (value) return { apiKey: value, keyEnv: name };
  }
  // Local servers often require no key.
  if (
    roleSettings.base_url !== undefined &&
    roleSettings.api_key_env === undefined &&
    provider === "openai"
  ) {
    return { apiKey: NO_KEY, keyEnv: names[0] ?? "OPENAI_API_KEY" };
  }
  throw new AtomsmithError(
    "config",
    `no key for provider ${provider}: the environment variable ${names.join(" or ")} is not set`,
    {
      where: `llm.${role}.api_key_env`,
      hint: "Set the variable, or name another one with api_key_env, or use --provider offline.",
    },
  );
}

function azureBase(base: string): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path === "" ? "/openai" : path}`;
}

function quirkName(name: string, where: string): QuirkName {
  const known = QUIRKS.find((quirk) => quirk.name === name);
  if (known) return known.name;
  throw new AtomsmithError("config", `${where}.quirks: unknown quirk ${JSON.stringify(name)}`, {
    where: `${where}.quirks`,
    hint: `Known quirks: ${QUIRKS.map((quirk) => quirk.name).join(", ")}.`,
  });
}
