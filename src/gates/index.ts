// The gates: everything that is proved about an atom set before it is used. One call runs all of them, so that an author
// gets as many findings as possible in one round. The order is defined here, in parsing-gates.ts and in logic-gates.ts;
// each gate has its own file.
import { ATOM_FILES, ATOM_FUNCTIONS } from "../contract/atoms.ts";
import { GATE_NAMES, type GateReport } from "../contract/gates.ts";
import { Budget, BudgetSpent, GATE_BUDGET_MS } from "./budget.ts";
import { runConfigSchemaGate } from "./config-schema-gate.ts";
import { checkDeclarations } from "./declarations.ts";
import { ATOMS, GateRun } from "./gate-run.ts";
import { runCombinedGates, runMatcherGates, runUniversality, runWitness } from "./logic-gates.ts";
import { runParsingGates } from "./parsing-gates.ts";
import { show } from "./show.ts";
import type { GateInput, GateServices } from "./types.ts";

export { ProofCache } from "./proof-cache.ts";
export { errorSource } from "./route.ts";
export type { GateInput, GateServices } from "./types.ts";

/** Runs all gates on one atom set. Throws only `sandbox` and `interrupted`; every problem of the set is a finding. The
 * seed in the report repeats the generated tests. */
export async function runGates(input: GateInput, services: GateServices): Promise<GateReport> {
  const started = performance.now();
  const budget = new Budget(services.budgetMs ?? GATE_BUDGET_MS);
  try {
    const gates = new GateRun(input, { ...services, sandbox: budget.wrap(services.sandbox) });
    await runAll(gates, budget);
    return createReport(gates, started);
  } finally {
    budget.close();
  }
}

async function runAll(gates: GateRun, budget: Budget): Promise<void> {
  const { input, services, findings } = gates;
  for (const { gate, atom, code, message, ...more } of input.problems ?? []) {
    findings.error(gate, atom, code, message, more);
  }
  gates.runStatic();
  const reading = runConfigSchemaGate(input.sources.config, findings);
  const config = reading?.ok ? reading.config : undefined;
  const { declarations = {}, spec, answers = [] } = input;
  checkDeclarations({ declarations, config, spec, answers }, findings);
  try {
    const [parsing, matcher] = await Promise.allSettled([
      runParsingGates(gates, config),
      runMatcherGates(gates, config),
    ]);
    services.signal.throwIfAborted();
    if (parsing.status === "rejected") throw parsing.reason;
    if (matcher.status === "rejected") throw matcher.reason;
    const observations = parsing.value;
    const items = observations.flatMap(({ records }) => records);
    await runCombinedGates(gates, config, items);
    if (config) await runWitness(gates, config, observations);
    runUniversality(gates, config, observations);
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    reportSpentBudget(gates, budget);
  }
}

/** Reports the atom that used most of the time, with its slowest input. */
function reportSpentBudget({ findings }: GateRun, budget: Budget): void {
  const worst = budget.worst();
  const atom = ATOMS.find((name) => worst?.name.endsWith(ATOM_FILES[name])) ?? "atom_a";
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const example = show(worst?.args.filter((arg) => typeof arg === "string") ?? [], 240);
  const used = `The gates of one set have ${seconds(budget.ms)}; \`${ATOM_FUNCTIONS[atom]}\` used ${seconds(worst?.ms ?? 0)} of them`;
  const isSlow = (worst?.ms ?? 0) > budget.ms / 2;
  const message = isSlow
    ? `${used}. It must answer in milliseconds; its slowest input is shown.`
    : `${used}, the most of all atoms: the machine is busy, or \`execution.gate_budget\` is too small. Nothing else is proved; run the gates again.`;
  findings.error("gate4_scaling", atom, "budget_spent", message, { example });
}

function createReport({ findings, facts, services, times }: GateRun, started: number): GateReport {
  const gates = findings.results();
  const errors = findings.sortedErrors();
  for (const gate of GATE_NAMES) {
    services.emit({
      type: "gate_finished",
      gate,
      passed: gates[gate],
      errors: findings.errorCount(gate),
      duration_ms: Math.round(times.get(gate) ?? 0),
    });
  }
  return {
    valid: errors.length === 0,
    gates,
    errors,
    warnings: findings.sortedWarnings(),
    suspicions: findings.suspicions(),
    facts,
    duration_ms: Math.round(performance.now() - started),
  };
}
