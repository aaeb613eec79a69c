// The provider table, and what a role's configuration comes to when it meets the environment. All that tells
// one vendor from another is data here; adding a provider is adding a row (docs/providers.md).
import { roleConfig } from "../config/roles.ts";
import type { Config, ProviderName, RoleConfig } from "../config/schema.ts";
import { AtomsmithError } from "../core/errors.ts";
import { QUIRKS, type QuirkName } from "./quirks.ts";
import type { ModelRole } from "./types.ts";

interface ProviderProfile {
  /** Which client of the openai package speaks to it. */
  client: "openai" | "azure";
  /** undefined: the configuration must name it. */
  baseUrl: string | undefined;
  /** Environment variables that may hold the key, first one set wins. */
  keyEnv: string[];
  apiVersion?: string;
  /** Tokens of one reply where the configuration names none and the server would cut early or refuse. */
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

/** Sent to a server that wants no key; the client library insists on some text. */
export const NO_KEY = "none";

/** Everything one role needs to call its model. `apiKey` never leaves this layer. */
export interface RoleSettings {
  role: ModelRole;
  provider: RemoteProvider;
  client: "openai" | "azure";
  model: string;
  baseUrl: string;
  apiKey: string;
  /** Name of the variable that holds the key, or would (`apiKey` is then NO_KEY); for messages. */
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

/** The provider of a role: as configured; else `openai` when a server is named, or a model and a key is at hand; else
 * `offline`. A key that merely stands in the environment spends nothing. */
export function providerOf(role: RoleConfig, env: Env): ProviderName {
  if (role.provider !== undefined) return role.provider;
  // A server without a model is an error that is told, and no reason to work without one.
  if (role.base_url !== undefined) return "openai";
  const key = env[role.api_key_env ?? "OPENAI_API_KEY"];
  return role.model !== undefined && key ? "openai" : "offline";
}

/** Resolves a role of a remote provider. Throws `config` errors that name the key to set. */
export function resolveRole(role: ModelRole, config: Config, env: Env): RoleSettings {
  const wanted = roleConfig(config, role);
  const provider = providerOf(wanted, env);
  if (provider === "offline" || provider === "replay") {
    throw new AtomsmithError("internal", `role ${role} has the provider ${provider}, which calls no server`);
  }
  const profile = PROVIDER_TABLE[provider];
  const where = `llm.${role}`;
  if (wanted.model === undefined) {
    throw new AtomsmithError("config", `${where}.model is not set, and provider ${provider} needs one`, {
      where: `${where}.model`,
      hint: `Name the model, for example -c ${where}.model=NAME, or use --provider offline.`,
    });
  }
  const base = wanted.base_url ?? profile.baseUrl;
  if (base === undefined) {
    throw new AtomsmithError("config", `${where}.base_url is not set, and provider ${provider} needs one`, {
      where: `${where}.base_url`,
      hint: "For azure it is the address of the resource, https://NAME.openai.azure.com.",
    });
  }
  const { apiKey, keyEnv } = findKey(role, wanted, profile, provider, env);
  return {
    role,
    provider,
    client: profile.client,
    model: wanted.model,
    baseUrl: profile.client === "azure" ? azureBase(base) : base.replace(/\/+$/, ""),
    apiKey,
    keyEnv,
    apiVersion: wanted.api_version ?? profile.apiVersion,
    temperature: wanted.temperature,
    maxTokens: wanted.max_tokens ?? profile.maxTokens,
    reasoningEffort: wanted.reasoning_effort,
    timeoutMs: (wanted.timeout ?? config.execution.timeout_per_stage) * 1000,
    maxRetries: wanted.max_retries ?? 4,
    quirks: [...new Set([...profile.quirks, ...(wanted.quirks ?? []).map((name) => quirkName(name, where))])],
  };
}

function findKey(
  role: ModelRole,
  wanted: RoleConfig,
  profile: ProviderProfile,
  provider: RemoteProvider,
  env: Env,
): { apiKey: string; keyEnv: string } {
  const names = wanted.api_key_env === undefined ? profile.keyEnv : [wanted.api_key_env];
  for (const name of names) {
    const value = env[name]?.trim();
    if (value) return { apiKey: value, keyEnv: name };
  }
  // A server of one's own often wants no key.
  if (wanted.base_url !== undefined && wanted.api_key_env === undefined && provider === "openai") {
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
