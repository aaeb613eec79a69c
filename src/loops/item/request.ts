// What is asked of a run of one item.
import type { Redact } from "../../core/redact/index.ts";
import type { Lease, Retention, RunWriter } from "../../store/index.ts";
import type { Hidden } from "./hidden.ts";

export interface ItemRequest {
  itemId: string;
  /** Absolute. */
  specPath: string;
  specSha256: string;
  /** Shown in the journal: why this item runs. */
  reason: string;
  /** `restart` ignores an unfinished checkpoint; `continue` resumes one that fits; a request of the user resumes any. */
  mode: "restart" | "continue" | { person: PersonSays };
  /** Runs everything except the acceptance; the next run continues there. */
  dryRun?: boolean;
  /** What the author's tools must not show, made once for the items of a batch. */
  hidden?: Hidden;
  /** Set when a worker of a fleet runs the item. */
  fleet?: FleetRun;
}

/** What differs for an item that was taken from a queue. */
export interface FleetRun {
  lease: Lease;
  /** Opens the item's store under the lease. */
  openStore(retention: Retention, redact: Redact): Promise<RunWriter>;
  /** Did an earlier attempt of this job begin? Then a run that ended goes through its end once more: what it left may have
   * been lost with its worker. Known once the store is open. */
  begunBefore(): boolean;
  /** Rewrites a text so that it is the same on every worker. */
  portable: (text: string) => string;
}

/** What a person may say with `resume`. */
export interface PersonSays {
  checkpoint?: string;
  from?: string;
  hint?: string;
  /** Blocks from `readAnswers` (src/spec/answers.ts). */
  answers?: string[];
  acceptEdits?: boolean;
  /** Number of a hint that is taken back, from 1. */
  dropHint?: number;
}
