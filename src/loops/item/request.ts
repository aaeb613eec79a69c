// Request to run one item.
import type { Redact } from "../../core/redact/index.ts";
import type { Lease, Retention, RunWriter } from "../../store/index.ts";
import type { HiddenPaths } from "./hidden.ts";

export interface ItemRequest {
  itemId: string;
  /** Absolute. */
  specPath: string;
  specSha256: string;
  /** Why this item runs, for the journal. */
  reason: string;
  /** `restart` ignores an unfinished checkpoint; `continue` resumes one that fits; a request of the user resumes any. */
  mode: "restart" | "continue" | { user: ResumeRequest };
  /** Runs everything except the acceptance; the next run resumes there. */
  dryRun?: boolean;
  /** Paths hidden from the author's tools, shared by the items of a batch. */
  hidden?: HiddenPaths;
  /** Set when a worker of a fleet runs the item. */
  fleet?: FleetRun;
}

/** Services of the worker for an item from a queue. */
export interface FleetRun {
  lease: Lease;
  /** Opens the item's store under the lease. */
  openStore(retention: Retention, redact: Redact): Promise<RunWriter>;
  /** True when an earlier attempt of this job started. A run that ended then repeats its final stage, because its
   * output may have been lost with its worker. Valid once the store is open. */
  startedBefore(): boolean;
  /** Replaces worker-specific paths in a text, so that it is the same on every worker. */
  portable: (text: string) => string;
}

/** Options of `resume`. */
export interface ResumeRequest {
  checkpoint?: string;
  from?: string;
  hint?: string;
  /** Blocks from `readAnswers` (src/spec/answers.ts). */
  answers?: string[];
  acceptEdits?: boolean;
  /** Number of a hint to remove, from 1. */
  dropHint?: number;
}
