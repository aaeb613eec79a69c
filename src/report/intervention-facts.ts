// The data of an intervention report, collected by the item loop.
import type { AtomSources } from "../contract/atoms.ts";
import type { ErrorSource, GateFinding } from "../contract/gates.ts";

export type InterventionReason = "gave_up" | "iterations" | "no_evidence" | "edits_rejected";

export interface TriedAttempt {
  iteration: number;
  /** The part that caused the errors. */
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
  /** The author's reasons when it gave up, otherwise empty. */
  reasons: string[];
  questions: string[];
  /** Log lines that the questions are about. */
  lines: { file: string; line: number; count?: number | undefined; text: string }[];
  /** Blocks for the page that answer the questions; the reviewer pastes the right one. */
  blocks: { kind: string; content: string }[];
  /** Oldest first. */
  attempts: TriedAttempt[];
  /** The attempt that is kept: the best one that reached the gates, otherwise one that did not; null without code. */
  best: ShownAttempt | null;
  /** The last attempt that reached the gates; may be the best one. */
  last: ShownAttempt | null;
  /** Warnings of `spec lint` about the page. */
  spec_warnings: string[];
  /** Whether the author of the logic reported that section 4.2 has rules about the form of records. */
  doubts_sent: boolean;
  /** Files that the author read: path relative to the search root, and number of lines; null: all of them. */
  looked_at: { path: string; lines: number | null }[];
  discovered: number;
  search_root: string;
  tool_bytes: { used: number; limit: number };
  hints: string[];
  /** Blocks from the user, each with its fence. */
  answers: string[];
  next_steps: NextStep[];
  /** The command that answers with a block, without the block's number at the end. */
  choose_command: string;
  output_dir: string;
  /** Directory of the kept attempt, if there is one. */
  attempt_dir: string;
  /** Whether `output_dir` has an accepted set, which stays until a new one is accepted. */
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
