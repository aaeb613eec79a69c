// The gates: everything that is proved about an atom set before it is trusted. One call runs them all, so that one
// round reports to the author as much as possible. Order and concurrency are decided here; each gate has its own file.
import { ATOM_FILES, ATOM_FUNCTIONS, type Atom, type ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import { GATE_NAMES, type GateFacts, type GateName, type GateReport } from "../contract/gates.ts";
import { AtomRuns } from "./atom-runs.ts";
import { Budget, BudgetSpent, GATE_BUDGET_MS } from "./budget.ts";
import { checkAgainstPage } from "./check-block.ts";
import { runConsistencyGate } from "./config-gates.ts";
import { runConfigSchemaGate } from "./config-schema-gate.ts";
import { checkDeclarations } from "./declarations.ts";
import { Findings, together } from "./findings.ts";
import { runEvidenceGate } from "./gate1-evidence.ts";
import { runEquivalenceGate } from "./gate2-equivalence.ts";
import { runVectorGates } from "./gate2-vectors.ts";
import { runTypesGate } from "./gate3-types.ts";
import { observe, runObservedGate } from "./gate4-evidence.ts";
import { runExamplesGate } from "./gate4-examples.ts";
import { runNoFabricationGate } from "./gate4-no-fabrication.ts";
import { runNoPolicyGate } from "./gate4-no-policy.ts";
import { runScalingGate } from "./gate4-scaling.ts";
import { runStabilityGate } from "./gate4-stability.ts";
import { checkWanted } from "./gate4-wanted.ts";
import { runWitnessGate } from "./gate4-witness.ts";
import { checkInputFiles } from "./input-files.ts";
import { examineLocality } from "./locality.ts";
import { runOwnPatterns } from "./own-patterns.ts";
import { checkPageLines } from "./page-lines.ts";

import { codeLines } from "./probes.ts";
import { checkPrototypeWords } from "./prototype-words.ts";
import { referenceSession } from "./reference-matcher.ts";
import { type Observation, takeSamples } from "./samples.ts";
import { show } from "./show.ts";
import { inspectAtom, type StaticView } from "./static/index.ts";
import { type Literals, NO_LITERALS } from "./static/literals.ts";
import type { GateInput, GateServices } from "./types.ts";
import { checkUniversality, itemWordsOf } from "./universality.ts";

export { ProofCache } from "./proof-cache.ts";
export { errorSource } from "./route.ts";
export type { GateInput, GateServices } from "./types.ts";

const ATOMS = Object.keys(ATOM_FUNCTIONS) as Atom[];

/** Runs every gate on one atom set. Throws only `sandbox` and `interrupted`; every problem of the set is a
 * finding. The seed in the report repeats the generated tests. */
export async function runGates(input: GateInput, services: GateServices): Promise<GateReport> {
  const budget = new Budget(services.budgetMs ?? GATE_BUDGET_MS);
  try {
    const run = new GateRun(input, { ...services, sandbox: budget.wrap(services.sandbox) }, budget);
    return await run.run();
  } finally {
    budget.close();
  }
}

class GateRun {
  private readonly started = performance.now();
  private readonly findings = new Findings();
  private readonly input: GateInput;
  private readonly services: GateServices;
  private readonly views: Record<Atom, StaticView>;
  private readonly facts: GateFacts;
  private readonly times = new Map<GateName, number>();

  private readonly budget: Budget;

  constructor(input: GateInput, services: GateServices, budget: Budget) {
    this.budget = budget;
    this.input = input;
    this.services = services;
    const view = (atom: Atom): StaticView => inspectAtom(atom, input.sources[atom]);
    this.views = { atom_a: view("atom_a"), atom_b: view("atom_b"), atom_c: view("atom_c") };
    this.facts = { line_local: null, records_by_file: {}, pattern_matches: {}, seed: input.seed };
  }

  async run(): Promise<GateReport> {
    for (const p of this.input.problems ?? []) {
      const { gate, atom, code, message, ...more } = p;
      this.findings.error(gate, atom, code, message, more);
    }
    this.runStatic();
    const reading = runConfigSchemaGate(this.input.sources.config, this.findings);
    const config = reading?.ok ? reading.config : undefined;
    const { declarations = {}, spec, said = [] } = this.input;
    checkDeclarations({ declarations, config, spec, said }, this.findings);
    try {
      const [a, b] = await Promise.allSettled([this.runAtomA(config), this.runAtomB(config)]);
      this.services.signal.throwIfAborted();
      if (a.status === "rejected") throw a.reason;
      if (b.status === "rejected") throw b.reason;
      const observations = a.value;
      const items = observations.flatMap((o) => o.records);
      await this.runTogether(config, items);
      if (config) await this.runWitness(config, observations);
      this.runUniversality(config, observations);
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      this.reportSpent();
    }
    return this.report();
  }

  /** The budget is spent: the atom that took most of it, and what it took longest on. */
  private reportSpent(): void {
    const worst = this.budget.worst();
    const atom = ATOMS.find((name) => worst?.name.endsWith(ATOM_FILES[name])) ?? "atom_a";
    const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
    const input = show(worst?.args.filter((arg) => typeof arg === "string") ?? [], 240);
    const used = `The gates of one set have ${seconds(this.budget.ms)}; \`${ATOM_FUNCTIONS[atom]}\` used ${seconds(worst?.ms ?? 0)} of them`;
    const isSlow = (worst?.ms ?? 0) > this.budget.ms / 2;
    const message = isSlow
      ? `${used}. It must answer in milliseconds; its slowest input is shown.`
      : `${used}, the most of all atoms: the machine is busy, or \`execution.gate_budget\` is too small. Nothing else is proved; run the gates again.`;
    this.findings.error("gate4_scaling", atom, "budget_spent", message, { example: input });
  }

  private runStatic(): void {
    const { findings, views, input } = this;
    for (const atom of ATOMS) {
      const view = views[atom];
      if (input.sources[atom].trim() === "") {
        if (!findings.hasErrors(atom)) {
          findings.error("gate1_syntax", atom, "file_empty", `${ATOM_FILES[atom]} is missing or empty.`);
        }
        continue;
      }
      if (!view.ok) {
        const message = `${ATOM_FILES[atom]}: ${view.message}.`;
        findings.error("gate1_syntax", atom, view.code, message, view.line ? { line: view.line } : {});
        continue;
      }
      for (const { code, message, line } of view.forbidden) {
        findings.error("gate1_forbidden", atom, code, message, { line });
      }
      for (const { code, message, line } of view.signature) {
        findings.error("gate1_signature", atom, code, message, { line });
      }
    }
    findings.ran("gate1_syntax");
    const readable = ATOMS.every((atom) => views[atom].ok && input.sources[atom].trim() !== "");
    if (readable) findings.ran("gate1_forbidden", "gate1_signature");
  }

  /** May the atom be run? It must parse and define its function. The sandbox contains it in any case. */
  private runnable(atom: Atom): boolean {
    const view = this.views[atom];
    if (this.input.sources[atom].trim() === "") return false;
    return view.ok && !view.signature.some((p) => p.code === "missing_function");
  }

  private literals(atom: Atom): Literals {
    const view = this.views[atom];
    return view.ok ? view.literals : NO_LITERALS;
  }

  private async runAtomA(config: NormalizedConfig | undefined): Promise<Observation[]> {
    if (!this.runnable("atom_a")) return [];
    const { findings, input, services } = this;
    const session = await services.sandbox.open({ name: ATOM_FILES.atom_a, source: input.sources.atom_a });
    try {
      const runs = new AtomRuns(session, findings);
      const observations = await observe(runs, input.logs);
      for (const { log, records } of observations) this.facts.records_by_file[log.path] = records.length;
      const literals = this.literals("atom_a");
      const samples = runs.usable ? await takeSamples(observations, runs) : [];
      const total = observations.reduce((sum, o) => sum + o.records.length, 0);
      await this.timed(["gate4_evidence"], async () => {
        const { spec, seed, examples = [] } = input;
        const code = input.sources.atom_a;
        const aim = { observations, samples, config, spec, examples, literals, code, seed };
        const probe = await runObservedGate(runs, aim, findings);
        if (probe) samples.push(probe);
      });
      const sample = samples[0];
      const { numbers } = literals;
      // Wrong line numbers would only be reported again in other words.
      const grounded = !findings.hasFailed("gate4_evidence");
      await together(findings, [
        (part) =>
          this.timed(["gate4_examples"], () =>
            runExamplesGate(runs, { examples: input.examples ?? [], observations, samples }, part),
          ),
        (part) =>
          this.timed(["gate4_evidence"], async () => {
            const { declarations, examples = [] } = input;
            const aim = { samples, total, numbers, config, declarations, examples, grounded };
            if (samples.length > 0) await checkWanted(runs, aim, part);
          }),
        (part) =>
          this.timed(["gate4_evidence"], async () => {
            if (grounded) await checkPrototypeWords(runs, samples, part);
          }),
        (part) =>
          this.timed(["gate4_evidence"], async () => {
            const { spec, examples = [] } = input;
            const exact = examples.length > 0 || spec === undefined || !grounded;
            if (!exact) await checkPageLines(runs, { spec, observations, literals }, part);
          }),
        (part) =>
          this.timed(["gate4_no_fabrication"], () =>
            runNoFabricationGate(runs, { config, literals, observations, sample, spec: input.spec }, part),
          ),
        (part) => this.timed(["gate4_stability"], () => runStabilityGate(runs, { samples }, part)),
        (part) =>
          this.timed(["gate4_no_policy"], () => {
            const aim = { samples, literals, config, spec: input.spec };
            return runNoPolicyGate(runs, aim, services.sandbox, part);
          }),
      ]);
      const described = codeLines(literals, input.seed);
      await this.timed(["gate4_scaling"], () => runScalingGate(runs, sample, described, findings));
      if (runs.usable && total > 0 && !findings.hasErrors("atom_a")) {
        const view = this.views.atom_a;
        const carried = view.ok ? view.carried : [];
        const aim = {
          observations,
          samples,
          codeLines: described,
          numbers: literals.numbers,
          carried,
          seed: input.seed,
        };
        const locality = await examineLocality(runs, aim);
        this.facts.line_local = locality.local;
        this.facts.line_local_evidence = locality.evidence;
      }
      findings.ran("gate1_schema", "gate1_type_safety");
      return observations;
    } finally {
      await session.close();
    }
  }

  private runWitness(config: NormalizedConfig, observations: readonly Observation[]): Promise<void> {
    const { input, services, findings } = this;
    const aim = { observations, searchRoot: input.searchRoot, required: input.requireWitness === true };
    return this.timed(["gate4_witness"], () => runWitnessGate(services.sandbox, config, aim, findings));
  }

  private async runAtomB(config: NormalizedConfig | undefined): Promise<void> {
    if (!this.runnable("atom_b")) return;
    const { findings, input, services } = this;
    const session = await services.sandbox.open({ name: ATOM_FILES.atom_b, source: input.sources.atom_b });
    try {
      const known = services.proofs?.has("atom_b", input.seed, input.sources.atom_b) === true;
      if (known) findings.ran(...VECTOR_GATES);
      else if (!(await this.timed(VECTOR_GATES, () => runVectorGates(session, findings)))) return;
      const itemWords = [
        ...(config?.requirements.pattern_items ?? []),
        ...(config?.waivers.waive_items ?? []),
        ...(config?.description === undefined ? [] : [config.description]),
      ];
      const aim = { literals: this.literals("atom_b"), itemWords, known };
      await this.timed(["gate2_equivalence"], () => runEquivalenceGate(session, aim, input.seed, findings));
      if (findings.isClean(...VECTOR_GATES, "gate2_equivalence")) {
        services.proofs?.add("atom_b", input.seed, input.sources.atom_b);
      }
    } finally {
      await session.close();
    }
  }

  /** Gates that need more than one part: Atom C on real items, the six configurations, the config's patterns. */
  private async runTogether(config: NormalizedConfig | undefined, items: ParsedItem[]): Promise<void> {
    const { findings, input, services } = this;
    const { sandbox } = services;
    const open = async (atom: Atom): ReturnType<typeof sandbox.open> =>
      sandbox.open({ name: ATOM_FILES[atom], source: input.sources[atom] });
    const b = this.runnable("atom_b") ? await open("atom_b") : undefined;
    const c = this.runnable("atom_c") ? await open("atom_c") : undefined;
    try {
      const answers = b !== undefined && !VECTOR_GATES.some((gate) => findings.hasFailed(gate));
      const evidence = async (): Promise<void> => {
        if (!c) return;
        const literals = this.literals("atom_c");
        const known = services.proofs?.has("atom_c", input.seed, input.sources.atom_c) === true;
        await this.timed(["gate1_evidence"], () => runEvidenceGate(c, literals, items, findings, !known));
        if (findings.isClean("gate1_evidence")) {
          services.proofs?.add("atom_c", input.seed, input.sources.atom_c);
        }
      };
      const types = async (): Promise<void> => {
        if (!b || !c || !answers) return;
        const pair = [input.sources.atom_b, input.sources.atom_c];
        if (services.proofs?.has("types", input.seed, ...pair)) return findings.ran("gate3_types");
        await this.timed(["gate3_types"], () => runTypesGate(b, c, findings));
        if (findings.isClean("gate3_types")) services.proofs?.add("types", input.seed, ...pair);
      };
      const consistency = async (): Promise<void> => {
        if (!config) return;
        checkAgainstPage(
          config,
          { check: input.check ?? null, spec: input.spec, waived: input.waived ?? [] },
          findings,
        );
        const { inputs, logs, observed = false } = input;
        if (inputs !== undefined) checkInputFiles(config, { found: inputs, logs, observed }, findings);
        const reference = await referenceSession(sandbox);
        const aim = {
          items,
          hasLogs: input.logs.length > 0,
          valueShown: this.valueShown(),
          fixed: (input.check ?? null) !== null,
          waiving: this.waiving(),
        };
        const use = await this.timed(["consistency"], () =>
          runConsistencyGate(config, aim, reference, findings),
        );
        this.facts.pattern_matches = Object.fromEntries(use.patterns);
        if (b && answers) await runOwnPatterns(config, items, b, reference, findings);
      };
      await Promise.all([evidence(), types(), consistency()]);
    } finally {
      await b?.close();
      await c?.close();
    }
  }

  /** What the page says of waivers. */
  private waiving(): string | undefined {
    const { spec, check } = this.input;
    return spec && [spec.sections["3"]?.text ?? "", check ?? ""].join("\n");
  }

  /** Do worked examples show what the value is, and does Atom A take it? */
  private valueShown(): boolean {
    const shown = this.input.examples?.some(({ records }) => records.length > 0) === true;
    return shown && !this.findings.hasFailed("gate4_examples");
  }

  private runUniversality(config: NormalizedConfig | undefined, observations: readonly Observation[]): void {
    const { findings, input } = this;
    const values = observations.flatMap((o) => o.records.slice(0, 500).map((r) => r.value));
    const words = itemWordsOf([
      input.itemId,
      ...(config?.requirements.pattern_items ?? []),
      ...(config?.waivers.waive_items ?? []),
      ...values.filter((value) => value.split(/\s+/).length <= 3),
    ]);
    for (const atom of ["atom_b", "atom_c"] as const) {
      if (this.views[atom].ok) checkUniversality(atom, this.literals(atom), words, findings);
    }
    if (this.views.atom_b.ok && this.views.atom_c.ok) findings.ran("universality");
  }

  private async timed<T>(gates: readonly GateName[], body: () => Promise<T>): Promise<T> {
    this.services.signal.throwIfAborted();
    const started = performance.now();
    const result = await body();
    const ms = performance.now() - started;
    for (const gate of gates) this.times.set(gate, (this.times.get(gate) ?? 0) + ms / gates.length);
    return result;
  }

  private report(): GateReport {
    const { findings, facts, services } = this;
    const gates = findings.results();
    const errors = findings.sortedErrors();
    for (const gate of GATE_NAMES) {
      services.emit({
        type: "gate_finished",
        gate,
        passed: gates[gate],
        errors: findings.errorCount(gate),
        duration_ms: Math.round(this.times.get(gate) ?? 0),
      });
    }
    return {
      valid: errors.length === 0,
      gates,
      errors,
      warnings: findings.sortedWarnings(),
      suspicions: findings.suspicions(),
      facts,
      duration_ms: Math.round(performance.now() - this.started),
    };
  }
}

const VECTOR_GATES: readonly GateName[] = [
  "gate2_none_safety",
  "gate2_alternatives",
  "gate2_bad_regex",
  "gate2_literal_alt",
  "gate2_precedence",
  "gate2_default_strategy",
  "gate2_invalid_mode",
];
