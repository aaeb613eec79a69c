// The interface of the store of one run, of any loop. Two implementations: files (`run-store.ts`) and PostgreSQL
// (`postgres/`); `test/store/conformance.test.ts` tests both.
import type { JsonObject } from "../core/json.ts";
import type { Checkpoint, CheckpointInfo } from "./checkpoints.ts";

/** Read access to the store of a run; takes no lock and changes nothing. */
export interface RunAccess {
  /** Where it is stored, for messages: a directory, or a place in a database. */
  readonly dir: string;
  /** The checkpoint with this id, or the latest; undefined without one. Throws kind `usage` for an unknown id and
   * kind `store` for a checkpoint of a newer program. */
  loadCheckpoint(id?: string): Promise<Checkpoint | undefined>;
  /** All stored checkpoints, oldest first. */
  listCheckpoints(): Promise<CheckpointInfo[]>;
  /** A view; undefined when it is missing or unreadable. */
  loadView(folder: string, name: string): Promise<unknown>;
  /** Names of the views in a folder, sorted. */
  listViews(folder: string): Promise<string[]>;
  /** All views of a folder by their names, sorted. */
  loadViews(folder: string): Promise<Map<string, unknown>>;
  /** All events of the journal, in order. */
  loadJournal(): Promise<JsonObject[]>;
  /** All stored replies, in order. */
  loadTurns(): Promise<JsonObject[]>;
  /** All lines of a further log, in order. */
  loadLog(name: string): Promise<JsonObject[]>;
  /** Whether a living process owns the run. */
  isLocked(): Promise<boolean>;
}

/** The stored replies of a run that is open for writing. */
export interface Turns {
  /** In the order they were stored. */
  all(): readonly JsonObject[];
  /** Numbers of unreadable lines; their replies are requested again. */
  readonly damaged: readonly number[];
  /** Resolves when the reply survives a crash; nothing may act on it before. Rejects with kind `store`. */
  append(turn: JsonObject): Promise<void>;
  /** Starts an empty log; the earlier replies are kept in a separate one. */
  setAside(): Promise<void>;
}

/** A further log of a run, named by its loop. */
export interface RunLog {
  /** Lines of earlier owners, in order. */
  readonly earlier: readonly JsonObject[];
  /** Resolves when the line survives a crash. Rejects with kind `store`. */
  append(line: JsonObject): Promise<void>;
}

/** Write access, held by one process at a time. Keys and passwords are masked in everything written through it. After
 * `close`, and once another process has taken the run over, every write rejects with kind `store`. */
export interface RunWriter extends RunAccess {
  readonly turns: Turns;
  /** Saves a checkpoint and returns its id. */
  saveCheckpoint(stage: string, state: Checkpoint["state"], last?: boolean): Promise<string>;
  /** Saves a JSON document for users and reports. Nothing needed for a resume may be stored here. With `later` it may be
   * stored with a later write, after a second at most; a failure is thrown by the next checkpoint. */
  saveView(folder: string, name: string, value: unknown, options?: { later?: boolean }): Promise<void>;
  /** Removes all views of a folder. */
  dropViews(folder: string): Promise<void>;
  /** Appends one event to the journal. A failure is thrown here or by the next checkpoint. */
  record(event: object): void;
  /** Opens a further log. Lines are written unchanged, so they must be masked already. Closed with the store. */
  openLog(name: string): Promise<RunLog>;
  /** Keeps only the latest checkpoint. */
  dropHistory(): Promise<void>;
  /** Ends all writing. With `keepLock` the run stays locked until `close()` is called again or the process ends: for a
   * node that was abandoned at a limit and may still be running. */
  close(options?: { keepLock?: boolean }): Promise<void>;
}

/** A worker's lease of a run: a job of the queue and the number of its attempt. A later attempt of the same job takes the
 * run over; from then on every write of the earlier one is rejected. */
export interface Lease {
  job: string;
  attempt: number;
}

export interface Retention {
  maxCheckpointsPerHour: number;
  keepHours: number;
}
