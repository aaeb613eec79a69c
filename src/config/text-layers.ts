// The text layers: environment variables and `-c key.path=value`. The schema decides the type of a value, so a model
// named "4" stays a text and a limit of "4" becomes a number.
import { parse } from "yaml";
import { suggest } from "../core/suggest.ts";
import { type KeyNode, leafKeys, lookup, splitKey } from "./keys.ts";
import { ENV_PREFIX, type LayerReading, type Origin } from "./origin.ts";
import { ROLE_NAMES } from "./role-names.ts";
import { unknownKeyMessage } from "./unknown-key.ts";

/** `ATOMSMITH_LLM__AGENT_A__MODEL=x` sets `llm.agent_a.model`: two underscores are a dot, letters become lower-case
 * (except below paths.variables, where names are kept as written). Variables without two underscores are ignored,
 * unless they look like a key written with single ones. */
export function readEnvironmentLayer(env: Readonly<Record<string, string | undefined>>): LayerReading {
  const reading: LayerReading = { assignments: [], problems: [] };
  for (const [variable, text] of Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!variable.startsWith(ENV_PREFIX) || text === undefined || text === "") continue;
    const origin: Origin = { layer: "environment", variable };
    const rest = variable.slice(ENV_PREFIX.length);
    if (!rest.includes("__")) {
      const suggestion = singleUnderscore(rest);
      if (suggestion !== undefined) {
        reading.problems.push({ origin, message: `unknown variable; did you mean ${suggestion}?` });
      }
      continue;
    }
    assign(reading, environmentPath(rest), text, origin);
  }
  return reading;
}

/** Name of the environment variable of a key. */
export function environmentName(key: string): string {
  return ENV_PREFIX + key.split(".").join("__").toUpperCase();
}

function environmentPath(rest: string): string[] {
  const parts = rest.split("__");
  if (parts[0]?.toLowerCase() === "paths" && parts[1]?.toLowerCase() === "variables") {
    return ["paths", "variables", parts.slice(2).join("__")];
  }
  return parts.map((part) => part.toLowerCase());
}

function singleUnderscore(rest: string): string | undefined {
  const plain = (text: string) => text.replaceAll("_", "").replaceAll(".", "").toLowerCase();
  const key = leafKeys().find((leaf) => plain(leaf) === plain(rest));
  return key === undefined ? undefined : environmentName(key);
}

/** `-c key.path=value`; `llm.*.model=x` sets it for all roles. */
export function readSettingsLayer(settings: readonly string[]): LayerReading {
  const reading: LayerReading = { assignments: [], problems: [] };
  for (const setting of settings) {
    const equals = setting.indexOf("=");
    const key = equals < 0 ? setting : setting.slice(0, equals);
    const origin: Origin = { layer: "setting", text: key };
    if (equals <= 0) {
      const near = suggest(key, leafKeys());
      const example = near ?? "execution.max_iterations";
      reading.problems.push({ origin, message: `must have the form key.path=value, e.g. -c ${example}=…` });
      continue;
    }
    for (const expanded of expandRoles(key)) {
      assign(reading, splitKey(expanded), setting.slice(equals + 1), origin);
    }
  }
  return reading;
}

function expandRoles(key: string): string[] {
  return key.startsWith("llm.*.") ? ROLE_NAMES.map((role) => key.replace("*", role)) : [key];
}

function assign(reading: LayerReading, path: string[], text: string, origin: Origin): void {
  const found = lookup(path);
  if (!found.ok) {
    reading.problems.push({ origin, message: unknownKeyMessage(path, found.at, found.siblings) });
    return;
  }
  const { node } = found;
  if (node.type !== "object") {
    reading.assignments.push({ path, value: fromText(text, node), origin });
    return;
  }
  const value = asYaml(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const keys = node.properties ? `; its keys: ${Object.keys(node.properties).join(", ")}` : "";
    reading.problems.push({ origin, message: `${path.join(".")} is a mapping${keys}` });
    return;
  }
  for (const [key, below] of Object.entries(value)) {
    assign(reading, [...path, key], typeof below === "string" ? below : JSON.stringify(below), origin);
  }
}

/** Converts a text to the type of the schema; an unsuitable text stays a text, which the schema then rejects. */
export function fromText(text: string, node: KeyNode): unknown {
  if (node.type === "integer" || node.type === "number") {
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : text;
  }
  if (node.type === "boolean") {
    const word = text.trim().toLowerCase();
    if (["true", "yes", "on", "1"].includes(word)) return true;
    return ["false", "no", "off", "0"].includes(word) ? false : text;
  }
  return node.type === "array" ? asYaml(text) : text;
}

function asYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return text;
  }
}
