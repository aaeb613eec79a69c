// The item config after L0: all spellings of the YAML normalized. docs/contract.md, section 3.

/** 1 existence, 2 patterns, 3 patterns + waivers, 4 existence + waivers. */
export type CheckerType = 1 | 2 | 3 | 4;

/** The tests of a condition. `matches` searches for a regular expression. */
export const FIELD_TESTS = ["equals", "contains", "at_least", "at_most", "matches"] as const;
export type FieldTest = (typeof FIELD_TESTS)[number];

/** A requirement on one field of a record; the field `value` is the value of the record. */
export interface FieldCondition {
  field: string;
  test: FieldTest;
  /** As written in the config; a number for `at_least` and `at_most`. */
  wanted: string;
}

export interface NormalizedConfig {
  type: CheckerType;
  description: string;
  /** Globs as written; variables are resolved when inputs are read. */
  input_files: string[];
  requirements: {
    /** null means N/A. */
    value: number | null;
    /** A map `{KEY: text}` is converted to the text `KEY: text`. */
    pattern_items: string[];
    /** Conditions on every record; absent when there are none. */
    where?: FieldCondition[];
    /** Aligned with `pattern_items`: conditions on the records that a pattern matches; absent when no pattern has any. */
    pattern_where?: FieldCondition[][];
    expect: "present" | "absent";
    extra: "fail" | "info";
  };
  waivers: {
    /** null means N/A, 0 is the global waiver. */
    value: number | null;
    waive_items: string[];
    /** Aligned with `waive_items`; "N/A" for a waiver without a reason. */
    waive_reasons: string[];
    /** Aligned with `waive_items`: the last day on which the waiver is valid (YYYY-MM-DD); null: no end. */
    waive_until: (string | null)[];
  };
  /** Texts, or `regex:` with an expression, that occur in an input only if the tool ran to its end. null: the key is missing,
   * as in older sets. docs/contract.md, section 7. */
  witnesses: string[] | null;
  /** The author's reason why `witnesses` is empty; empty without a reason. */
  no_witness_reason: string;
}

export interface ConfigProblem {
  /** Dotted path of the key, e.g. `requirements.value`. */
  path: string;
  message: string;
  line?: number;
}

export type ConfigReading =
  | { ok: true; config: NormalizedConfig; warnings: ConfigProblem[] }
  | { ok: false; problems: ConfigProblem[]; warnings: ConfigProblem[] };
