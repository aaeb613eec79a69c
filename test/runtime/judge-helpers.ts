// A small Atom B and Atom C in process, and records and configs for the tests of L3 to L5.
import type { MatchResult, ParsedItem } from "../../src/contract/atoms.ts";
import type { NormalizedConfig } from "../../src/contract/config.ts";
import { checkerType, type Exister, type MatchCall, type Matcher } from "../../src/runtime/index.ts";

export function validateLogic(call: MatchCall): MatchResult {
  const { text, pattern } = call;
  if (pattern.includes("|")) {
    const parts = pattern.split("|").map((p) => p.trim());
    const hit = parts.some((p) => p !== "" && text.includes(p));
    return { is_match: hit, reason: "alternatives", kind: "alternatives" };
  }
  if (pattern.startsWith("regex:")) {
    const source = pattern.slice(6);
    const regex = new RegExp(call.regex_mode === "match" ? `^(?:${source})` : source);
    return { is_match: regex.test(text), reason: "regex", kind: "regex" };
  }
  if (/[*?]/.test(pattern)) {
    const source = pattern
      .replace(/[.+^${}()[\]\\]/g, "\\$&")
      .replace(/\*/g, "[^]*")
      .replace(/\?/g, "[^]");
    return { is_match: new RegExp(`^${source}$`).test(text), reason: "wildcard", kind: "wildcard" };
  }
  const hit = call.default_match === "exact" ? text === pattern : text.includes(pattern);
  return { is_match: hit, reason: call.default_match, kind: call.default_match };
}

/** A matcher that also records its calls. */
export function recordingMatcher(): { matcher: Matcher; calls: MatchCall[] } {
  const calls: MatchCall[] = [];
  return {
    calls,
    matcher: async (batch) => {
      calls.push(...batch);
      return batch.map(validateLogic);
    },
  };
}

export const exister: Exister = async (items) => ({
  is_match: items.length > 0,
  reason: "",
  evidence: items,
});

export function item(value: string, extra: Partial<ParsedItem> = {}): ParsedItem {
  return {
    value,
    source_file: "/logs/a.log",
    line_number: 1,
    matched_content: `line of ${value}`,
    parsed_fields: { of: value },
    ...extra,
  };
}

export interface ConfigShape {
  patterns?: string[];
  waivers?: string[];
  reasons?: string[];
  required?: number | null;
  waived?: number | null;
  expect?: "present" | "absent";
  extra?: "fail" | "info";
}

/** A config whose counts match its lists unless overridden. */
export function config(shape: ConfigShape): NormalizedConfig {
  const required = shape.required === undefined ? (shape.patterns?.length ?? null) : shape.required;
  const waived = shape.waived === undefined ? (shape.waivers?.length ?? null) : shape.waived;
  const waivers = shape.waivers ?? [];
  return {
    type: checkerType(required, waived),
    description: "the description",
    input_files: [],
    requirements: {
      value: required,
      pattern_items: shape.patterns ?? [],
      expect: shape.expect ?? "present",
      extra: shape.extra ?? "fail",
    },
    waivers: {
      value: waived,
      waive_items: waivers,
      waive_reasons: waivers.map((_, i) => shape.reasons?.[i] ?? "N/A"),
      waive_until: waivers.map(() => null),
    },
    witnesses: null,
    no_witness_reason: "",
  };
}
