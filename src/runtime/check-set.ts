// One atom set over the logs: L0 to L5 and the envelope around them. What could not be read, run or understood
// makes the outcome `error`, also under waivers. Contract, section 4.
import { basename, join, resolve } from "node:path";
import type { CallLimits, Sandbox } from "../../sandbox/types.ts";
import { ATOM_FILES, ATOM_PARTS, type ParsedItem } from "../contract/atoms.ts";
import type { ConfigProblem, NormalizedConfig } from "../contract/config.ts";
import { describeDeclared } from "../contract/declarations.ts";
import type { ItemEmit } from "../contract/item-events.ts";
import type { CheckDocument, CheckResult, Diagnostic, Outcome } from "../contract/results.ts";
import type { Emit } from "../core/events.ts";
import { escapeGlob } from "../files/glob.ts";
import type { PathGuard } from "../files/guard.ts";
import { expandVariables } from "../files/variables.ts";
import { AtomFaults, createExister, createMatcher } from "./atom-calls.ts";
import { completenessDiagnostics, WitnessSearch } from "./completeness.ts";
import { extractAll } from "./extract.ts";
import { createFileExtractor } from "./extract-file.ts";
import { findInputs } from "./inputs.ts";
import { judge } from "./judge.ts";
import type { LogPool } from "./log-pool.ts";
import { applyOverrides, type ConfigOverride } from "./override.ts";
import { readItemConfig } from "./read-config.ts";
import { SessionCache } from "./session-cache.ts";
import { type Doubt, doubtsOf, readSet, type SetState } from "./set-state.ts";
import type { ExtractionRun, FileExtraction, Matcher } from "./types.ts";
import { dayOf, type EndedWaiver, withoutEnded } from "./waiver-days.ts";
import { WITNESS_PROGRAM } from "./witness.ts";

export interface CheckOptions {
  /** Values of `${NAME}`; see `variablesOf`. */
  variables: ReadonlyMap<string, string>;
  /** Absolute paths in place of the config's input_files. */
  inputs?: readonly string[];
  overrides: readonly ConfigOverride[];
  /** Run a set without a manifest, or one that was changed since; never a stub. */
  unverified: boolean;
  /** Run a set whose page changed since it was accepted. */
  outdated: boolean;
  /** The day of the check (YYYY-MM-DD), which decides about waivers that end; absent: today. */
  today?: string;
  limits: Partial<CallLimits>;
  maxRecords: number;
  /** A set whose check needs witnesses and that has none is an error, not a warning. */
  requireWitness: boolean;
  /** Calls of Atom A under way at once for one file. */
  parallel: number;
  /** What an earlier check of the same set read from the same logs: nothing is read again. */
  extraction?: Extraction;
  /** Large logs that were read in ranges, by path: they are not read again. */
  joined?: ReadonlyMap<string, FileExtraction>;
}

/** What L1 and L2 make of the logs of a set, and every problem with them: judging needs no log. Plain
 * JSON. */
export interface Extraction {
  input_files: string[];
  run: ExtractionRun;
  diagnostics: Diagnostic[];
}

export interface CheckServices {
  sandbox: Sandbox;
  /** Sessions of Atoms B and C shared by the items of a run; without it each item opens its own. */
  sessions?: SessionCache;
  pool: LogPool;
  guard: PathGuard;
  emit: Emit;
  /** The emit of one item. */
  emitOf(itemId: string): ItemEmit;
  signal: AbortSignal;
}

/** A check result with the data that reports show in addition. */
export interface CheckedSet {
  result: CheckResult;
  /** Folder of the set, absolute. */
  dir: string;
  /** Run in spite of a missing or broken manifest. */
  unverified: boolean;
  /** Run in spite of a page that changed since it was accepted. */
  outdated: boolean;
  /** What the author declared of the set, one line each; empty for sets without it. */
  declared: string[];
  config: NormalizedConfig | null;
  items: ParsedItem[];
  searchedFiles: string[];
  /** The config, or a variable in it, was wrong: exit code 2. */
  configError: boolean;
  /** null when nothing was read. */
  extraction: Extraction | null;
}

/** Runs one set. Throws only `usage` (no such folder), `interrupted`, `sandbox` and bugs. */
export async function checkAtomSet(
  dir: string,
  options: CheckOptions,
  services: CheckServices,
): Promise<CheckedSet> {
  return checkSet(dir, await readSet(dir), options, services);
}

/** Runs a set that was read already, or that is not in its folder yet. Throws `interrupted`, `sandbox` and
 * bugs. */
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

/** One line: what decided. */
export function verdictText(result: CheckResult): string {
  const fault = result.diagnostics.find((d) => d.severity === "error");
  if (result.outcome === "error") return fault?.message ?? "could not be judged";
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
  private readonly diagnostics: Diagnostic[] = [];
  private readonly dir: string;
  private readonly set: SetState;
  private readonly options: CheckOptions;
  private readonly services: CheckServices;
  private config: NormalizedConfig | null = null;
  private inputFiles: string[] = [];
  private configError = false;
  private unverified = false;
  private outdated = false;

  constructor(dir: string, set: SetState, options: CheckOptions, services: CheckServices) {
    this.dir = dir;
    this.set = set;
    this.options = options;
    this.services = services;
    this.itemId = "manifest" in set ? set.manifest.item_id : basename(dir);
    this.emit = services.emitOf(this.itemId);
  }

  async run(): Promise<CheckedSet> {
    if (!this.mayRun()) return this.close(null, NOTHING);
    const config = this.readConfig();
    if (config === null) return this.close(null, NOTHING);
    const extraction = this.options.extraction ?? (await this.extract(config));
    if (extraction === null) return this.close(null, NOTHING);
    this.inputFiles = extraction.input_files;
    this.diagnostics.push(...extraction.diagnostics);
    const document = await this.judge(config, extraction.run);
    this.services.signal.throwIfAborted();
    return this.close(document, extraction.run, extraction);
  }

  /** Is this a set whose proof still holds? */
  private mayRun(): boolean {
    const { set } = this;
    if (set.state === "stub") {
      this.error("stub", "This set is a stub that needs review: see its human_intervention_report.md.");
      return false;
    }
    if (set.state === "unreadable") {
      this.error("set_unreadable", `The files of this set cannot be read: ${set.problem}`);
      return false;
    }
    const missing = ATOM_PARTS.filter((part) => set.sources[part].trim() === "");
    if (missing.length > 0) {
      this.error("atom_missing", `Missing or empty: ${missing.map((part) => ATOM_FILES[part]).join(", ")}.`);
    }
    const refused = doubtsOf(set, this.dir).filter((doubt) => !this.accept(doubt));
    if (refused.length > 0) return false;
    return missing.length === 0;
  }

  /** Says what is doubtful about the set; false when the flag that runs it all the same was not given. */
  private accept({ flag, code, message }: Doubt): boolean {
    const given = this.options[flag];
    if (given) this[flag] = true;
    this.diagnostics.push({
      severity: given ? "warning" : "error",
      code: given ? flag : code,
      message: given
        ? `${flag.toUpperCase()}: ${message} It was run all the same (--${flag}).`
        : `${message} Nothing was run; --${flag} runs it all the same.`,
      file: this.dir,
    });
    return given;
  }

  private readConfig(): NormalizedConfig | null {
    const handwritten = this.set.state !== "accepted" || this.options.overrides.length > 0;
    const text = applyOverrides(this.set.sources.config, this.options.overrides);
    const reading = readItemConfig(text, handwritten ? "handwritten" : "generated");
    for (const warning of reading.warnings) this.configFinding(warning, "warning");
    if (reading.ok) {
      const { config, ended } = withoutEnded(reading.config, this.options.today ?? dayOf(new Date()));
      for (const waiver of ended) this.waiverEnded(waiver);
      this.config = config;
      return config;
    }
    for (const problem of reading.problems) this.configFinding(problem, "error");
    this.configError = true;
    return null;
  }

  private waiverEnded({ pattern, reason, until }: EndedWaiver): void {
    this.diagnostics.push({
      severity: "warning",
      code: "waiver_ended",
      message: `The waiver ${JSON.stringify(pattern)} ended on ${until}: what it took is a violation again (its reason was: ${reason}).`,
      file: join(this.dir, ATOM_FILES.config),
    });
  }

  private configFinding(finding: ConfigProblem, severity: "error" | "warning"): void {
    const at = finding.path === "" ? "" : `${finding.path}: `;
    // Lines of an overridden text are not lines of the file.
    const line =
      finding.line === undefined || this.options.overrides.length > 0 ? {} : { line: finding.line };
    this.diagnostics.push({
      severity,
      code: severity === "error" ? "config_invalid" : "config_doubtful",
      message: `${at}${finding.message}`,
      file: join(this.dir, ATOM_FILES.config),
      ...line,
    });
  }

  /** The globs with their variables replaced; null after an unknown one. */
  private globs(config: NormalizedConfig): string[] | null {
    if (this.options.inputs !== undefined) return this.options.inputs.map(escapeGlob);
    const globs: string[] = [];
    for (const glob of config.input_files) {
      const expansion = expandVariables(glob, this.options.variables);
      if (expansion.ok) globs.push(expansion.glob);
      else {
        this.configError = true;
        const known = [...this.options.variables.keys()].join(", ");
        const names = expansion.unknown.map((name) => JSON.stringify(name)).join(", ");
        this.diagnostics.push({
          severity: "error",
          code: "config_unknown_variable",
          message: `input_files: ${JSON.stringify(glob)} uses the unknown variable ${names}; known are ${known} (paths.variables in the configuration).`,
          file: join(this.dir, ATOM_FILES.config),
        });
      }
    }
    return this.configError ? null : globs;
  }

  /** L1 and L2; null when the globs are wrong. */
  private async extract(config: NormalizedConfig): Promise<Extraction | null> {
    const globs = this.globs(config);
    if (globs === null) return null;
    const { emit } = this;
    const { sandbox, pool, guard } = this.services;
    const found = await findInputs(globs, guard);
    const diagnostics = [...found.diagnostics];
    if (found.files.length === 0 && found.diagnostics.length === 0) {
      const message = "The config names no input file, and none was given: there is nothing to judge.";
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
      // Its isolates, full of what is left of the logs, make room for what comes now.
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
      const ask = createMatcher(await shared.open(ATOM_FILES.atom_b, sources.atom_b), faults);
      const matcher: Matcher = (calls) => {
        this.services.signal.throwIfAborted();
        return ask(calls);
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

  private error(code: string, message: string): void {
    this.diagnostics.push({ severity: "error", code, message, file: this.dir });
  }

  private close(
    document: CheckDocument | null,
    run: ExtractionRun,
    extraction: Extraction | null = null,
  ): CheckedSet {
    const outcome = outcomeOf(document, this.diagnostics);
    return {
      result: {
        item_id: this.itemId,
        type: this.config?.type ?? null,
        outcome,
        // A document that claims PASS next to an error could be read as a pass.
        result: document !== null && outcome === "error" ? { ...document, status: "FAIL" } : document,
        diagnostics: this.diagnostics,
        input_files: this.inputFiles,
        duration_ms: 0,
      },
      dir: this.dir,
      unverified: this.unverified,
      outdated: this.outdated,
      declared: "manifest" in this.set ? describeDeclared(this.set.manifest) : [],
      config: this.config,
      items: run.items,
      searchedFiles: run.searchedFiles,
      configError: this.configError,
      extraction,
    };
  }
}

const NOTHING: ExtractionRun = { items: [], searchedFiles: [], inputs: [], diagnostics: [] };

/** pass, fail, or error: any diagnosis of severity `error` makes it `error`, and so does having no document. */
export function outcomeOf(document: CheckDocument | null, diagnostics: readonly Diagnostic[]): Outcome {
  if (document === null || diagnostics.some((d) => d.severity === "error")) return "error";
  return document.status === "PASS" ? "pass" : "fail";
}
