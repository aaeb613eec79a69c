// What the gates look at and what they may use.
import type { Sandbox } from "../../sandbox/types.ts";
import type { AtomSources } from "../contract/atoms.ts";
import type { Declarations } from "../contract/declarations.ts";
import type { KnownFinding } from "../contract/gates.ts";
import type { ItemEmit } from "../contract/item-events.ts";
import type { LoadedText } from "../logio/text.ts";
import type { FoundInputs } from "../runtime/inputs.ts";
import type { WorkedExample } from "../spec/index.ts";
import type { ItemSpec } from "../spec/types.ts";
import type { ProofCache } from "./proof-cache.ts";

/** Everything the gates look at. */
export interface GateInput {
  itemId: string;
  sources: AtomSources;
  /** Absent for `validate` on a folder whose page is not at hand; gates that need it then report null. */
  spec?: ItemSpec;
  /** Worked examples of the page and of a person's answers; none where the page is not at hand. */
  examples?: readonly WorkedExample[];
  /** YAML of the check block, likewise. */
  check?: string | null;
  /** Patterns of waivers that a person gave with `waive`: the page does not name them. */
  waived?: readonly string[];
  /** What the author declared with the set; absent for a folder of which nothing is known. */
  declarations?: Declarations;
  /** Answers of the user, which are not on the page: quotes may come from them. */
  answers?: readonly string[];
  /** The observed logs after L1, those the author discovered and read; may be empty. */
  logs: LoadedText[];
  /** Are these the logs that the author of the set observed? Otherwise somebody named them. */
  observed?: boolean;
  /** What the `input_files` of the config find today; absent where that is not known. */
  inputs?: FoundInputs;
  /** `check.require_witness`. */
  requireWitness?: boolean;
  searchRoot: string;
  /** Seed of the generated tests; printed, so that a run can be repeated. */
  seed: number;
  /** Errors found before the gates ran: a file that could not be read, a log that vanished. */
  problems?: KnownFinding[];
}

export interface GateServices {
  sandbox: Sandbox;
  emit: ItemEmit;
  signal: AbortSignal;
  /** Shared by the items of a run: proofs about sources that several of them have. Absent: everything is run. */
  proofs?: ProofCache;
  /** Milliseconds for all gates of one set; the default is in budget.ts. */
  budgetMs?: number;
}
