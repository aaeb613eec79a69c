// L0, the lists: pattern items and waive items in all their spellings. Contract, section 3.
import { type ConfigFindings, isNotApplicable, show } from "./config-findings.ts";
import { WITNESS_REGEX } from "./witness.ts";
import { MAX_CONFIG_ENTRIES, type MapView, type NodeView } from "./yaml-map.ts";

export interface ConfigLists {
  pattern_items: string[];
  waive_items: string[];
  /** Aligned with `waive_items`. */
  waive_reasons: string[];
}

/** Reads the three lists. A wrong entry is a problem of that entry; the others are still read. */
export function readLists(
  requirements: ReadonlyMap<string, NodeView>,
  waivers: ReadonlyMap<string, NodeView>,
  findings: ConfigFindings,
): ConfigLists {
  const patterns = listOf(requirements.get("pattern_items"), "requirements.pattern_items", findings);
  const waives = listOf(waivers.get("waive_items"), "waivers.waive_items", findings);
  const reasons = listOf(waivers.get("waive_reasons"), "waivers.waive_reasons", findings);
  const result: ConfigLists = { pattern_items: [], waive_items: [], waive_reasons: [] };

  patterns.forEach((entry, i) => {
    const text = patternText(entry, `requirements.pattern_items[${i}]`, findings);
    if (text !== undefined) result.pattern_items.push(text);
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
  });
  if (reasons.length > waives.length) {
    findings.warn(
      "waivers.waive_reasons",
      `has ${reasons.length} entries for ${waives.length} waive_items; the last are not used`,
      waivers.get("waive_reasons")?.line ?? 1,
    );
  }
  return result;
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

/** The text of an entry. `{KEY: text}` means `KEY: text`, which is what a YAML line with a colon becomes. */
function patternText(entry: NodeView, path: string, findings: ConfigFindings): string | undefined {
  const view = entry.view();
  if (view.kind === "scalar") {
    if (view.value === null && !view.quoted) {
      findings.error(path, "is empty; write the text to look for", view.line);
      return undefined;
    }
    // `1.10` stays "1.10": the text the person wrote, not the number YAML makes of it.
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
      `must be a text or one \`KEY: text\`; ${show(only.key)} holds a ${value.kind}`,
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

/** A text, `{name|pattern, reason}`, or the map that a text with a colon becomes. */
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
      findings.error(path, `the key ${key} stands here a second time`, line);
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
