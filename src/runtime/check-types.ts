// Options, services and result of the check of one atom set.
import type { CallLimits, Sandbox } from "../../sandbox/types.ts";
import type { ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import type { ItemEmit } from "../contract/item-events.ts";
import type { CheckResult, Diagnostic } from "../contract/results.ts";
import type { Emit } from "../core/events.ts";
import type { PathGuard } from "../files/guard.ts";
import type { LogPool } from "./log-pool.ts";
import type { ConfigOverride } from "./override.ts";
import type { SessionCache } from "./session-cache.ts";
import type { ExtractionRun, FileExtraction } from "./types.ts";

export interface CheckOptions {
  /** Values of `${NAME}`; see `variablesOf`. */
  variables: ReadonlyMap<string, string>;
  /** Absolute paths that replace the config's input_files. */
  inputs?: readonly string[];
  overrides: readonly ConfigOverride[];
  /** Run a set that has no valid manifest or was modified; never a stub. */
  unverified: boolean;
  /** Run a set whose page changed since it was accepted. */
  outdated: boolean;
  /** The day of the check (YYYY-MM-DD), for waivers with an end; absent: today. */
  today?: string;
  limits: Partial<CallLimits>;
  maxRecords: number;
  /** A set whose check needs witnesses and that has none is an error, not a warning. */
  requireWitness: boolean;
  /** Maximum concurrent calls of Atom A for one file. */
  parallel: number;
  /** The extraction of an earlier check of the same set on the same logs; the logs are not read again. */
  extraction?: Extraction;
  /** Extractions of large logs that were read in ranges, by path; they are not read again. */
  joined?: ReadonlyMap<string, FileExtraction>;
}

/** The result of L1 and L2 for the logs of a set, with every diagnostic; enough to judge without the logs. Plain JSON. */
export interface Extraction {
  input_files: string[];
  run: ExtractionRun;
  diagnostics: Diagnostic[];
}

export interface CheckServices {
  sandbox: Sandbox;
  /** Sessions of Atoms B and C shared by the items of a run; without it each item opens its own. */
  sessions?: SessionCache;
  pool: LogPool;
  guard: PathGuard;
  emit: Emit;
  /** The emit of one item. */
  emitOf(itemId: string): ItemEmit;
  signal: AbortSignal;
}

/** A check result with the data that reports show in addition. */
export interface CheckedSet {
  result: CheckResult;
  /** Folder of the set, absolute. */
  dir: string;
  /** It ran although it has no valid manifest or was modified. */
  unverified: boolean;
  /** It ran although its page changed since it was accepted. */
  outdated: boolean;
  /** The author's declarations, one line each; empty for sets without them. */
  declared: string[];
  config: NormalizedConfig | null;
  items: ParsedItem[];
  searchedFiles: string[];
  /** The config or a variable in it is invalid: exit code 2. */
  configError: boolean;
  /** null when no log was read. */
  extraction: Extraction | null;
}
