// The configuration of a run: defaults < file < environment < -c < flags, validated once as a whole. Every invalid value
// is reported with its origin and the valid values. No `.env` file is read.
import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import { defaultConfig, plainPath } from "./defaults.ts";
import type { ConfigSources, LayeredConfig } from "./layers.ts";
import { ENV_PREFIX, type Origin } from "./origin.ts";
import type { Config } from "./schema.ts";

export const CONFIG_FILE = "atomsmith.yaml";

/** The paths in `config` are absolute. */
export interface LoadedConfig extends LayeredConfig {
  /** Absolute path of the file that was read, or null. */
  file: string | null;
  /** `-c key.path=value` as they were given. */
  settings: readonly string[];
}

/** Loads and validates the configuration. Throws one `config` error that lists all problems. If no layer sets a value
 * that needs validation, neither the schema nor the YAML parser is loaded. */
export async function loadConfig(sources: ConfigSources): Promise<LoadedConfig> {
  const path = findFile(sources);
  const file = path === null ? null : { path, shown: shownPath(path, sources.cwd) };
  const read =
    file === null && nothingToCheck(sources)
      ? withPlainFlags(sources)
      : (await import("./layers.ts")).readLayers(sources, file);
  return {
    config: absolutePaths(read.config, sources.cwd),
    origins: read.origins,
    file: path,
    settings: sources.settings ?? [],
  };
}

/** True when no layer sets a value, except flags whose text is always valid. */
function nothingToCheck({ env, settings = [], flags = [] }: ConfigSources): boolean {
  if (settings.length > 0 || !flags.every((flag) => isPlainText(flag.key, flag.value))) return false;
  return !Object.entries(env).some(([name, text]) => name.startsWith(ENV_PREFIX) && (text ?? "") !== "");
}

function isPlainText(key: string, value: unknown): value is string {
  return plainPath(key) !== undefined && typeof value === "string" && value !== "";
}

function withPlainFlags({ flags = [] }: ConfigSources): LayeredConfig {
  const config = defaultConfig();
  const origins = new Map<string, Origin>();
  for (const { key, value, flag } of flags) {
    const name = plainPath(key);
    if (name === undefined || !isPlainText(key, value)) continue;
    config.paths[name] = value;
    origins.set(key, { layer: "flag", flag });
  }
  return { config, origins };
}

function findFile(sources: ConfigSources): string | null {
  if (sources.file !== undefined) return resolve(sources.cwd, sources.file);
  const path = resolve(sources.cwd, CONFIG_FILE);
  return existsSync(path) ? path : null;
}

/** The path in messages: relative to the working directory if it is below it. */
function shownPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.startsWith("..") || isAbsolute(short) ? path : short;
}

function absolutePaths(config: Config, cwd: string): Config {
  const { paths, logging, llm, loops } = config;
  return {
    ...config,
    paths: {
      ...paths,
      search_root: resolve(cwd, paths.search_root),
      item_specs_dir: resolve(cwd, paths.item_specs_dir),
      cache_dir: resolve(cwd, paths.cache_dir),
      output_dir: resolve(cwd, paths.output_dir),
    },
    logging: { ...logging, ...absolute("log_file", logging.log_file, cwd) },
    llm: {
      ...llm,
      ...absolute("cassettes", llm.cassettes, cwd),
      ...absolute("record", llm.record, cwd),
    },
    loops: {
      ...loops,
      factory: {
        ...loops.factory,
        runs: resolve(cwd, loops.factory.runs),
        repositories: loops.factory.repositories.map((path) => resolve(cwd, path)),
      },
      design: { ...loops.design, projects: resolve(cwd, loops.design.projects) },
      agent: {
        ...loops.agent,
        workspace: resolve(cwd, loops.agent.workspace),
        configs: resolve(cwd, loops.agent.configs),
      },
    },
  };
}

function absolute<K extends string>(key: K, path: string | undefined, cwd: string): { [P in K]?: string } {
  return (path === undefined ? {} : { [key]: resolve(cwd, path) }) as { [P in K]?: string };
}
