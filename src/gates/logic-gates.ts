// The gates that run Atoms B and C and the config, in their order.
import type { AtomSession } from "../../sandbox/types.ts";
import type { ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import type { GateName } from "../contract/gates.ts";
import { checkAgainstPage } from "./check-block.ts";
import { runConsistencyGate } from "./consistency.ts";
import type { GateRun } from "./gate-run.ts";
import { runEvidenceGate } from "./gate1-evidence.ts";
import { runEquivalenceGate } from "./gate2-equivalence.ts";
import { runVectorGates } from "./gate2-vectors.ts";
import { runTypesGate } from "./gate3-types.ts";
import { runWitnessGate } from "./gate4-witness.ts";
import { checkInputFiles } from "./input-files.ts";
import { runOwnPatterns } from "./own-patterns.ts";
import { referenceSession } from "./reference-matcher.ts";
import type { Observation } from "./samples.ts";
import { checkUniversality, itemWordsOf } from "./universality.ts";

const VECTOR_GATES: readonly GateName[] = [
  "gate2_none_safety",
  "gate2_alternatives",
  "gate2_bad_regex",
  "gate2_literal_alt",
  "gate2_precedence",
  "gate2_default_strategy",
  "gate2_invalid_mode",
];

/** Runs the gates of Atom B alone. */
export async function runMatcherGates(gates: GateRun, config: NormalizedConfig | undefined): Promise<void> {
  if (!gates.isRunnable("atom_b")) return;
  const { findings, input, services } = gates;
  const source = input.sources.atom_b;
  const session = await gates.open("atom_b");
  try {
    const known = services.proofs?.has("atom_b", input.seed, source) === true;
    if (known) findings.ran(...VECTOR_GATES);
    else if (!(await gates.timed(VECTOR_GATES, () => runVectorGates(session, findings)))) return;
    const itemWords = [
      ...(config?.requirements.pattern_items ?? []),
      ...(config?.waivers.waive_items ?? []),
      ...(config?.description === undefined ? [] : [config.description]),
    ];
    const aim = { literals: gates.literals("atom_b"), itemWords, known };
    await gates.timed(["gate2_equivalence"], () => runEquivalenceGate(session, aim, input.seed, findings));
    if (findings.isClean(...VECTOR_GATES, "gate2_equivalence")) {
      services.proofs?.add("atom_b", input.seed, source);
    }
  } finally {
    await session.close();
  }
}

/** Runs the gates that need several parts: Atom C on real items, the six configurations, the patterns of the config. */
export async function runCombinedGates(
  gates: GateRun,
  config: NormalizedConfig | undefined,
  items: readonly ParsedItem[],
): Promise<void> {
  const b = gates.isRunnable("atom_b") ? await gates.open("atom_b") : undefined;
  const c = gates.isRunnable("atom_c") ? await gates.open("atom_c") : undefined;
  try {
    const isCorrect = !VECTOR_GATES.some((gate) => gates.findings.hasFailed(gate));
    const matcher = isCorrect ? b : undefined;
    await Promise.all([
      c && runEvidence(gates, c, items),
      matcher && c && runTypes(gates, matcher, c),
      config && runConsistency(gates, config, items, matcher),
    ]);
  } finally {
    await b?.close();
    await c?.close();
  }
}

async function runEvidence(gates: GateRun, c: AtomSession, items: readonly ParsedItem[]): Promise<void> {
  const { findings, input, services } = gates;
  const literals = gates.literals("atom_c");
  const known = services.proofs?.has("atom_c", input.seed, input.sources.atom_c) === true;
  await gates.timed(["gate1_evidence"], () => runEvidenceGate(c, literals, items, findings, !known));
  if (findings.isClean("gate1_evidence")) services.proofs?.add("atom_c", input.seed, input.sources.atom_c);
}

async function runTypes(gates: GateRun, b: AtomSession, c: AtomSession): Promise<void> {
  const { findings, input, services } = gates;
  const pair = [input.sources.atom_b, input.sources.atom_c];
  if (services.proofs?.has("types", input.seed, ...pair)) return findings.ran("gate3_types");
  await gates.timed(["gate3_types"], () => runTypesGate(b, c, findings));
  if (findings.isClean("gate3_types")) services.proofs?.add("types", input.seed, ...pair);
}

/** @param matcher Atom B, unless it has failed its own gates */
async function runConsistency(
  gates: GateRun,
  config: NormalizedConfig,
  items: readonly ParsedItem[],
  matcher: AtomSession | undefined,
): Promise<void> {
  const { findings, input, services, facts } = gates;
  const { check = null, spec, waived = [], inputs, logs, observed = false } = input;
  checkAgainstPage(config, { check, spec, waived }, findings);
  if (inputs !== undefined) checkInputFiles(config, { found: inputs, logs, observed }, findings);
  const reference = await referenceSession(services.sandbox);
  const aim = {
    items,
    hasLogs: logs.length > 0,
    valueShown: isValueShown(gates),
    fixed: check !== null,
    waiving: spec && [spec.sections["3"]?.text ?? "", check ?? ""].join("\n"),
  };
  const use = await gates.timed(["consistency"], () => runConsistencyGate(config, aim, reference, findings));
  facts.pattern_matches = Object.fromEntries(use.patterns);
  if (matcher) await runOwnPatterns(config, items, matcher, reference, findings);
}

/** Do worked examples define the value of records, and does Atom A extract it? */
function isValueShown({ input, findings }: GateRun): boolean {
  const isShown = input.examples?.some(({ records }) => records.length > 0) === true;
  return isShown && !findings.hasFailed("gate4_examples");
}

/** Runs gate4_witness. */
export function runWitness(
  gates: GateRun,
  config: NormalizedConfig,
  observations: readonly Observation[],
): Promise<void> {
  const { input, services, findings } = gates;
  const aim = { observations, searchRoot: input.searchRoot, required: input.requireWitness === true };
  return gates.timed(["gate4_witness"], () => runWitnessGate(services.sandbox, config, aim, findings));
}

/** Runs the gate universality on Atoms B and C. */
export function runUniversality(
  gates: GateRun,
  config: NormalizedConfig | undefined,
  observations: readonly Observation[],
): void {
  const { findings, input, views } = gates;
  const values = observations.flatMap(({ records }) => records.slice(0, 500).map(({ value }) => value));
  const words = itemWordsOf([
    input.itemId,
    ...(config?.requirements.pattern_items ?? []),
    ...(config?.waivers.waive_items ?? []),
    ...values.filter((value) => value.split(/\s+/).length <= 3),
  ]);
  for (const atom of ["atom_b", "atom_c"] as const) {
    if (views[atom].ok) checkUniversality(atom, gates.literals(atom), words, findings);
  }
  if (views.atom_b.ok && views.atom_c.ok) findings.ran("universality");
}
