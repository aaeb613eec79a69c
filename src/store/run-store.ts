// The files of one run under `cache/<loop>/<id>/`: lock, checkpoints, journal, stored replies, and JSON views named by
// the loop. Their content is opaque here.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../core/json.ts";
import { type Redact, redactDeep } from "../core/redact/index.ts";
import { AppendLog, closedError, readLines } from "./append-log.ts";
import { removeLeftovers, storeError, writeFileAtomic } from "./atomic.ts";
import { type Checkpoint, type CheckpointInfo, Checkpoints, type RunRef } from "./checkpoints.ts";
import { checkId } from "./ids.ts";
import { jsonText, LOCK_FILE, prepareStore, readJson, runFolder, storedFolder } from "./layout.ts";
import { isLockHeld, type ProcessLock, takeLock } from "./lock.ts";
import { memoizedRedact } from "./masked.ts";
import { lockRun } from "./migrate.ts";
import { TurnFile } from "./turns.ts";
import type { Lease, Retention, RunAccess, RunLog, RunWriter } from "./types.ts";

/** Maximum age of unflushed work: how much a power failure may lose. */
const FLUSH_EVERY_MS = 1_000;

/** Where a run is stored: below a cache directory, or in a separate directory; `dead` is the token of a lock there whose
 * holder the caller knows to be dead. */
export type StorePlace = string | { folder: string; dead?: string | undefined };

/** Read access to the directory of one run, in any layout; takes no lock and changes nothing. */
export class RunReader implements RunAccess {
  readonly dir: string;
  protected readonly checkpoints: Checkpoints;

  /** Throws kind `usage` for an invalid loop name or id. */
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

  /** Loads a view; undefined when it is missing or unreadable. */
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

  async loadViews(folder: string): Promise<Map<string, unknown>> {
    const views = new Map<string, unknown>();
    for (const name of await this.listViews(folder)) views.set(name, await this.loadView(folder, name));
    return views;
  }

  async loadJournal(): Promise<JsonObject[]> {
    return (await readLines(this.journalPath)).values;
  }

  async loadTurns(): Promise<JsonObject[]> {
    return (await readLines(this.turnsPath)).values;
  }

  async loadLog(name: string): Promise<JsonObject[]> {
    return (await readLines(this.logPath(name))).values;
  }

  /** Whether a living process holds the lock of the run. */
  isLocked(): Promise<boolean> {
    return isLockHeld(join(this.dir, LOCK_FILE));
  }

  get journalPath(): string {
    return join(this.dir, "journal.jsonl");
  }

  get turnsPath(): string {
    return join(this.dir, "agent_turns.jsonl");
  }

  protected logPath(name: string): string {
    checkId(name);
    return join(this.dir, `${name}.jsonl`);
  }
}

/** Write access, held by one process at a time. Keys and passwords are masked in everything written through it.
 * After `close` every write rejects with kind `store`. */
export class RunStore extends RunReader implements RunWriter {
  private readonly lock: ProcessLock;
  private readonly journal: AppendLog;
  private readonly retention: Retention;
  private readonly mask: Redact;
  /** Further logs that are open. */
  private readonly logs: TurnFile[] = [];
  private closed = false;
  /** When the last checkpoint was flushed. */
  private flushedAt = Number.NEGATIVE_INFINITY;
  /** Written unchanged: the model layer has masked them already. */
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
    this.mask = memoizedRedact(mask);
    this.journal = new AppendLog(this.journalPath);
  }

  /**
   * Takes the lock of the run, migrates an older layout, cleans up after a killed process and deletes expired
   * checkpoints. Throws kind `usage` when another process holds the lock, kind `store` when the directory is unusable.
   * With a lease of the queue, an earlier attempt loses the run, and each of its writes checks that first.
   */
  static async open(
    place: StorePlace,
    run: RunRef,
    retention: Retention,
    mask: Redact = (text) => text,
    lease?: Lease,
  ): Promise<RunStore> {
    checkId(run.loop);
    checkId(run.id);
    const { dir, lock } = await lockFolder(place, run, lease);
    try {
      const turns = await TurnFile.open(join(dir, "agent_turns.jsonl"), () => lock.check());
      const store = new RunStore(place, run, retention, lock, turns, mask);
      await store.checkpoints.dropOldHours(retention.keepHours);
      await removeLeftoversBelow(dir);
      return store;
    } catch (error) {
      await lock.release();
      throw storeError(error, dir);
    }
  }

  /** Saves a checkpoint and returns its id. It survives the end of the process immediately. It is flushed, after the
   * journal, if it is the first since the store was opened (stored replies need the start of their run on disk), the
   * last, or if the last flush is more than a second ago. Replies are flushed before anything acts on them, so running
   * a stage again costs no tokens. */
  async saveCheckpoint(stage: string, state: Checkpoint["state"], last = false): Promise<string> {
    this.throwIfClosed();
    const flush = last || performance.now() - this.flushedAt > FLUSH_EVERY_MS;
    if (flush) await this.journal.flush();
    const keep = this.retention.maxCheckpointsPerHour;
    const id = await this.checkpoints.save(stage, redactDeep(state, this.mask), keep, { flush });
    if (flush) this.flushedAt = performance.now();
    return id;
  }

  /** Saves a JSON document for users and reports as `<folder>/<name>.json`. It is not flushed, so nothing needed for a
   * resume may be stored here. */
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

  /** Appends one event to the journal. Throws kind `store`. */
  record(event: object): void {
    if (!this.closed) this.lock.check();
    this.journal.append(redactDeep(event, this.mask));
  }

  async openLog(name: string): Promise<RunLog> {
    this.throwIfClosed();
    const log = await TurnFile.open(this.logPath(name), () => this.lock.check());
    this.logs.push(log);
    return { earlier: [...log.all()], append: (line) => log.append(line) };
  }

  /** Keeps only the latest checkpoint (`cache.cleanup_on_success`). */
  async dropHistory(): Promise<void> {
    this.throwIfClosed();
    await rm(join(this.dir, "hourly"), { recursive: true, force: true });
  }

  /** Ends all writing. With `keepLock` the run stays locked until `close()` is called again or the process ends: for a
   * node that was abandoned at a limit and may still be running. */
  async close(options: { keepLock?: boolean } = {}): Promise<void> {
    this.closed = true;
    this.journal.close();
    this.turns.close();
    for (const log of this.logs) log.close();
    if (options.keepLock !== true) await this.lock.release();
  }

  private throwIfClosed(): void {
    if (this.closed) throw closedError(this.dir);
    this.lock.check();
  }
}

/** Takes the lock of a run. */
async function lockFolder(
  place: StorePlace,
  run: RunRef,
  lease: Lease | undefined,
): Promise<{ dir: string; lock: ProcessLock }> {
  if (typeof place !== "string") {
    const { folder, dead } = place;
    const lock = await takeLock(join(folder, LOCK_FILE), `${run.loop} ${run.id}`, { lease, dead });
    return { dir: place.folder, lock };
  }
  await prepareStore(place);
  return { dir: runFolder(place, run), lock: await lockRun(place, run, lease) };
}

/** Removes temporary files of killed processes from the directory of the run and all below it. */
async function removeLeftoversBelow(dir: string): Promise<void> {
  await removeLeftovers(dir);
  const entries = await readdir(dir, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  await Promise.all(folders.map((entry) => removeLeftoversBelow(join(dir, entry.name))));
}
