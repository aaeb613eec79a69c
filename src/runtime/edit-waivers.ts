// Changes the waivers of an item config with the overrides of `check --set`, so that only one function writes YAML. The
// rest of the config is not changed.
import { stringify } from "yaml";
import type { NormalizedConfig } from "../contract/config.ts";
import { applyOverrides, type ConfigOverride } from "./override.ts";

export interface WaiverEntry {
  pattern: string;
  reason: string;
  /** The last day on which it is valid (YYYY-MM-DD); null: no end. */
  until: string | null;
}

/** The waivers of a config in order. */
export function waiversOf(config: NormalizedConfig): WaiverEntry[] {
  const { waive_items, waive_reasons, waive_until } = config.waivers;
  return waive_items.map((pattern, i) => ({
    pattern,
    reason: waive_reasons[i] ?? "N/A",
    until: waive_until[i] ?? null,
  }));
}

/** Overrides that set the section `waivers` to exactly these entries, or to N/A without any. Texts are quoted, so that
 * every character is kept. */
export function waiverOverrides(entries: readonly WaiverEntry[]): ConfigOverride[] {
  const override = (key: string, value: unknown): ConfigOverride => ({
    path: ["waivers", key],
    text: stringify(value, { defaultStringType: "QUOTE_DOUBLE", lineWidth: 0 }),
  });
  const count: ConfigOverride = {
    path: ["waivers", "value"],
    text: entries.length === 0 ? "N/A" : String(entries.length),
  };
  const ends = entries.map(({ until }) => until);
  return [
    count,
    override(
      "waive_items",
      entries.map(({ pattern }) => pattern),
    ),
    override(
      "waive_reasons",
      entries.map(({ reason }) => reason),
    ),
    override("waive_until", ends),
  ];
}

/** Adds waivers to a config text. Existing waivers are not changed; a config with a global waiver is returned as it is. */
export function addWaivers(
  text: string,
  config: NormalizedConfig,
  entries: readonly WaiverEntry[],
): { text: string; added: WaiverEntry[] } {
  const own = waiversOf(config);
  const added = entries.filter(({ pattern }) => !config.waivers.waive_items.includes(pattern));
  if (added.length === 0 || config.waivers.value === 0) return { text, added: [] };
  return { text: applyOverrides(text, waiverOverrides([...own, ...added])), added };
}

/** The config without some waivers, for the comparison with the page. */
export function withoutWaivers(config: NormalizedConfig, patterns: readonly string[]): NormalizedConfig {
  const kept = waiversOf(config).filter(({ pattern }) => !patterns.includes(pattern));
  if (kept.length === config.waivers.waive_items.length) return config;
  return {
    ...config,
    type: kept.length > 0 ? config.type : config.requirements.value === null ? 1 : 2,
    waivers: {
      value: kept.length > 0 ? kept.length : null,
      waive_items: kept.map(({ pattern }) => pattern),
      waive_reasons: kept.map(({ reason }) => reason),
      waive_until: kept.map(({ until }) => until),
    },
  };
}
