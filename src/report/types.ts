// What the reports are made of: plain data, filled by `check` and by `batch`. No report changes it.
import type { NormalizedConfig } from "../contract/config.ts";
import type { CheckResult } from "../contract/results.ts";

/** Lines of a log around something, without line ends. */
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
  /** Run in spite of a page that changed since the set was accepted. */
  outdated: boolean;
  /** What the author declared of the set, with quotes, one line each. */
  declared: string[];
  /** null when the config could not be read. */
  config: NormalizedConfig | null;
  /** How many records were extracted. */
  records: number;
  /** Files that were read, absolute, sorted. */
  searchedFiles: string[];
  /** Log lines around the evidence, as far as they were fetched. */
  excerpts: LogExcerpt[];
}

export type Change = "newly_failing" | "newly_passing" | "changed" | "new" | "gone" | "same";

/** One item beside an earlier run. */
export interface ItemComparison {
  item_id: string;
  change: Change;
  before: string | null;
  now: string | null;
  /** Violations that the earlier run did not have, and those it had and that are gone. One line each. */
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
