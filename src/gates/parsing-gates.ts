// The gates that run Atom A, in their order.
import type { NormalizedConfig } from "../contract/config.ts";
import { AtomRuns } from "./atom-runs.ts";
import { type Findings, together } from "./findings.ts";
import type { GateRun } from "./gate-run.ts";
import { observe, runObservedGate } from "./gate4-evidence.ts";
import { runExamplesGate } from "./gate4-examples.ts";
import { runNoFabricationGate } from "./gate4-no-fabrication.ts";
import { runNoPolicyGate } from "./gate4-no-policy.ts";
import { runScalingGate } from "./gate4-scaling.ts";
import { runStabilityGate } from "./gate4-stability.ts";
import { checkWanted } from "./gate4-wanted.ts";
import { examineLocality } from "./locality.ts";
import { checkPageLines } from "./page-lines.ts";
import { codeLines } from "./probes.ts";
import { checkPrototypeWords } from "./prototype-words.ts";
import { type Observation, type Sample, takeSamples } from "./samples.ts";

/** Runs the gates of Atom A; returns what it extracts from the observed logs. */
export async function runParsingGates(
  gates: GateRun,
  config: NormalizedConfig | undefined,
): Promise<Observation[]> {
  if (!gates.isRunnable("atom_a")) return [];
  const { findings, input, facts } = gates;
  const session = await gates.open("atom_a");
  try {
    const runs = new AtomRuns(session, findings);
    const observations = await observe(runs, input.logs);
    for (const { log, records } of observations) facts.records_by_file[log.path] = records.length;
    const literals = gates.literals("atom_a");
    const samples = runs.usable ? await takeSamples(observations, runs) : [];
    await gates.timed(["gate4_evidence"], async () => {
      const { spec, seed, examples = [] } = input;
      const code = input.sources.atom_a;
      const aim = { observations, samples, config, spec, examples, literals, code, seed };
      const probe = await runObservedGate(runs, aim, findings);
      if (probe) samples.push(probe);
    });
    await runOnSamples(gates, { runs, observations, samples, config });
    const described = codeLines(literals, input.seed);
    await gates.timed(["gate4_scaling"], () => runScalingGate(runs, samples[0], described, findings));
    const hasRecords = observations.some(({ records }) => records.length > 0);
    if (runs.usable && hasRecords && !findings.hasErrors("atom_a")) {
      const view = gates.views.atom_a;
      const carried = view.ok ? view.carried : [];
      const { numbers } = literals;
      const aim = { observations, samples, codeLines: described, numbers, carried, seed: input.seed };
      const locality = await examineLocality(runs, aim);
      facts.line_local = locality.local;
      facts.line_local_evidence = locality.evidence;
    }
    findings.ran("gate1_schema", "gate1_type_safety");
    return observations;
  } finally {
    await session.close();
  }
}

interface ObservedAtom {
  runs: AtomRuns;
  observations: readonly Observation[];
  samples: readonly Sample[];
  config: NormalizedConfig | undefined;
}

/** The gates that run at the same time, so that their calls of the atom are sent together. */
function runOnSamples(gates: GateRun, { runs, observations, samples, config }: ObservedAtom): Promise<void> {
  const { input, services, findings } = gates;
  const { spec, declarations, examples = [] } = input;
  const literals = gates.literals("atom_a");
  // Incorrect line numbers would be reported by these checks again.
  const grounded = !findings.hasFailed("gate4_evidence");
  const timed = (gate: Parameters<GateRun["timed"]>[0][number], body: (part: Findings) => Promise<void>) => {
    return (part: Findings): Promise<void> => gates.timed([gate], () => body(part));
  };
  return together(findings, [
    timed("gate4_examples", (part) => runExamplesGate(runs, { examples, observations, samples }, part)),
    timed("gate4_evidence", async (part) => {
      const total = observations.reduce((sum, { records }) => sum + records.length, 0);
      const { numbers } = literals;
      const aim = { samples, total, numbers, config, declarations, examples, grounded };
      if (samples.length > 0) await checkWanted(runs, aim, part);
    }),
    timed("gate4_evidence", async (part) => {
      if (grounded) await checkPrototypeWords(runs, samples, part);
    }),
    timed("gate4_evidence", async (part) => {
      if (examples.length > 0 || spec === undefined || !grounded) return;
      await checkPageLines(runs, { spec, observations, literals }, part);
    }),
    timed("gate4_no_fabrication", (part) =>
      runNoFabricationGate(runs, { config, literals, observations, sample: samples[0], spec }, part),
    ),
    timed("gate4_stability", (part) => runStabilityGate(runs, { samples }, part)),
    timed("gate4_no_policy", (part) =>
      runNoPolicyGate(runs, { samples, literals, config, spec }, services.sandbox, part),
    ),
  ]);
}
