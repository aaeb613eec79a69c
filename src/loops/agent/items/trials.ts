// The trial that proves a page: the item loop, passed in by the command.

/** Result of a trial. */
export interface Trial {
  status: "accepted" | "human_required" | "error";
  /** Why it is not accepted: gate errors, questions of the author, or an infrastructure error. */
  problems: string[];
  /** Author of the atoms. */
  author: string;
  attempts: number;
  gates: { passed: number; failed: string[] };
  warnings: string[];
  /** Logs it was proved on, relative to the search root. */
  logs: string[];
  records: { total: number; shown: { file: string; line: number | null; value: string; fields: string }[] };
  /** Verdict of the set on the logs; undefined without an accepted set. */
  verdict?: { outcome: "pass" | "fail" | "error"; why: string };
  usage: { calls: number; input_tokens: number; output_tokens: number; cost_usd: number | null };
}

export interface TrialRequest {
  /** Absolute path of the trial's own folder, which contains the page. */
  folder: string;
  page: string;
  searchRoot: string;
  /** Absolute files and folders below the search root that are not logs. */
  ownFiles: string[];
  maxSeconds: number;
  /** Absent: no limit. */
  maxCostUsd?: number;
  signal: AbortSignal;
}

/** Interface of the item loop for the agent's tools. */
export interface ItemTrials {
  /** Runs an author on a page, validates the atoms and applies them to the logs. A set that is up to date is reused.
   * Throws kind `interrupted` only. */
  run(request: TrialRequest): Promise<Trial>;
  /** Copies the accepted set of a trial to the sets of the project; idempotent. Throws kind `usage` when another accepted
   * set exists there. */
  adopt(folder: string, itemId: string, pagePath: string): Promise<string>;
  /** Ends what the trials shared. */
  close(): Promise<void>;
}
