// Services of the nodes of one run.
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
  /** Commands of the global verification, selected at preflight. */
  verification: Verification;
  transaction: Transaction;
  artifacts: Artifacts;
  commands: CommandRunner;
  /** Calls the model of role `factory`; stored replies are reused. */
  ask: Ask;
  /** Branch for the commit of an accepted change; null: leave the changes in the work tree. */
  branch: string | null;
  /** Remove changes of commands to other files. */
  removeDrift: boolean;
  emit: FactoryEmit;
  redact: Redact;
  /** Members of the summary that are not in the state. */
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
  /** Their origin, for display. */
  source: string;
  /** pytest without tests exits with 5; that counts as passed for the program's own rule. */
  allowsNoTests: boolean;
}
