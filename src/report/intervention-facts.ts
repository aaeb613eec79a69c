// What an intervention report is made of: plain data that the item loop collects.
import type { AtomSources } from "../contract/atoms.ts";
import type { ErrorSource, GateFinding } from "../contract/gates.ts";

export type InterventionReason = "gave_up" | "iterations" | "no_evidence" | "edits_rejected";

export interface TriedAttempt {
  iteration: number;
  /** The part that the errors were traced to. */
  error_source: ErrorSource;
  gates_passed: number;
  gates_failed: string[];
  errors: GateFinding[];
  timestamp: string;
}

/** An attempt with its errors and its code. */
export interface ShownAttempt {
  iteration: number;
  error_source: ErrorSource;
  errors: GateFinding[];
  code: AtomSources;
}

export interface NextStep {
  title: string;
  /** Shell commands, one a line. */
  commands: string[];
  note?: string;
}

export interface InterventionFacts {
  item_id: string;
  title: string;
  spec_path: string;
  /** Texts of the page: what to extract, what to check. */
  parsing_logic: string;
  check_logic: string;
  reason: InterventionReason;
  iterations: number;
  max_iterations: number;
  /** The author's own words when it gave up, else empty. */
  reasons: string[];
  questions: string[];
  /** Log lines that the questions are about. */
  lines: { file: string; line: number; count?: number | undefined; text: string }[];
  /** Blocks of a page that answer the questions: the right one is to be pasted. */
  blocks: { kind: string; content: string }[];
  /** Oldest first. */
  attempts: TriedAttempt[];
  /** The attempt that is kept: the best that reached the gates, else code that never did; null without code. */
  best: ShownAttempt | null;
  /** The last attempt that reached the gates, which may be the best one. */
  last: ShownAttempt | null;
  /** What `spec lint` says of the page. */
  spec_warnings: string[];
  /** Did the author of the logic say that section 4.2 holds rules about the form of records? */
  doubts_sent: boolean;
  /** What the author looked at: path relative to the search root and lines seen; null: all of them. */
  looked_at: { path: string; lines: number | null }[];
  discovered: number;
  search_root: string;
  tool_bytes: { used: number; limit: number };
  hints: string[];
  /** Blocks that a person gave, each with its fence. */
  answers: string[];
  next_steps: NextStep[];
  /** The command that answers with a block, but for its number at the end. */
  choose_command: string;
  output_dir: string;
  /** Where the attempt is kept, if there is one. */
  attempt_dir: string;
  /** Does an accepted set stand in `output_dir`, which stays until a new one is accepted? */
  keeps_set: boolean;
  cache_dir: string;
  created_at: string;
}

export interface FailingExample {
  gate: string;
  atom: string;
  message: string;
  example: string;
}
