// Names and results of the gates. docs/contract.md, section 5.
import type { AtomPart } from "./atoms.ts";
import type { FindingCode } from "./finding-codes.ts";

export const GATE_NAMES = [
  "gate1_syntax",
  "gate1_forbidden",
  "gate1_signature",
  "gate1_schema",
  "gate1_type_safety",
  "gate2_none_safety",
  "gate2_alternatives",
  "gate2_bad_regex",
  "gate2_literal_alt",
  "gate2_precedence",
  "gate2_default_strategy",
  "gate2_invalid_mode",
  "gate2_equivalence",
  "gate1_evidence",
  "gate3_types",
  "gate4_evidence",
  "gate4_examples",
  "gate4_no_fabrication",
  "gate4_stability",
  "gate4_no_policy",
  "gate4_scaling",
  "gate4_witness",
  "config_schema",
  "consistency",
  "universality",
] as const;
export type GateName = (typeof GATE_NAMES)[number];

/** true passed, false failed, null not run (no input, or blocked by another gate). */
export type GateResults = Record<GateName, boolean | null>;

/** One finding, written for the author that repairs it. */
export interface GateFinding {
  gate: GateName;
  atom: AtomPart;
  /** Stable machine name of the rule, e.g. `record_keys`, `not_grounded`. */
  code: string;
  /** The rule in one sentence, then the actual and the expected result. */
  message: string;
  /** 1-based line in the atom or config. */
  line?: number;
  /** The smallest input that shows it, bounded in length. */
  example?: string;
}

/** A finding of this version: its code is known. Stored findings may be of another version. */
export interface KnownFinding extends GateFinding {
  code: FindingCode;
}

/** Facts that the gates determine in addition to their results; stored in the manifest. */
export interface GateFacts {
  /** Atom A's result on a text equals the joined results on its parts; null: not examined. */
  line_local: boolean | null;
  line_local_evidence?: string;
  /** Records extracted per observed log, by path. */
  records_by_file: Record<string, number>;
  /** Per pattern: how many observed items it matches. */
  pattern_matches: Record<string, number>;
  /** Seed of the generated tests, for repeating them. */
  seed: number;
}

export interface GateReport {
  valid: boolean;
  gates: GateResults;
  errors: GateFinding[];
  warnings: GateFinding[];
  /** Warnings based on words of the page: the author is asked about them once before the set is accepted. */
  suspicions: GateFinding[];
  facts: GateFacts;
  duration_ms: number;
}

/** The results with every gate null. */
export function noGateResults(): GateResults {
  return Object.fromEntries(GATE_NAMES.map((name) => [name, null])) as GateResults;
}

/** The part that caused the errors of an attempt, as named in checkpoints and reports. */
export const ERROR_SOURCES = ["atom_a", "atom_b", "atom_c", "yaml", "unknown"] as const;
export type ErrorSource = (typeof ERROR_SOURCES)[number];

/** Code of a finding that is not from a gate: a statement of the logic author about extraction, which may be wrong. */
export const EXTRACTION_DOUBT = "extraction_doubt";

/** Whether an error concerns the author of Atom A. Witnesses and input files are part of the config, but the author of the
 * logic does not see the logs. */
export function concernsParsing({ atom, gate, code }: Pick<GateFinding, "atom" | "gate" | "code">): boolean {
  return atom === "atom_a" || gate === "gate4_witness" || code.startsWith("input_files_");
}
