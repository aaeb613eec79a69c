// Everything kept of one run under `cache/<loop>/<id>/`: lock, checkpoints, journal, stored replies, and JSON views
// that the loop names itself. What a run is about is the loop's business.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Redact, redactDeep } from "../core/redact.ts";
import { AppendLog, closedError } from "./append-log.ts";
import { removeLeftovers, storeError, writeFileAtomic } from "./atomic.ts";
import { type Checkpoint, type CheckpointInfo, Checkpoints, type RunRef } from "./checkpoints.ts";
import { checkId } from "./ids.ts";
import { jsonText, LOCK_FILE, prepareStore, readJson, runFolder, storedFolder } from "./layout.ts";
import { isLockHeld, type ProcessLock, takeLock } from "./lock.ts";
import { remembering } from "./masked.ts";
import { lockRun } from "./migrate.ts";
import { TurnFile } from "./turns.ts";

export interface Retention {
  maxCheckpointsPerHour: number;
  keepHours: number;
}

/** Work that a power cut may cost. */
const FLUSH_EVERY_MS = 1_000;

/** Where a run is kept: below a cache folder, or in a folder of its own. */
export type StorePlace = string | { folder: string };

/** Read access to one run's folder, wherever it stands; takes no lock and changes nothing. */
export class RunReader {
  readonly dir: string;
  protected readonly checkpoints: Checkpoints;

  /** Throws kind `usage` for a loop or id that cannot name a folder. */
  constructor(place: StorePlace, run: RunRef) {
    checkId(run.loop);
    checkId(run.id);
    this.dir = typeof place === "string" ? storedFolder(place, run) : place.folder;
    this.checkpoints = new Checkpoints(this.dir, run);
  }

  /** See `Checkpoints.load`. */
  loadCheckpoint(id?: string): Promise<Checkpoint | undefined> {
    return this.checkpoints.load(id);
  }

  listCheckpoints(): Promise<CheckpointInfo[]> {
    return this.checkpoints.list();
  }

  /** A view as it was saved; undefined when there is none that can be read. */
  async loadView(folder: string, name: string): Promise<unknown> {
    return readJson(join(this.dir, folder, `${name}.json`));
  }

  /** Names of the views in a folder, sorted. */
  async listViews(folder: string): Promise<string[]> {
    const names = await readdir(join(this.dir, folder)).catch(() => [] as string[]);
    return names
      .filter((name) => name.endsWith(".json") && !name.startsWith("."))
      .map((name) => name.slice(0, -".json".length))
      .sort();
  }

  /** Is a process at work on the run? */
  isLocked(): Promise<boolean> {
    return isLockHeld(join(this.dir, LOCK_FILE));
  }

  get journalPath(): string {
    return join(this.dir, "journal.jsonl");
  }

  get turnsPath(): string {
    return join(this.dir, "agent_turns.jsonl");
  }
}

/** Write access, held by one process at a time. Keys and passwords are masked in everything written through it.
 * After `close` every write rejects with kind `store`. */
export class RunStore extends RunReader {
  private readonly lock: ProcessLock;
  private readonly journal: AppendLog;
  private readonly retention: Retention;
  private readonly mask: Redact;
  private closed = false;
  /** When the last checkpoint was flushed. */
  private flushedAt = Number.NEGATIVE_INFINITY;
  /** Written as they come: the model layer masks them before it counts them as stored. */
  readonly turns: TurnFile;

  private constructor(
    place: StorePlace,
    run: RunRef,
    retention: Retention,
    lock: ProcessLock,
    turns: TurnFile,
    mask: Redact,
  ) {
    super(place, run);
    this.lock = lock;
    this.turns = turns;
    this.retention = retention;
    this.mask = remembering(mask);
    this.journal = new AppendLog(this.journalPath);
  }

  /**
   * Takes the run's lock, moves a folder of an older layout to its place, repairs what a killed process left and
   * drops what is past its time. Throws kind `usage` when another process works on the run, kind `store` when the
   * folder cannot be used.
   */
  static async open(
    place: StorePlace,
    run: RunRef,
    retention: Retention,
    mask: Redact = (text) => text,
  ): Promise<RunStore> {
    checkId(run.loop);
    checkId(run.id);
    const { dir, lock } = await lockFolder(place, run);
    try {
      const turns = await TurnFile.open(join(dir, "agent_turns.jsonl"));
      const store = new RunStore(place, run, retention, lock, turns, mask);
      await store.checkpoints.dropOldHours(retention.keepHours);
      await removeLeftoversBelow(dir);
      return store;
    } catch (error) {
      await lock.release();
      throw storeError(error, dir);
    }
  }

  /** Returns the checkpoint's id. It survives the death of the process at once. It is waited for until it is on the
   * disk, with the journal before it, when it is the first since the folder was opened (replies belong to a run whose
   * beginning is on the disk), the last, or when a second of work would be lost with it in a power cut. Replies were
   * flushed before anything acted on them, so a stage that runs again costs nothing. */
  async saveCheckpoint(stage: string, state: Checkpoint["state"], last = false): Promise<string> {
    this.throwIfClosed();
    const flush = last || performance.now() - this.flushedAt > FLUSH_EVERY_MS;
    if (flush) await this.journal.flush();
    const keep = this.retention.maxCheckpointsPerHour;
    const id = await this.checkpoints.save(stage, redactDeep(state, this.mask), keep, { flush });
    if (flush) this.flushedAt = performance.now();
    return id;
  }

  /** A JSON document for people and reports, `<folder>/<name>.json`. Nothing that resumes a run may need it: a power
   * cut may take it. */
  async saveView(folder: string, name: string, value: unknown): Promise<void> {
    this.throwIfClosed();
    checkId(folder);
    checkId(name);
    const text = jsonText(redactDeep(value, this.mask));
    await writeFileAtomic(join(this.dir, folder, `${name}.json`), text, { flush: false });
  }

  /** Removes all views of a folder. */
  async dropViews(folder: string): Promise<void> {
    this.throwIfClosed();
    checkId(folder);
    await rm(join(this.dir, folder), { recursive: true, force: true });
  }

  /** One event into the journal. Throws kind `store`. */
  record(event: object): void {
    this.journal.append(redactDeep(event, this.mask));
  }

  /** Keeps only the latest checkpoint (`cache.cleanup_on_success`). */
  async dropHistory(): Promise<void> {
    this.throwIfClosed();
    await rm(join(this.dir, "hourly"), { recursive: true, force: true });
  }

  /** Ends all writing. With `keepLock` the run stays locked until `close()` is called again or the process ends:
   * for a node that was left behind at a limit and may still be at work. */
  async close(options: { keepLock?: boolean } = {}): Promise<void> {
    this.closed = true;
    this.journal.close();
    this.turns.close();
    if (options.keepLock !== true) await this.lock.release();
  }

  private throwIfClosed(): void {
    if (this.closed) throw closedError(this.dir);
  }
}

/** Takes the lock of a run, wherever it is kept. */
async function lockFolder(place: StorePlace, run: RunRef): Promise<{ dir: string; lock: ProcessLock }> {
  if (typeof place !== "string") {
    return {
      dir: place.folder,
      lock: await takeLock(join(place.folder, LOCK_FILE), `${run.loop} ${run.id}`),
    };
  }
  await prepareStore(place);
  return { dir: runFolder(place, run), lock: await lockRun(place, run) };
}

/** Temporary files of killed processes, in the run's folder and in all below it. */
async function removeLeftoversBelow(dir: string): Promise<void> {
  await removeLeftovers(dir);
  const entries = await readdir(dir, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  await Promise.all(folders.map((entry) => removeLeftoversBelow(join(dir, entry.name))));
}
