// Merges the layers of a configuration and validates the result. Loaded only when a layer sets a value: the schema and
// the YAML parser take longer to load than a short command takes to run.
import { AtomsmithError } from "../core/errors.ts";
import { truncate } from "../core/limits.ts";
import { readFileLayer } from "./file-layer.ts";
import { expectation, lookup } from "./keys.ts";
import {
  type Assignment,
  DEFAULT_ORIGIN,
  type LayerReading,
  type Origin,
  originText,
  type Problem,
} from "./origin.ts";
import { type Config, configSchema } from "./schema.ts";
import { readEnvironmentLayer, readSettingsLayer } from "./text-layers.ts";

export interface ConfigSources {
  /** Base of relative paths in every layer. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** `--config`; default: `atomsmith.yaml` in `cwd`, if it exists. */
  file?: string;
  /** `-c key.path=value` in order. */
  settings?: readonly string[];
  /** Flags of the command that set keys. */
  flags?: readonly { key: string; value: unknown; flag: string }[];
}

export interface LayeredConfig {
  /** With all defaults. */
  config: Config;
  /** Origin by dotted key; keys with their default value are absent. */
  origins: ReadonlyMap<string, Origin>;
}

/** Merges the layers; relative paths stay as written. Throws one `config` error that lists all problems.
 * @param file the configuration file and its name in messages, or null */
export function readLayers(
  sources: ConfigSources,
  file: { path: string; shown: string } | null,
): LayeredConfig {
  const readings: LayerReading[] = [];
  if (file !== null) readings.push(readFileLayer(file.path, file.shown));
  readings.push(readEnvironmentLayer(sources.env));
  readings.push(readSettingsLayer(sources.settings ?? []));
  readings.push(flagLayer(sources.flags ?? []));

  const problems = readings.flatMap((reading) => reading.problems);
  const merged = new Merged();
  for (const reading of readings) for (const assignment of reading.assignments) merged.set(assignment);
  // jitless: for a single value, compiling the schema would cost more than it saves.
  const parsed = configSchema.safeParse(merged.value, { jitless: true });
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const path = issue.path.map(String);
      problems.push(valueProblem(path, merged, issue.code === "custom" ? issue.message : undefined));
    }
  }
  if (problems.length > 0 || !parsed.success) throw configError(problems);
  return { config: parsed.data, origins: merged.origins };
}

function flagLayer(flags: readonly { key: string; value: unknown; flag: string }[]): LayerReading {
  return {
    problems: [],
    assignments: flags.map(({ key, value, flag }) => ({
      path: key.split("."),
      value,
      origin: { layer: "flag", flag },
    })),
  };
}

/** The merged layers, with the origin of each value. */
class Merged {
  readonly value: Record<string, unknown> = {};
  readonly origins = new Map<string, Origin>();

  set({ path, value, origin }: Assignment): void {
    let target = this.value;
    for (const key of path.slice(0, -1)) {
      const existing = target[key];
      if (typeof existing === "object" && existing !== null) target = existing as Record<string, unknown>;
      else {
        const created: Record<string, unknown> = {};
        define(target, key, created);
        target = created;
      }
    }
    define(target, path.at(-1) ?? "", value);
    this.origins.set(path.join("."), origin);
  }

  /** The value at a path with its origin, or that of its nearest ancestor. */
  find(path: readonly string[]): { value: unknown; origin: Origin } {
    let value: unknown = this.value;
    for (const key of path) value = (value as Record<string, unknown> | undefined)?.[key];
    for (let n = path.length; n > 0; n--) {
      const key = path.slice(0, n).join(".");
      const below = [...this.origins].find(([known]) => known === key || known.startsWith(`${key}.`));
      if (below) return { value, origin: below[1] };
    }
    return { value, origin: DEFAULT_ORIGIN };
  }
}

/** Sets an own property, so that a key named `__proto__` is a key like any other. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

function valueProblem(issuePath: string[], merged: Merged, custom: string | undefined): Problem {
  // For elements of a list, the schema of the list is the best description of the expected value.
  const found = lookup(issuePath);
  const path = found.ok ? issuePath : issuePath.slice(0, found.at);
  const { value, origin } = merged.find(path);
  const key = path.join(".");
  if (custom !== undefined) return { origin, message: `${key} ${custom}` };
  const node = lookup(path);
  const expected = node.ok ? expectation(node.node) : "something else";
  if (value === undefined) return { origin, message: `${key} is missing: must be ${expected}` };
  return { origin, message: `${key} must be ${expected}, not ${shownValue(value)}` };
}

/** A value in a message: bounded, and without the user and password of a URL. */
function shownValue(value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value) ?? "";
  } catch {
    return "a circular value";
  }
  return truncate(text.replace(/\/\/[^/@\s"]*@/g, "//***@"), 80).text;
}

function configError(problems: readonly Problem[]): AtomsmithError {
  const lines = problems.map((problem) => `${originText(problem.origin)}: ${problem.message}`);
  const first = problems[0];
  const message =
    lines.length === 1 ? (lines[0] ?? "") : `${lines.length} problems:\n  ${lines.join("\n  ")}`;
  return new AtomsmithError("config", `configuration: ${message}`, {
    ...(first ? { where: originText(first.origin) } : {}),
    hint: "See `atomsmith config schema` and `atomsmith config show --origin`.",
  });
}
