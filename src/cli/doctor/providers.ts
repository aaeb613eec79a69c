// Checks the provider and API key of each role; with `--provider`, makes one small call per endpoint.
import { AUTHOR_ROLES } from "../../author/roles.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { ROLE_NAMES, type RoleName } from "../../config/role-names.ts";
import { type AtomsmithError, EXIT, toAtomsmithError } from "../../core/errors.ts";
import type { Emit } from "../../core/events.ts";
import { createLlmServices, probeProvider } from "../../llm/index.ts";
import { providerOf, resolveRole } from "../../llm/providers.ts";
import type { Check } from "./types.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The author roles, and other roles that have settings. */
function rolesToCheck(config: LoadedConfig["config"]): RoleName[] {
  return ROLE_NAMES.filter((role) => isAuthor(role) || Object.keys(config.llm[role]).length > 0);
}

function isAuthor(role: RoleName): boolean {
  return AUTHOR_ROLES.some((name) => name === role);
}

/** Reports provider, model and presence of the API key of each role. Key values are never shown. */
export function checkProviders({ config }: LoadedConfig, env: Env): Check[] {
  return rolesToCheck(config).map((role) => {
    const name = `llm.${role}`;
    const provider = providerOf(config.llm[role], env);
    if (provider === "offline") {
      if (!isAuthor(role)) return { name, status: "ok", message: "offline: no model is used" };
      return { name, status: "ok", message: "offline: the built-in author, no model is used" };
    }
    if (provider === "replay") return { name, status: "ok", message: "replay: recorded replies" };
    try {
      const settings = resolveRole(role, config, env);
      const key = env[settings.keyEnv]?.trim()
        ? `key from ${settings.keyEnv}`
        : `no key in ${settings.keyEnv} (a local server may not need one)`;
      return {
        name,
        status: "ok",
        message: `${provider}, ${settings.model}, ${hostOf(settings.baseUrl)}, ${key}`,
      };
    } catch (error) {
      return fromError(name, error);
    }
  });
}

/** Makes one call per role that has a server; roles with the same model and server share it. */
export async function callProviders(
  { config }: LoadedConfig,
  env: Env,
  emit: Emit,
  signal: AbortSignal,
): Promise<Check[]> {
  const groups = new Map<string, RoleName[]>();
  const silent: string[] = [];
  for (const role of rolesToCheck(config)) {
    const provider = providerOf(config.llm[role], env);
    if (provider === "offline" || provider === "replay") {
      silent.push(`${role} (${provider})`);
      continue;
    }
    const { baseUrl, model, keyEnv } = resolveRole(role, config, env);
    const key = JSON.stringify([baseUrl, model, keyEnv]);
    groups.set(key, [...(groups.get(key) ?? []), role]);
  }
  const none = `no calls to make: ${silent.join(", ")}`;
  const checks: Check[] = silent.length === 0 ? [] : [{ name: "model call", status: "ok", message: none }];
  for (const roles of groups.values()) {
    signal.throwIfAborted();
    checks.push(await callOne(roles, config, env, emit, signal));
  }
  return checks;
}

async function callOne(
  roles: RoleName[],
  config: LoadedConfig["config"],
  env: Env,
  emit: Emit,
  signal: AbortSignal,
): Promise<Check> {
  const role = roles[0] ?? "agent_a";
  const name = `call of ${roles.join(", ")}`;
  try {
    const services = createLlmServices(config, { env, emit, roles });
    const probe = await probeProvider(role, services, signal);
    const seconds = (probe.duration_ms / 1000).toFixed(1);
    const { input_tokens, output_tokens } = probe.usage;
    const facts = [
      probe.calls_tools ? "supports tool calls" : "did not call the requested tool",
      ...(probe.reports_usage ? [] : ["reports no token counts (they are estimated)"]),
      ...(probe.quirks.length === 0 ? [] : [`quirks: ${probe.quirks.join(", ")}`]),
    ];
    return {
      name,
      status: probe.calls_tools ? "ok" : "warning",
      message: `${probe.model} answered in ${seconds} s (${input_tokens} + ${output_tokens} tokens), ${facts.join(", ")}`,
      ...(probe.calls_tools
        ? {}
        : {
            hint: "Agent A needs tool calls to read logs: enable tool calling on the server or use another model",
          }),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return fromError(name, error);
  }
}

function fromError(name: string, thrown: unknown): Check {
  const error: AtomsmithError = toAtomsmithError(thrown);
  const hint = error.details.hint;
  const exit = error.kind === "internal" ? EXIT.bug : error.exitCode;
  return { name, status: "error", message: error.message, ...(hint ? { hint } : {}), exit };
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
