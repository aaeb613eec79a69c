// Input and services of the gates.
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

export interface GateInput {
  itemId: string;
  sources: AtomSources;
  /** Absent for `validate` on a folder without a page; gates that need it then have no result. */
  spec?: ItemSpec;
  /** Worked examples of the page and of answers of the user. */
  examples?: readonly WorkedExample[];
  /** YAML of the check block of the page or of an answer. */
  check?: string | null;
  /** Patterns of waivers that the user gave with `waive`, which are not on the page. */
  waived?: readonly string[];
  /** Declarations of the author; absent if the set has none. */
  declarations?: Declarations;
  /** Answers of the user, which are not on the page: quotes may come from them. */
  answers?: readonly string[];
  /** The logs after L1; may be empty. */
  logs: LoadedText[];
  /** The logs are those that the author of the set read; otherwise the user named them. */
  observed?: boolean;
  /** The files that the `input_files` of the config currently match, if they were searched for. */
  inputs?: FoundInputs;
  /** `check.require_witness`. */
  requireWitness?: boolean;
  searchRoot: string;
  /** Seed of the generated tests, which repeats a run. */
  seed: number;
  /** Errors that were found before the gates run, such as unreadable files. */
  problems?: KnownFinding[];
}

export interface GateServices {
  sandbox: Sandbox;
  emit: ItemEmit;
  signal: AbortSignal;
  /** Proofs about sources, shared by the items of a run. */
  proofs?: ProofCache;
  /** Milliseconds for all gates of one set; the default is in budget.ts. */
  budgetMs?: number;
}
