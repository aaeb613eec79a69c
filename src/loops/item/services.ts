// Services that the stages of an item use. All side effects go through these.
import type { Sandbox } from "../../../sandbox/types.ts";
import type { Author } from "../../author/types.ts";
import type { Config } from "../../config/schema.ts";
import type { ItemEmit } from "../../contract/item-events.ts";
import type { Redact } from "../../core/redact/index.ts";
import type { Slots } from "../../core/slots.ts";
import type { ProofCache } from "../../gates/index.ts";
import type { LogPool } from "../../runtime/log-pool.ts";
import type { RunWriter } from "../../store/index.ts";
import type { OutputStore } from "./output-store.ts";

export interface ItemServices {
  config: Config;
  author: Author;
  /** SHA-256 over all prompts in use. */
  promptsSha256: string;
  sandbox: Sandbox;
  /** Shared by all items of a run, so that a log is read once. */
  reader: LogPool;
  store: RunWriter;
  output: OutputStore;
  /** Runs everything except the acceptance: the final stages write nothing below the output folder. */
  dryRun: boolean;
  emit: ItemEmit;
  /** Absolute paths below the search root that the author must not see. */
  hidden: string[];
  /** Limits how many gate runs are active at once, independently of model calls and reads. */
  gateSlots: Slots;
  proofs: ProofCache;
  /** Flags that commands in reports must repeat, e.g. `--search-root project`. */
  commandFlags: string[];
  /** Masks keys and passwords in reports. */
  redact: Redact;
  /** Hash of the file names below the search root; used for items whose logs were not found. */
  listing(): Promise<string>;
  now(): string;
}
