// L0: reads an item config, normalizes all spellings and decides the checker type. docs/contract.md, section 3. After a
// problem nothing runs: a value that cannot be understood is never treated as N/A.
import type { CheckerType, ConfigReading, NormalizedConfig } from "../contract/config.ts";
import { count } from "../core/words.ts";
import { ConfigFindings, type ConfigMode, isNotApplicable, show } from "./config-findings.ts";
import { readLists, readWitnesses } from "./read-config-lists.ts";
import { readWhere } from "./read-where.ts";
import { type MapView, type NodeView, readYaml } from "./yaml-map.ts";

const TOP_KEYS = ["description", "input_files", "requirements", "waivers", "witnesses", "no_witness_reason"];
const REQUIREMENT_KEYS = ["value", "pattern_items", "expect", "extra", "where"];
const WAIVER_KEYS = ["value", "waive_items", "waive_reasons", "waive_until"];

/** Reads the YAML of an item config. Never throws: problems have the dotted path of the key and the 1-based line. The rules
 * are those of docs/contract.md, section 3. */
export function readItemConfig(yamlText: string, mode: ConfigMode): ConfigReading {
  const reading = readYaml(yamlText.startsWith("\uFEFF") ? yamlText.slice(1) : yamlText);
  if (!reading.ok) return { ok: false, problems: reading.problems, warnings: [] };
  const findings = new ConfigFindings(mode);
  const root = reading.root.view();
  if (root.kind !== "map") {
    const empty = root.kind === "scalar" && root.value === null;
    findings.error(
      "",
      empty
        ? "the config is empty; it needs requirements and waivers (both may be N/A)"
        : `the config must be a map with the keys ${TOP_KEYS.join(", ")}, not a ${root.kind}`,
      root.line,
    );
    return { ok: false, problems: findings.problems, warnings: [] };
  }
  const top = keysOf(root, "", TOP_KEYS, findings, "strict");
  const requirements = section(top.get("requirements"), "requirements", REQUIREMENT_KEYS, findings);
  const waivers = section(top.get("waivers"), "waivers", WAIVER_KEYS, findings);

  const required = readCount(requirements.get("value"), "requirements.value", 1, findings);
  const waived = readCount(waivers.get("value"), "waivers.value", 0, findings);
  const lists = readLists(requirements, waivers, findings);
  checkCounts(required, waived, lists.pattern_items, lists.waive_items, requirements, waivers, findings);

  const where = readWhere(requirements.get("where"), "requirements.where", findings);
  const config: NormalizedConfig = {
    type: checkerType(required ?? null, waived ?? null),
    description: readText(top.get("description"), "description", findings),
    input_files: readInputFiles(top.get("input_files"), findings),
    requirements: {
      value: required ?? null,
      pattern_items: lists.pattern_items,
      ...(where.length > 0 ? { where } : {}),
      ...(lists.pattern_where.some((some) => some.length > 0) ? { pattern_where: lists.pattern_where } : {}),
      expect: readChoice(requirements.get("expect"), "requirements.expect", ["present", "absent"], findings),
      extra: readChoice(requirements.get("extra"), "requirements.extra", ["fail", "info"], findings),
    },
    waivers: {
      value: waived ?? null,
      waive_items: lists.waive_items,
      waive_reasons: lists.waive_reasons,
      waive_until: lists.waive_until,
    },
    witnesses: readWitnesses(top.get("witnesses"), findings),
    no_witness_reason: readText(top.get("no_witness_reason"), "no_witness_reason", findings).trim(),
  };
  const { problems, warnings } = findings;
  return problems.length > 0 ? { ok: false, problems, warnings } : { ok: true, config, warnings };
}

/** The checker type by the table of docs/contract.md, section 3. */
export function checkerType(required: number | null, waived: number | null): CheckerType {
  if (required === null) return waived === null ? 1 : 4;
  return waived === null ? 2 : 3;
}

type Keys = Map<string, NodeView>;

function keysOf(
  map: MapView,
  path: string,
  known: readonly string[],
  findings: ConfigFindings,
  unknown: "strict" | "error",
): Keys {
  const keys: Keys = new Map();
  for (const { key, value, line } of map.entries) {
    const keyPath = path === "" ? key : `${path}.${key}`;
    if (keys.has(key)) findings.error(keyPath, `the key ${key} is repeated here`, line);
    else if (known.includes(key)) keys.set(key, value);
    else {
      const message = `unknown key ${show(key)}; known here: ${known.join(", ")}`;
      if (unknown === "error") findings.error(keyPath, message, line);
      else findings.strict(keyPath, message, line);
    }
  }
  return keys;
}

/** In a section that is missing, null or N/A, all keys are missing. */
function section(
  node: NodeView | undefined,
  path: string,
  known: readonly string[],
  findings: ConfigFindings,
): Keys {
  if (node === undefined || isNotApplicable(node)) return new Map();
  const view = node.view();
  // A misspelled key (`expects`) would silently change the verdict, so it is an error in both modes.
  if (view.kind === "map") return keysOf(view, path, known, findings, "error");
  findings.error(path, `must be a map with the keys ${known.join(", ")}, not a ${view.kind}`, view.line);
  return new Map();
}

/** null for N/A, undefined after a problem. */
function readCount(
  node: NodeView | undefined,
  path: string,
  least: number,
  findings: ConfigFindings,
): number | null | undefined {
  if (node === undefined || isNotApplicable(node)) return null;
  const view = node.view();
  const wanted = `must be N/A or a whole number of at least ${least}`;
  if (view.kind !== "scalar") {
    findings.error(path, `${wanted}, not a ${view.kind}`, view.line);
    return undefined;
  }
  const text = view.text.trim();
  const isNumber = typeof view.value === "number" || typeof view.value === "bigint";
  const digits = /^[+-]?\d+$/.test(text);
  const written = isNumber ? Number(view.value) : Number(text);
  if ((isNumber ? !/[.eE]/.test(text) || /^0x/.test(text) : digits) && Number.isSafeInteger(written)) {
    if (written >= least) return written;
    findings.error(path, `${wanted}, not ${text}`, view.line);
    return undefined;
  }
  findings.error(path, `${wanted}, not ${show(view.text)}`, view.line);
  return undefined;
}

function readChoice<T extends string>(
  node: NodeView | undefined,
  path: string,
  allowed: readonly [T, ...T[]],
  findings: ConfigFindings,
): T {
  if (node === undefined) return allowed[0];
  const view = node.view();
  if (view.kind === "scalar" && view.value === null) return allowed[0];
  const found = view.kind === "scalar" ? allowed.find((choice) => choice === view.value) : undefined;
  if (found !== undefined) return found;
  const written = view.kind === "scalar" ? show(view.text) : `a ${view.kind}`;
  findings.error(path, `must be ${allowed.join(" or ")}, not ${written}`, view.line);
  return allowed[0];
}

function readText(node: NodeView | undefined, path: string, findings: ConfigFindings): string {
  if (node === undefined) return "";
  const view = node.view();
  if (view.kind === "scalar") return view.text;
  findings.error(path, `must be a text, not a ${view.kind}`, view.line);
  return "";
}

function readInputFiles(node: NodeView | undefined, findings: ConfigFindings): string[] {
  if (node === undefined || isNotApplicable(node)) return [];
  const view = node.view();
  if (view.kind === "map") {
    findings.error("input_files", "must be a list of globs, not a map", view.line);
    return [];
  }
  // A single glob is a list of one.
  const entries = view.kind === "list" ? view.entries : [node];
  const globs: string[] = [];
  entries.forEach((entry, i) => {
    const item = entry.view();
    const path = view.kind === "list" ? `input_files[${i}]` : "input_files";
    if (item.kind !== "scalar") findings.error(path, `must be a path or glob, not a ${item.kind}`, item.line);
    else if (item.text.trim() === "") findings.error(path, "must not be empty", item.line);
    else if (item.text.includes("\0")) findings.error(path, "contains a NUL character", item.line);
    else globs.push(item.text.trim());
  });
  return globs;
}

function checkCounts(
  required: number | null | undefined,
  waived: number | null | undefined,
  patterns: string[],
  waiveItems: string[],
  requirements: Keys,
  waivers: Keys,
  findings: ConfigFindings,
): void {
  const requiredLine = requirements.get("value")?.line ?? 1;
  const waivedLine = waivers.get("value")?.line ?? 1;
  if (typeof required === "number" && required !== patterns.length) {
    findings.strict(
      "requirements.value",
      `is ${required}, but pattern_items has ${count(patterns.length, "entry", "entries")}`,
      requiredLine,
    );
  }
  if (required === null && patterns.length > 0) {
    findings.warn(
      "requirements.pattern_items",
      `pattern_items (${count(patterns.length, "pattern")}) is ignored, because requirements.value is N/A`,
      requirements.get("pattern_items")?.line ?? 1,
    );
  }
  if (typeof waived === "number" && waived > 0 && waived !== waiveItems.length) {
    findings.strict(
      "waivers.value",
      `is ${waived}, but waive_items has ${count(waiveItems.length, "entry", "entries")}`,
      waivedLine,
    );
  }
  if (waived === null && waiveItems.length > 0) {
    findings.warn(
      "waivers.waive_items",
      `waive_items (${count(waiveItems.length, "waiver")}) is ignored, because waivers.value is N/A`,
      waivers.get("waive_items")?.line ?? 1,
    );
  }
}
