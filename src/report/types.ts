// The data of the reports of `check`. Reports do not modify it.
import type { NormalizedConfig } from "../contract/config.ts";
import type { CheckResult } from "../contract/results.ts";

/** Lines of a log around a record, without line ends. */
export interface LogExcerpt {
  file: string;
  /** 1-based number of the first line. */
  startLine: number;
  lines: string[];
}

/** One checked item. */
export interface ReportItem {
  result: CheckResult;
  /** Folder of the atom set, absolute. */
  dir: string;
  unverified: boolean;
  /** The page changed since the set was accepted. */
  outdated: boolean;
  /** The author's declarations about the set with their quotes, one line each. */
  declared: string[];
  /** null when the config could not be read. */
  config: NormalizedConfig | null;
  /** Number of extracted records. */
  records: number;
  /** Files that were read, absolute, sorted. */
  searchedFiles: string[];
  /** Log lines around the evidence, where they were read. */
  excerpts: LogExcerpt[];
}

export type Change = "newly_failing" | "newly_passing" | "changed" | "new" | "gone" | "same";

/** One item compared with an earlier run. */
export interface ItemComparison {
  item_id: string;
  change: Change;
  before: string | null;
  now: string | null;
  /** New violations, and violations of the earlier run that are gone; one line each. */
  appeared: string[];
  disappeared: string[];
}

export interface Comparison {
  baseline: string;
  items: ItemComparison[];
}

/** One run of `check`. */
export interface ReportRun {
  version: string;
  /** ISO 8601, UTC. */
  created_at: string;
  search_root: string;
  duration_ms: number;
  items: ReportItem[];
  comparison: Comparison | null;
}
