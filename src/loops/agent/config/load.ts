// Finds and reads the configuration of an agent: a file, one of the configured directory, or an embedded one. `$extends`
// is resolved, and later layers win. Errors name the file and key.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { parse } from "yaml";
import type { RoleConfig } from "../../../config/role-schema.ts";
import type { Config } from "../../../config/schema.ts";
import { AtomsmithError } from "../../../core/errors.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { didYouMean } from "../../../core/suggest.ts";
import { EMBEDDED_CONFIGS, EMBEDDED_TEMPLATES } from "./embedded.ts";
import { type AgentConfig, agentConfigSchema } from "./schema.ts";

const MAX_BYTES = 1024 * 1024;
const ENDINGS = ["", ".json", ".yaml", ".yml"];

/** A configuration and its origin. */
export interface LoadedAgent {
  config: AgentConfig;
  /** Absolute path, or name of an embedded configuration; identifies the configuration when a job is resumed. */
  ref: string;
  /** Text of the template of instructions.md; empty when there is none. */
  template: string;
}

/** Loads a configuration by name or path. Throws kind `config` for a missing or invalid one.
 * @param folder folder to search for a name before the embedded ones */
export function loadAgentConfig(wanted: string, folder: string, cwd: string): LoadedAgent {
  const ref = findRef(wanted, folder, cwd);
  const { value, template } = readLayers(ref, []);
  const read = agentConfigSchema.safeParse(value);
  if (!read.success) {
    const problems = read.error.issues
      .slice(0, 5)
      .map(({ path, message }) => `${path.join(".") || "the file"}: ${message}`);
    throw new AtomsmithError("config", `agent configuration ${wanted}: ${problems.join("; ")}`, {
      where: ref,
      hint: "the schema: atomsmith schema agent-config",
    });
  }
  return { config: read.data, ref, template: templateText(template) };
}

/** Names of all configurations: those of the folder, then the embedded ones. */
export function listAgentConfigs(folder: string): { name: string; source: string }[] {
  const own = existsSync(folder) ? readdirSync(folder).sort() : [];
  const configs = own.flatMap((file) => {
    const name = /^(.+)\.(json|ya?ml)$/.exec(file)?.[1];
    return name === undefined ? [] : [{ name, source: join(folder, file) }];
  });
  const embedded = Object.keys(EMBEDDED_CONFIGS)
    .filter((name) => !configs.some((own) => own.name === name))
    .map((name) => ({ name, source: "embedded" }));
  return [...configs, ...embedded];
}

function findRef(wanted: string, folder: string, cwd: string): string {
  const isName = /^[A-Za-z0-9._-]+$/.test(wanted);
  const places = [...(isName ? [resolve(folder, wanted)] : []), resolve(cwd, wanted)];
  for (const place of places) {
    const file = ENDINGS.map((ending) => place + ending).find(isFile);
    if (file !== undefined) return file;
  }
  if (isName && Object.hasOwn(EMBEDDED_CONFIGS, wanted)) return wanted;
  const known = listAgentConfigs(folder).map(({ name }) => name);
  throw new AtomsmithError("config", `agent configuration ${wanted} not found${didYouMean(wanted, known)}`, {
    where: wanted,
    hint: `known configurations: ${known.join(", ")}; or give the path of a file`,
  });
}

interface Layers {
  value: JsonObject;
  /** Absolute path, or name of an embedded template. */
  template: string | undefined;
}

/** Merges a configuration over those it extends. */
function readLayers(ref: string, on: readonly string[]): Layers {
  if (on.includes(ref)) {
    throw new AtomsmithError("config", `$extends is circular: ${[...on, ref].join(" -> ")}`, {
      where: ref,
    });
  }
  const value = readOne(ref);
  const base = isAbsolute(ref) ? dirname(ref) : undefined;
  const extended = value["$extends"];
  const below =
    typeof extended === "string" ? readLayers(extendedRef(extended, base, ref), [...on, ref]) : undefined;
  const { $extends: _, ...written } = value;
  const own = base === undefined ? written : withPaths(written, base);
  const workspace = own["workspace"];
  const template = isJsonObject(workspace) ? workspace["instructions_template"] : undefined;
  const here =
    typeof template !== "string" ? undefined : base === undefined ? template : resolve(base, template);
  return {
    value: below === undefined ? own : (merged(below.value, own) as JsonObject),
    template: here ?? below?.template,
  };
}

/** Paths of database files in connections are relative to the configuration file. */
function withPaths(value: JsonObject, base: string): JsonObject {
  const { connections } = value;
  if (!isJsonObject(connections)) return value;
  const resolved = Object.entries(connections).map(([name, connection]) => {
    const path = isJsonObject(connection) ? connection["path"] : undefined;
    return [
      name,
      typeof path === "string" ? { ...(connection as JsonObject), path: resolve(base, path) } : connection,
    ];
  });
  return { ...value, connections: Object.fromEntries(resolved) };
}

function extendedRef(name: string, base: string | undefined, from: string): string {
  if (base !== undefined) {
    const file = ENDINGS.map((ending) => resolve(base, name) + ending).find(isFile);
    if (file !== undefined && file !== from) return file;
    if (file === from && !Object.hasOwn(EMBEDDED_CONFIGS, name)) return file;
  }
  if (Object.hasOwn(EMBEDDED_CONFIGS, name)) return name;
  throw new AtomsmithError(
    "config",
    `${from} extends ${name}, which is neither a file nor an embedded configuration`,
    {
      where: from,
    },
  );
}

function readOne(ref: string): JsonObject {
  const embedded = isAbsolute(ref) ? undefined : EMBEDDED_CONFIGS[ref];
  if (embedded !== undefined) return structuredClone(embedded) as JsonObject;
  let value: unknown;
  try {
    if (statSync(ref).size > MAX_BYTES) throw new Error(`larger than ${MAX_BYTES} bytes`);
    value = parse(readFileSync(ref, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new AtomsmithError("config", `cannot read the agent configuration ${ref}: ${reason}`, {
      where: ref,
    });
  }
  if (isJsonObject(value)) return value;
  throw new AtomsmithError("config", `the agent configuration ${ref} is not a mapping`, { where: ref });
}

/** Maps are merged key by key; anything else is replaced. */
function merged(below: unknown, above: unknown): unknown {
  if (!isJsonObject(below) || !isJsonObject(above)) return above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries(
    [...keys].map((key) => [
      key,
      key in above ? (key in below ? merged(below[key], above[key]) : above[key]) : below[key],
    ]),
  );
}

function templateText(template: string | undefined): string {
  if (template === undefined) return "";
  const embedded = EMBEDDED_TEMPLATES[template];
  if (embedded !== undefined) return embedded;
  try {
    return readFileSync(template, "utf8");
  } catch {
    throw new AtomsmithError("config", `cannot read workspace.instructions_template: ${template}`, {
      where: "workspace.instructions_template",
    });
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The program's configuration with the agent's own settings where `llm.agent` has none. */
export function withAgentModel(config: Config, agent: AgentConfig): Config {
  const { reasoning_level, base_url, ...rest } = agent.llm;
  const filled = {
    ...rest,
    ...(base_url == null ? {} : { base_url }),
    ...(reasoning_level === undefined ? {} : { reasoning_effort: reasoning_level }),
  };
  const own = Object.fromEntries(Object.entries(config.llm.agent).filter(([, value]) => value !== undefined));
  return { ...config, llm: { ...config.llm, agent: { ...filled, ...own } as RoleConfig } };
}
