// gate3_types: L3 to L5 run with Atoms B and C on six configurations (types 1; 2; 3 global; 3 selective; 4 global;
// 4 selective) and with `expect: absent`. The resulting documents must be equal to those of the reference atoms, and have
// the status that is stated here. Proves that the atoms work in the runtime; cannot prove it for other configurations.
// Targets atoms that answer correctly alone but not in bulk, in another order, on the text of a failed existence check, or
// with null fields.

import type { AtomSession } from "../../sandbox/types.ts";
import { ATOM_FUNCTIONS, type ExistenceResult, type ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import type { CheckDocument } from "../contract/results.ts";
import type { JsonValue } from "../core/json.ts";
import { count } from "../core/words.ts";
import { type Exister, judge, type Matcher } from "../runtime/index.ts";
import type { Findings } from "./findings.ts";
import { referenceMatch } from "./reference-matcher.ts";
import { show } from "./show.ts";

interface Scenario {
  name: string;
  config: NormalizedConfig;
  items: ParsedItem[];
  status: CheckDocument["status"];
}

const item = (value: string, line: number): ParsedItem => ({
  value,
  source_file: "/logs/a.log",
  line_number: line,
  matched_content: `line of ${value}`,
  parsed_fields: { name: value, n: line },
});
const ITEMS = ["alpha 1.0", "beta 2.0", "beta 2.1", "gamma"].map((value, i) => item(value, i + 1));

function config(
  requirements: Partial<NormalizedConfig["requirements"]>,
  waivers: { value: number | null; items?: string[] },
): NormalizedConfig {
  const required = requirements.pattern_items?.length ?? 0;
  const items = waivers.items ?? [];
  const patterns = required > 0;
  const type = patterns ? (waivers.value === null ? 2 : 3) : waivers.value === null ? 1 : 4;
  return {
    type,
    description: "six configurations",
    input_files: [],
    requirements: {
      value: patterns ? required : null,
      pattern_items: [],
      expect: "present",
      extra: "fail",
      ...requirements,
    },
    waivers: {
      value: waivers.value,
      waive_items: items,
      waive_reasons: items.map((_, i) => `reason ${i + 1}`),
      waive_until: items.map(() => null),
    },
    witnesses: null,
    no_witness_reason: "",
  };
}

const none = { value: null };
const ALL_FOUR = ["alpha*", "regex:^beta \\d", "2.1|zeta", "gamma"];

const SCENARIOS: readonly Scenario[] = [
  { name: "type 1, items", config: config({}, none), items: ITEMS, status: "PASS" },
  { name: "type 1, no items", config: config({}, none), items: [], status: "FAIL" },
  { name: "type 1, absent, no items", config: config({ expect: "absent" }, none), items: [], status: "PASS" },
  { name: "type 1, absent, items", config: config({ expect: "absent" }, none), items: ITEMS, status: "FAIL" },
  {
    name: "type 2, all found",
    config: config({ pattern_items: ALL_FOUR }, none),
    items: ITEMS,
    status: "PASS",
  },
  {
    name: "type 2, one missing, one extra",
    config: config({ pattern_items: ["alpha", "delta", "beta*"] }, none),
    items: ITEMS.slice(0, 3),
    status: "FAIL",
  },
  {
    name: "type 2, the same pattern twice",
    config: config({ pattern_items: ["beta", "beta"] }, none),
    items: ITEMS.slice(1, 3),
    status: "PASS",
  },
  {
    name: "type 2, bad regex",
    config: config({ pattern_items: ["regex:["] }, none),
    items: ITEMS.slice(0, 1),
    status: "FAIL",
  },
  {
    name: "type 2, absent",
    config: config({ pattern_items: ["beta*"], expect: "absent" }, none),
    items: ITEMS,
    status: "FAIL",
  },
  {
    name: "type 3, global",
    config: config({ pattern_items: ["delta"] }, { value: 0, items: ["note"] }),
    items: ITEMS,
    status: "PASS",
  },
  {
    name: "type 3, selective, missing and extra waived",
    config: config(
      { pattern_items: ["alpha*", "delta"] },
      { value: 3, items: ["delta", "regex:beta", "gam*"] },
    ),
    items: ITEMS,
    status: "PASS",
  },
  {
    name: "type 3, selective, contained is not equal",
    config: config({ pattern_items: ["alpha*", "delta 9"] }, { value: 2, items: ["delta", "unused"] }),
    items: ITEMS.slice(0, 1),
    status: "FAIL",
  },
  {
    name: "type 4, global, no items",
    config: config({}, { value: 0, items: ["note"] }),
    items: [],
    status: "PASS",
  },
  {
    name: "type 4, selective, waived",
    config: config({}, { value: 1, items: ["Existence*"] }),
    items: [],
    status: "PASS",
  },
  {
    name: "type 4, selective, not waived",
    config: config({}, { value: 1, items: ["Existence"] }),
    items: [],
    status: "FAIL",
  },
  {
    name: "type 4, selective, absent",
    config: config({ expect: "absent" }, { value: 2, items: ["alpha 1.0|gamma", "regex:beta 2"] }),
    items: ITEMS,
    status: "PASS",
  },
];

const SEARCHED = ["/logs/a.log"];

/** Runs all scenarios. A failing call fails the gate. */
export async function runTypesGate(
  sessionB: AtomSession,
  sessionC: AtomSession,
  findings: Findings,
): Promise<void> {
  const candidate = candidateAtoms(sessionB, sessionC, findings);
  for (const scenario of SCENARIOS) {
    const { config: itemConfig, items } = scenario;
    const expected = await judge(itemConfig, items, SEARCHED, referenceMatcher, referenceExister);
    if (expected.status !== scenario.status)
      throw new Error(`Scenario ${scenario.name}: the reference ends with ${expected.status}.`);
    const actual = await judge(itemConfig, items, SEARCHED, candidate.matcher, candidate.exister);
    if (candidate.failed()) break;
    const where = firstDifference(actual as unknown as JsonValue, expected as unknown as JsonValue, "result");
    if (where === undefined) continue;
    const atom =
      itemConfig.type === 1 ||
      (itemConfig.type === 4 && actual.status !== expected.status && where.includes("found_items"))
        ? "atom_c"
        : "atom_b";
    const message = `With the candidate atoms, ${scenario.name} must end with ${expected.status}, not ${actual.status}. First difference: ${where}.`;
    const patterns = [...itemConfig.requirements.pattern_items, ...itemConfig.waivers.waive_items];
    findings.error("gate3_types", atom, "wrong_result", message, {
      example: show({ patterns, values: items.map((i) => i.value) }, 300),
    });
  }
  findings.ran("gate3_types");
}

const referenceMatcher: Matcher = async (calls) =>
  calls.map((call) => referenceMatch(call.text, call.pattern, call.default_match, call.regex_mode));
const referenceExister: Exister = async (items) => ({
  is_match: items.length > 0,
  reason: "",
  evidence: items,
});

function candidateAtoms(
  sessionB: AtomSession,
  sessionC: AtomSession,
  findings: Findings,
): { matcher: Matcher; exister: Exister; failed: () => boolean } {
  let failed = false;
  const fail = (atom: "atom_b" | "atom_c", message: string): void => {
    failed = true;
    findings.error(
      "gate3_types",
      atom,
      "call_failed",
      `In a check, \`${ATOM_FUNCTIONS[atom]}\` failed: ${message}.`,
    );
  };
  const matcher: Matcher = async (calls) => {
    const outcomes = await sessionB.callMany(
      ATOM_FUNCTIONS.atom_b,
      calls.map((c) => [c.text, c.pattern, c.parsed_fields, c.default_match, c.regex_mode]),
      { limits: { timeoutMs: 4_000 } },
    );
    return calls.map((call, i) => {
      const outcome = outcomes[i];
      const expected = referenceMatch(call.text, call.pattern, call.default_match, call.regex_mode);
      if (!outcome?.ok) {
        fail("atom_b", outcome?.error.message ?? "no answer");
        return { ...expected, is_match: false };
      }
      const answer = outcome.value as { is_match?: unknown } | null;
      return { ...expected, is_match: answer?.is_match === true };
    });
  };
  const exister: Exister = async (items) => {
    const outcome = await sessionC.call(ATOM_FUNCTIONS.atom_c, [items as unknown as JsonValue], {
      limits: { timeoutMs: 4_000 },
    });
    const answer = outcome.ok ? (outcome.value as unknown as Partial<ExistenceResult> | null) : null;
    if (!outcome.ok) fail("atom_c", outcome.error.message);
    const evidence = Array.isArray(answer?.evidence) ? answer.evidence : [];
    return { is_match: answer?.is_match === true, reason: "", evidence };
  };
  return { matcher, exister, failed: () => failed };
}

/** Path and values of the first difference of two JSON values. */
function firstDifference(
  actual: JsonValue | undefined,
  expected: JsonValue | undefined,
  path: string,
): string | undefined {
  if (Array.isArray(actual) && Array.isArray(expected)) {
    if (actual.length !== expected.length)
      return `${path} has ${count(actual.length, "entry", "entries")}, not ${expected.length}`;
    for (const [i, entry] of expected.entries()) {
      const inner = firstDifference(actual[i], entry, `${path}[${i}]`);
      if (inner) return inner;
    }
    return undefined;
  }
  const isMap = (v: JsonValue | undefined): v is { [key: string]: JsonValue } =>
    typeof v === "object" && v !== null && !Array.isArray(v);
  if (isMap(actual) && isMap(expected)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      const inner = firstDifference(actual[key], expected[key], `${path}.${key}`);
      if (inner) return inner;
    }
    return undefined;
  }
  return actual === expected ? undefined : `${path} is ${show(actual)}, not ${show(expected)}`;
}
