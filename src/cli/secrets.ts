// Masks API keys in messages, events and log lines: the last step before stderr, `--events`, the log file
// and error documents.
import { ROLE_NAMES } from "../config/role-names.ts";
import type { Config } from "../config/schema.ts";
import { createRedactor, type Redact } from "../core/redact/index.ts";
import { databaseSecrets } from "../store/postgres/url.ts";

/** Names the queue if `--queue` is not given. */
export const QUEUE_VARIABLE = "ATOMSMITH_QUEUE";

type Env = Readonly<Record<string, string | undefined>>;

/** Names of variables that contain API keys: `…_API_KEY`, and those named by the configuration. */
export function secretVariables(env: Env, config?: Config): string[] {
  const names = Object.keys(env).filter((name) => /(^|_)API_?KEY$/i.test(name));
  const roles = config ? ROLE_NAMES.map((role) => config.llm[role]) : [];
  return [...new Set([...names, ...roles.flatMap((role) => role.api_key_env ?? [])])];
}

/** Passwords of the queue's database, from URLs on the command line and from the environment. */
export function queueSecrets(argv: readonly string[], env: Env): string[] {
  const urls = [...argv.map((word) => word.replace(/^--[a-z-]+=/, "")), env[QUEUE_VARIABLE] ?? ""];
  return [...urls.flatMap(databaseSecrets), env["PGPASSWORD"] ?? ""];
}

/** Masks the values of those variables and `secrets`, plain and escaped for JSON; with `shapes` also texts that
 * look like a key or a password. */
export function createMask(
  env: Env,
  options: { config?: Config; shapes?: boolean; secrets?: readonly string[] } = {},
): Redact {
  const named = secretVariables(env, options.config).map((name) => env[name]?.trim() ?? "");
  const values = [...named, ...(options.secrets ?? [])].flatMap((value) =>
    value === "" ? [] : [value, JSON.stringify(value).slice(1, -1)],
  );
  return createRedactor({ shapes: options.shapes ?? false, known: [...new Set(values)] });
}
