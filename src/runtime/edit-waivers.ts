// Changing the waivers of an item config: as the same overrides that `check --set` uses, so that one function writes
// YAML. The rest of the config is not changed.
import { stringify } from "yaml";
import type { NormalizedConfig } from "../contract/config.ts";
import { applyOverrides, type ConfigOverride } from "./override.ts";

export interface WaiverEntry {
  pattern: string;
  reason: string;
  /** The last day on which it holds (YYYY-MM-DD); null: no end. */
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

/** The section `waivers` with exactly these entries; without any it is N/A. Every character is kept: texts are quoted. */
export function waiverOverrides(entries: readonly WaiverEntry[]): ConfigOverride[] {
  const put = (key: string, value: unknown): ConfigOverride => ({
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
    put(
      "waive_items",
      entries.map(({ pattern }) => pattern),
    ),
    put(
      "waive_reasons",
      entries.map(({ reason }) => reason),
    ),
    put("waive_until", ends),
  ];
}

/** A config text with these waivers added; those it has already are not changed, and a config that waives
 * everything stays as it is. */
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

/** The config as it would be without some waivers: what the page is compared with. */
export function withoutWaivers(config: NormalizedConfig, patterns: readonly string[]): NormalizedConfig {
  const left = waiversOf(config).filter(({ pattern }) => !patterns.includes(pattern));
  if (left.length === config.waivers.waive_items.length) return config;
  return {
    ...config,
    type: left.length > 0 ? config.type : config.requirements.value === null ? 1 : 2,
    waivers: {
      value: left.length > 0 ? left.length : null,
      waive_items: left.map(({ pattern }) => pattern),
      waive_reasons: left.map(({ reason }) => reason),
      waive_until: left.map(({ until }) => until),
    },
  };
}
