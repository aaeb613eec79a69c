// The trial by which a page is proved. It is the item loop, which the command gives to this loop.

/** Result of a trial. */
export interface Trial {
  status: "accepted" | "human_required" | "error";
  /** Why it is not accepted: errors of gates, questions of the author, what failed. */
  problems: string[];
  /** Who wrote the atoms. */
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
  /** Absolute: a folder of the trial's own with the page in it. */
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

/** The item loop as the agent's tools need it. */
export interface ItemTrials {
  /** Has an author write the atoms of a page, proves them and applies them to the logs. What is up to date is not made
   * again. Throws kind `interrupted` only. */
  run(request: TrialRequest): Promise<Trial>;
  /** Copies the accepted set of a trial to the sets of the project; idempotent. Throws kind `usage` when another accepted
   * set exists there. */
  adopt(folder: string, itemId: string, pagePath: string): Promise<string>;
  /** Ends what the trials shared. */
  close(): Promise<void>;
}
