// L0: pattern items and waive items in all their spellings. docs/contract.md, section 3.
import type { FieldCondition } from "../contract/config.ts";
import { count } from "../core/words.ts";
import { type ConfigFindings, isNotApplicable, show } from "./config-findings.ts";
import { readWhere } from "./read-where.ts";
import { isDay } from "./waiver-days.ts";
import { WITNESS_REGEX } from "./witness.ts";
import { MAX_CONFIG_ENTRIES, type MapView, type NodeView } from "./yaml-map.ts";

export interface ConfigLists {
  pattern_items: string[];
  /** Aligned with `pattern_items`. */
  pattern_where: FieldCondition[][];
  waive_items: string[];
  /** Aligned with `waive_items`. */
  waive_reasons: string[];
  /** Aligned with `waive_items`. */
  waive_until: (string | null)[];
}

/** Reads the four lists. A wrong entry is a problem of that entry; the others are still read. */
export function readLists(
  requirements: ReadonlyMap<string, NodeView>,
  waivers: ReadonlyMap<string, NodeView>,
  findings: ConfigFindings,
): ConfigLists {
  const patterns = listOf(requirements.get("pattern_items"), "requirements.pattern_items", findings);
  const waives = listOf(waivers.get("waive_items"), "waivers.waive_items", findings);
  const reasons = listOf(waivers.get("waive_reasons"), "waivers.waive_reasons", findings);
  const ends = listOf(waivers.get("waive_until"), "waivers.waive_until", findings).map((entry, i) =>
    endOf(entry, `waivers.waive_until[${i}]`, findings),
  );
  const result: ConfigLists = {
    pattern_items: [],
    pattern_where: [],
    waive_items: [],
    waive_reasons: [],
    waive_until: [],
  };

  patterns.forEach((entry, i) => {
    const path = `requirements.pattern_items[${i}]`;
    const conditional = conditionalPattern(entry, path, findings);
    const text = conditional === undefined ? patternText(entry, path, findings) : conditional.pattern;
    if (text === undefined) return;
    result.pattern_items.push(text);
    result.pattern_where.push(conditional?.where ?? []);
  });
  const plainReasons = reasons.map((entry, i) => {
    const view = entry.view();
    if (view.kind === "scalar") return view.value === null || view.text.trim() === "" ? undefined : view.text;
    findings.error(`waivers.waive_reasons[${i}]`, `must be a text, not a ${view.kind}`, view.line);
    return undefined;
  });
  waives.forEach((entry, i) => {
    const waiver = waiverOf(entry, `waivers.waive_items[${i}]`, findings);
    if (waiver === undefined) return;
    result.waive_items.push(waiver.pattern);
    result.waive_reasons.push(waiver.reason ?? plainReasons[i] ?? "N/A");
    result.waive_until.push(ends[i] ?? null);
  });
  for (const [key, length] of [
    ["waive_reasons", reasons.length],
    ["waive_until", ends.length],
  ] as const) {
    if (length <= waives.length) continue;
    findings.warn(
      `waivers.${key}`,
      `has ${count(length, "entry", "entries")} for ${waives.length} waive_items; the last ones are ignored`,
      waivers.get(key)?.line ?? 1,
    );
  }
  return result;
}

/** The last day of a waiver; null without an end, or after a problem. */
function endOf(entry: NodeView, path: string, findings: ConfigFindings): string | null {
  if (isNotApplicable(entry)) return null;
  const view = entry.view();
  const text = view.kind === "scalar" ? view.text.trim() : `a ${view.kind}`;
  if (view.kind === "scalar" && isDay(text)) return text;
  findings.error(path, `must be a day as YYYY-MM-DD, or null, not ${show(text)}`, view.line);
  return null;
}

/** The witnesses; null when the key is missing or N/A. Each is one line. */
export function readWitnesses(node: NodeView | undefined, findings: ConfigFindings): string[] | null {
  if (isNotApplicable(node)) return null;
  const witnesses: string[] = [];
  listOf(node, "witnesses", findings).forEach((entry, i) => {
    const path = `witnesses[${i}]`;
    const text = patternText(entry, path, findings)?.trim();
    if (text === undefined) return;
    if (text === "" || text === WITNESS_REGEX) findings.error(path, "must not be empty", entry.line);
    else if (text.includes("\n")) findings.error(path, "must be one line", entry.line);
    else witnesses.push(text);
  });
  return witnesses;
}

function listOf(node: NodeView | undefined, path: string, findings: ConfigFindings): NodeView[] {
  if (node === undefined || isNotApplicable(node)) return [];
  const view = node.view();
  if (view.kind !== "list") {
    findings.error(path, `must be a list, not a ${view.kind}`, view.line);
    return [];
  }
  if (view.entries.length > MAX_CONFIG_ENTRIES) {
    findings.error(path, `has ${view.entries.length} entries; at most ${MAX_CONFIG_ENTRIES}`, view.line);
    return [];
  }
  return view.entries;
}

/** `{pattern: TEXT, where: {…}}`; undefined for any other entry. */
function conditionalPattern(
  entry: NodeView,
  path: string,
  findings: ConfigFindings,
): { pattern: string | undefined; where: FieldCondition[] } | undefined {
  const view = entry.view();
  if (view.kind !== "map" || view.entries.length !== 2) return undefined;
  const find = (key: string): NodeView | undefined =>
    view.entries.find((member) => member.key === key)?.value;
  const pattern = find("pattern");
  const where = find("where");
  if (pattern === undefined || where === undefined) return undefined;
  return {
    pattern: patternText(pattern, `${path}.pattern`, findings),
    where: readWhere(where, `${path}.where`, findings),
  };
}

/** The text of an entry. `{KEY: text}` means `KEY: text`, which is what a YAML line with a colon becomes. */
function patternText(entry: NodeView, path: string, findings: ConfigFindings): string | undefined {
  const view = entry.view();
  if (view.kind === "scalar") {
    if (view.value === null && !view.quoted) {
      findings.error(path, "is empty; write the text to search for", view.line);
      return undefined;
    }
    // `1.10` stays "1.10": the text as written, not the number that YAML parses.
    return view.text;
  }
  if (view.kind === "map") return mapText(view, path, findings);
  findings.error(path, "must be a text or one `KEY: text`, not a list", view.line);
  return undefined;
}

function mapText(view: MapView, path: string, findings: ConfigFindings): string | undefined {
  const [only, second] = view.entries;
  if (only === undefined || second !== undefined) {
    findings.error(
      path,
      `must be a text or one \`KEY: text\`, not a map of ${view.entries.length} keys`,
      view.line,
    );
    return undefined;
  }
  const value = only.value.view();
  if (value.kind !== "scalar") {
    findings.error(
      path,
      `must be a text or one \`KEY: text\`; ${show(only.key)} is a ${value.kind}`,
      view.line,
    );
    return undefined;
  }
  return value.value === null && value.text === "" ? `${only.key}:` : `${only.key}: ${value.text}`;
}

interface Waiver {
  pattern: string;
  reason: string | undefined;
}

/** Reads a text, `{name|pattern, reason}`, or the map that YAML makes of a text with a colon. */
function waiverOf(entry: NodeView, path: string, findings: ConfigFindings): Waiver | undefined {
  const view = entry.view();
  const named =
    view.kind === "map" && view.entries.some(({ key }) => ["name", "pattern", "reason"].includes(key));
  if (view.kind !== "map" || !named) {
    const pattern = patternText(entry, path, findings);
    return pattern === undefined ? undefined : { pattern, reason: undefined };
  }
  const found = new Map<string, string>();
  for (const { key, value, line } of view.entries) {
    const scalar = value.view();
    if (!["name", "pattern", "reason"].includes(key)) {
      findings.error(path, `unknown key ${show(key)}; a waiver has name (or pattern) and reason`, line);
      return undefined;
    }
    if (found.has(key)) {
      findings.error(path, `the key ${key} is repeated here`, line);
      return undefined;
    }
    if (scalar.kind !== "scalar") {
      findings.error(path, `${key} must be a text, not a ${scalar.kind}`, line);
      return undefined;
    }
    if (scalar.value !== null) found.set(key, scalar.text);
  }
  const pattern = found.get("name") ?? found.get("pattern");
  if (pattern === undefined || (found.has("name") && found.has("pattern"))) {
    findings.error(path, "needs exactly one of name and pattern", view.line);
    return undefined;
  }
  return { pattern, reason: found.get("reason") };
}
