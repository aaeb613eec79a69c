// Results of the runtime: the strict L5 document and the envelope around it. docs/contract.md, section 4.
import type { JsonObject } from "../core/json.ts";
import type { ParsedItem } from "./atoms.ts";
import type { CheckerType } from "./config.ts";

/** An entry of found, missing, extra or waived. A missing pattern has `searched_files`, a record has `value`. */
export interface ResultItem {
  description: string;
  expected?: string;
  value?: string;
  searched_files?: string[];
  line_number: number | null;
  source_file: string;
  matched_content: string;
  parsed_fields: JsonObject;
  /** The condition on a field that the record does not meet. */
  reason?: string;
  severity?: "INFO";
  tag?: "[WAIVED_AS_INFO]" | "[WAIVED_INFO]" | "[WAIVER]";
  waiver_pattern?: string;
  waiver_reason?: string;
}

/** An entry of `waived` under a global waiver. */
export interface GlobalWaiverNote {
  waiver_pattern: string;
  waiver_reason: "Global Waiver";
  tag: "[WAIVED_INFO]";
}

export interface UnusedWaiver {
  pattern: string;
  reason: "Not matched";
}

/** Exactly the keys of L5 for the checker type, present even when empty. */
export interface CheckDocument {
  status: "PASS" | "FAIL";
  found_items: ResultItem[];
  missing_items: ResultItem[];
  extra_items?: ResultItem[];
  waived?: (ResultItem | GlobalWaiverNote)[];
  unused_waivers?: UnusedWaiver[];
}

/** A problem of a result, or a remark. Severity `error` makes the outcome `error`. */
export interface Diagnostic {
  severity: "error" | "warning" | "info";
  /** Stable machine name, e.g. `input_missing`, `input_truncated`, `atom_threw`, `reference_not_found`. */
  code: string;
  message: string;
  file?: string;
  line?: number;
}

export type Outcome = "pass" | "fail" | "error";

/** One entry of `check --json`'s results. */
export interface CheckResult {
  item_id: string;
  type: CheckerType | null;
  outcome: Outcome;
  /** null when nothing could be judged (config error, stub, no sandbox). */
  result: CheckDocument | null;
  diagnostics: Diagnostic[];
  parsed_items?: ParsedItem[];
  input_files: string[];
  duration_ms: number;
}
