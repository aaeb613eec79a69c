// Shared by `serve` and `mcp`: command lines of the commands they start, so that these use the same configuration.
import type { LoadedConfig } from "../config/load.ts";
import { ownProgram, type ProgramOptions } from "../server/program.ts";
import { SCHEMA_NAMES, schemaByName } from "./commands/schema.ts";
import type { CommandContext } from "./context.ts";

/** The schemas of documents, by name. */
export const SCHEMAS = {
  names: SCHEMA_NAMES,
  of: (name: string) => schemaByName(name as (typeof SCHEMA_NAMES)[number]),
};

type Values = Partial<Record<"search-root" | "out" | "cache" | "provider", string | undefined>>;

/** This program, called with the configuration of this command line. */
export function programOf(context: CommandContext, args: Values): ProgramOptions {
  const { loaded, cwd, env } = context;
  const items = (["search-root", "out", "cache", "provider"] as const).flatMap((name) => {
    const value = args[name];
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  const flags = { global: globalFlags(loaded), items, settings: settingsFlags(loaded) };
  return { program: ownProgram(), flags, cwd, env };
}

/** The configuration file and settings of the command line. */
function globalFlags({ file, settings }: LoadedConfig): string[] {
  return [...(file === null ? [] : [`--config=${file}`]), ...settings.flatMap((setting) => ["-c", setting])];
}

/** For commands that define their own --config: passes the values of the file as settings. */
function settingsFlags({ config, origins, settings }: LoadedConfig): string[] {
  const fromFile = [...origins].flatMap(([key, { layer }]) => {
    const value = layer === "file" ? valueAt(config, key.split(".")) : undefined;
    return value === undefined ? [] : [`${key}=${typeof value === "string" ? value : JSON.stringify(value)}`];
  });
  return [...fromFile, ...settings].flatMap((setting) => ["-c", setting]);
}

function valueAt(config: object, path: readonly string[]): unknown {
  const [name = "", ...rest] = path;
  const value = (config as Record<string, unknown>)[name];
  return rest.length === 0 || typeof value !== "object" || value === null ? value : valueAt(value, rest);
}
