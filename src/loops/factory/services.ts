// What the nodes of one run work with.
import type { Redact } from "../../core/redact/index.ts";
import type { Artifacts } from "./artifacts.ts";
import type { Ask } from "./ask.ts";
import type { CommandRunner } from "./commands.ts";
import type { FactoryEmit } from "./events.ts";
import type { RunSettings } from "./identity.ts";
import type { Baseline, Repository } from "./repo/repository.ts";
import type { Transaction } from "./repo/transaction.ts";
import type { RunSummary, WorkOrder } from "./schemas.ts";

export interface FactoryServices {
  order: WorkOrder;
  settings: RunSettings;
  repository: Repository;
  baseline: Baseline;
  /** Commands of the global verification, chosen at preflight. */
  verification: Verification;
  transaction: Transaction;
  artifacts: Artifacts;
  commands: CommandRunner;
  /** Asks the model of role `factory`; a reply that was paid for is not asked for again. */
  ask: Ask;
  /** Branch of the commit of an accepted change; null leaves the changes in the work tree. */
  branch: string | null;
  /** Removes what commands changed beside the accepted files. */
  removeDrift: boolean;
  emit: FactoryEmit;
  redact: Redact;
  /** What of the summary does not come from the state. */
  facts(): Pick<
    RunSummary,
    | "repo_path"
    | "work_order_path"
    | "work_order_hash"
    | "repo_tree_hash_before"
    | "max_attempts"
    | "jail"
    | "usage"
  >;
  now(): string;
}

export interface Verification {
  commands: string[][];
  /** Where they come from, for a person. */
  source: string;
  /** pytest without tests ends with 5; that counts as passed when the rule is the program's own. */
  allowsNoTests: boolean;
}
