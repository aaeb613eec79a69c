// Checks one atom set on the logs: L0 to L5 and the result around them. Anything that cannot be read, run or understood
// makes the outcome `error`, also with waivers. docs/contract.md, section 4.
import { basename, resolve } from "node:path";
import { ATOM_FILES } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import { describeDeclared } from "../contract/declarations.ts";
import type { ItemEmit } from "../contract/item-events.ts";
import type { CheckDocument, CheckResult, Diagnostic, Outcome } from "../contract/results.ts";
import { Admission } from "./admit-set.ts";
import { AtomFaults, createExister, createMatcher } from "./atom-calls.ts";
import type { CheckedSet, CheckOptions, CheckServices, Extraction } from "./check-types.ts";
import { completenessDiagnostics, WitnessSearch } from "./completeness.ts";
import { extractAll } from "./extract.ts";
import { createFileExtractor } from "./extract-file.ts";
import { findInputs } from "./inputs.ts";
import { judge } from "./judge.ts";
import { SessionCache } from "./session-cache.ts";
import { readSet, type SetState } from "./set-state.ts";
import type { ExtractionRun, Matcher } from "./types.ts";
import { WITNESS_PROGRAM } from "./witness.ts";

/** Checks one set. Throws only `usage` (no such directory), `interrupted`, `sandbox` and bugs. */
export async function checkAtomSet(
  dir: string,
  options: CheckOptions,
  services: CheckServices,
): Promise<CheckedSet> {
  return checkSet(dir, await readSet(dir), options, services);
}

/** Checks a set that was read before, or is not in its directory yet. Throws `interrupted`, `sandbox` and bugs. */
export async function checkSet(
  dir: string,
  set: SetState,
  options: CheckOptions,
  services: CheckServices,
): Promise<CheckedSet> {
  const started = performance.now();
  const run = new CheckRun(resolve(dir), set, options, services);
  run.emit({ type: "item_started", reason: "check" });
  const checked = await run.run();
  checked.result.duration_ms = Math.round(performance.now() - started);
  const { outcome, duration_ms } = checked.result;
  run.emit({ type: "verdict", outcome, message: verdictText(checked.result) });
  run.emit({ type: "item_finished", status: outcome, duration_ms });
  return checked;
}

/** One line: the error, or the counts of the result. */
export function verdictText(result: CheckResult): string {
  const error = result.diagnostics.find((d) => d.severity === "error");
  if (result.outcome === "error") return error?.message ?? "could not be judged";
  const { result: document } = result;
  if (document === null) return "could not be judged";
  const counts = [
    [document.found_items.length, "found"],
    [document.missing_items.length, "missing"],
    [document.extra_items?.length ?? 0, "extra"],
    [document.waived?.length ?? 0, "waived"],
  ] as const;
  return counts
    .filter(([n], i) => n > 0 || i === 0)
    .map(([n, what]) => `${n} ${what}`)
    .join(", ");
}

class CheckRun {
  readonly itemId: string;
  readonly emit: ItemEmit;
  private readonly dir: string;
  private readonly set: SetState;
  private readonly options: CheckOptions;
  private readonly services: CheckServices;
  private readonly admission: Admission;
  private readonly diagnostics: Diagnostic[];

  constructor(dir: string, set: SetState, options: CheckOptions, services: CheckServices) {
    this.dir = dir;
    this.set = set;
    this.options = options;
    this.services = services;
    this.itemId = "manifest" in set ? set.manifest.item_id : basename(dir);
    this.emit = services.emitOf(this.itemId);
    this.admission = new Admission(dir, set, options);
    this.diagnostics = this.admission.diagnostics;
  }

  async run(): Promise<CheckedSet> {
    const { config } = this.admission;
    const extraction = config && (this.options.extraction ?? (await this.extract(config)));
    if (config === null || extraction === null) return this.result(null, null);
    this.diagnostics.push(...extraction.diagnostics);
    const document = await this.judge(config, extraction.run);
    this.services.signal.throwIfAborted();
    return this.result(document, extraction);
  }

  /** L1 and L2; null when a glob is invalid. */
  private async extract(config: NormalizedConfig): Promise<Extraction | null> {
    const globs = this.admission.inputGlobs(config);
    if (globs === null) return null;
    const { emit } = this;
    const { sandbox, pool, guard } = this.services;
    const found = await findInputs(globs, guard);
    const diagnostics = [...found.diagnostics];
    if (found.files.length === 0 && found.diagnostics.length === 0) {
      const message = "There is nothing to judge: the config has no input files, and none were passed.";
      diagnostics.push({ severity: "error", code: "no_input", message, file: this.dir });
    }
    const shared = this.services.sessions ?? new SessionCache(sandbox);
    const witness = new WitnessSearch(config.witnesses ?? [], () =>
      shared.open(WITNESS_PROGRAM.name, WITNESS_PROGRAM.source),
    );
    const session = await sandbox.open({
      name: `${this.itemId}/${ATOM_FILES.atom_a}`,
      source: this.set.sources.atom_a,
    });
    try {
      const extract = createFileExtractor(session, pool, {
        lineLocal: this.set.state === "accepted" && this.set.manifest.line_local === true,
        parallel: this.options.parallel,
        limits: this.options.limits,
        maxRecords: this.options.maxRecords,
        guard,
        signal: this.services.signal,
        witness,
        ...(this.options.joined && { joined: this.options.joined }),
        onInspect: (path) => emit({ type: "progress", what: `${basename(path)}: step`, done: 1, total: 2 }),
        onProgress: (done, total, path) =>
          emit({
            type: "progress",
            what: `${basename(path)} (MiB)`,
            done: Math.round(done / 2 ** 20),
            total: Math.round(total / 2 ** 20),
          }),
      });
      emit({ type: "stage_started", stage: "extract", iteration: 1 });
      const run = await extractAll(extract, found.files, guard);
      diagnostics.push(...run.diagnostics, ...witness.diagnostics);
      return { input_files: found.files, run, diagnostics };
    } finally {
      // Free the memory of its isolates before the judgement.
      await session.close();
      if (this.services.sessions === undefined) await shared.close();
    }
  }

  /** L3 to L5. */
  private async judge(config: NormalizedConfig, run: ExtractionRun): Promise<CheckDocument> {
    const { sources } = this.set;
    const faults = new AtomFaults();
    const shared = this.services.sessions ?? new SessionCache(this.services.sandbox);
    try {
      this.emit({ type: "stage_started", stage: "judge", iteration: 1 });
      const match = createMatcher(await shared.open(ATOM_FILES.atom_b, sources.atom_b), faults);
      const matcher: Matcher = (calls) => {
        this.services.signal.throwIfAborted();
        return match(calls);
      };
      const exister = createExister(await shared.open(ATOM_FILES.atom_c, sources.atom_c), faults);
      const document = await judge(config, run.items, run.searchedFiles, matcher, exister);
      this.diagnostics.push(...faults.diagnostics);
      const { requireWitness } = this.options;
      this.diagnostics.push(...completenessDiagnostics(config, document, run.inputs, requireWitness));
      return document;
    } finally {
      if (this.services.sessions === undefined) await shared.close();
    }
  }

  private result(document: CheckDocument | null, extraction: Extraction | null): CheckedSet {
    const { config, unverified, outdated, configError } = this.admission;
    const outcome = outcomeOf(document, this.diagnostics);
    return {
      result: {
        item_id: this.itemId,
        type: config?.type ?? null,
        outcome,
        // A document with PASS next to an error could be mistaken for a pass.
        result: document !== null && outcome === "error" ? { ...document, status: "FAIL" } : document,
        diagnostics: this.diagnostics,
        input_files: extraction?.input_files ?? [],
        duration_ms: 0,
      },
      dir: this.dir,
      unverified,
      outdated,
      declared: "manifest" in this.set ? describeDeclared(this.set.manifest) : [],
      config,
      items: extraction?.run.items ?? [],
      searchedFiles: extraction?.run.searchedFiles ?? [],
      configError,
      extraction,
    };
  }
}

/** pass, fail, or error: any diagnostic of severity `error`, or a missing document, makes it `error`. */
export function outcomeOf(document: CheckDocument | null, diagnostics: readonly Diagnostic[]): Outcome {
  if (document === null || diagnostics.some((d) => d.severity === "error")) return "error";
  return document.status === "PASS" ? "pass" : "fail";
}
