// Decides whether a set may run, reads its config and expands its globs. Every finding is a diagnostic.
import { join } from "node:path";
import { ATOM_FILES, ATOM_PARTS } from "../contract/atoms.ts";
import type { ConfigProblem, NormalizedConfig } from "../contract/config.ts";
import type { Diagnostic } from "../contract/results.ts";
import { escapeGlob } from "../files/glob.ts";
import { expandVariables } from "../files/variables.ts";
import type { CheckOptions } from "./check-types.ts";
import { applyOverrides } from "./override.ts";
import { readItemConfig } from "./read-config.ts";
import { type Doubt, doubtsOf, type SetState } from "./set-state.ts";
import { dayOf, type EndedWaiver, withoutEnded } from "./waiver-days.ts";

/** The result of the checks before a set runs. */
export class Admission {
  readonly diagnostics: Diagnostic[] = [];
  /** null when the set must not run. */
  readonly config: NormalizedConfig | null;
  /** The config or a variable in it is invalid. */
  configError = false;
  /** The set runs although it is not verified, or its page changed. */
  unverified = false;
  outdated = false;
  private readonly dir: string;
  private readonly set: SetState;
  private readonly options: CheckOptions;

  constructor(dir: string, set: SetState, options: CheckOptions) {
    this.dir = dir;
    this.set = set;
    this.options = options;
    this.config = this.mayRun() ? this.readConfig() : null;
  }

  /** The globs of the inputs with their variables replaced; null after an unknown variable. */
  inputGlobs(config: NormalizedConfig): string[] | null {
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

  /** Whether the set is complete and its proof is valid, or the user runs it anyway. */
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
    const refused = doubtsOf(set, this.dir).filter((doubt) => !this.isOverridden(doubt));
    return refused.length === 0 && missing.length === 0;
  }

  /** Reports a doubt. True when the user passed the flag that runs the set anyway. */
  private isOverridden({ flag, code, message }: Doubt): boolean {
    const given = this.options[flag];
    if (given) this[flag] = true;
    this.diagnostics.push({
      severity: given ? "warning" : "error",
      code: given ? flag : code,
      message: given
        ? `${flag.toUpperCase()}: ${message} It was run anyway (--${flag}).`
        : `${message} It was not run; use --${flag} to run it anyway.`,
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
      message: `The waiver ${JSON.stringify(pattern)} ended on ${until}: what it waived is a violation again (its reason was: ${reason}).`,
      file: join(this.dir, ATOM_FILES.config),
    });
  }

  private configFinding(finding: ConfigProblem, severity: "error" | "warning"): void {
    const prefix = finding.path === "" ? "" : `${finding.path}: `;
    // With overrides, lines of the text are not lines of the file.
    const line =
      finding.line === undefined || this.options.overrides.length > 0 ? {} : { line: finding.line };
    this.diagnostics.push({
      severity,
      code: severity === "error" ? "config_invalid" : "config_doubtful",
      message: `${prefix}${finding.message}`,
      file: join(this.dir, ATOM_FILES.config),
      ...line,
    });
  }

  private error(code: string, message: string): void {
    this.diagnostics.push({ severity: "error", code, message, file: this.dir });
  }
}
