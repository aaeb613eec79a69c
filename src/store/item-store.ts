// Everything kept under `cache/<ITEM_ID>/`: lock, checkpoints, stage outputs, error logs, journal, replies.
// Layout of the seed, section 2.1. Knows file names, not what an item is.
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Event } from "../core/events.ts";
import { type Redact, redactDeep } from "../core/redact.ts";
import { STORE_FORMAT } from "../core/version.ts";
import { AppendLog } from "./append-log.ts";
import { exists, readTextIfAny, removeLeftovers, storeError, writeFileAtomic } from "./atomic.ts";
import { type Checkpoint, type CheckpointInfo, Checkpoints, refuseNewer } from "./checkpoints.ts";
import { checkId } from "./ids.ts";
import { type FolderLock, takeLock } from "./lock.ts";
import { TurnFile } from "./turns.ts";

export interface Retention {
  maxCheckpointsPerHour: number;
  keepHours: number;
}

/** Work that a power cut may cost. */
const FLUSH_EVERY_MS = 1_000;

/** Name that no item can have (`@` is in no id): the mark of the whole cache folder. */
const STORE_FILE = "@store.json";

/** Read access to one item's folder; takes no lock. */
export class ItemStoreReader {
  readonly dir: string;
  readonly itemId: string;
  protected readonly checkpoints: Checkpoints;

  constructor(cacheDir: string, itemId: string) {
    checkId(itemId);
    this.itemId = itemId;
    this.dir = join(cacheDir, itemId);
    this.checkpoints = new Checkpoints(this.dir, itemId);
  }

  /** See `Checkpoints.load`. */
  loadCheckpoint(id?: string): Promise<Checkpoint | undefined> {
    return this.checkpoints.load(id);
  }

  listCheckpoints(): Promise<CheckpointInfo[]> {
    return this.checkpoints.list();
  }

  /** What a stage left in `stage_outputs/<stage>.json`; undefined when nothing or nothing readable. */
  async loadStageOutput(stage: string): Promise<unknown> {
    return readJson(join(this.dir, "stage_outputs", `${stage}.json`));
  }

  /** Error details by iteration, ascending. */
  async loadErrorLogs(): Promise<{ iteration: number; value: unknown }[]> {
    const names = await readdir(join(this.dir, "error_logs")).catch(() => [] as string[]);
    const logs: { iteration: number; value: unknown }[] = [];
    for (const name of names) {
      const match = /^iteration_(\d+)\.json$/.exec(name);
      if (match === null) continue;
      logs.push({
        iteration: Number(match[1]),
        value: await readJson(join(this.dir, "error_logs", name)),
      });
    }
    return logs.sort((a, b) => a.iteration - b.iteration);
  }

  get journalPath(): string {
    return join(this.dir, "journal.jsonl");
  }

  get turnsPath(): string {
    return join(this.dir, "agent_turns.jsonl");
  }
}

/** Write access, held by one process at a time. Keys and passwords are masked in everything written through it. */
export class ItemStore extends ItemStoreReader {
  private readonly lock: FolderLock;
  private readonly journal: AppendLog;
  private readonly retention: Retention;
  private readonly mask: Redact;
  /** When the last checkpoint was flushed. */
  private flushedAt = Number.NEGATIVE_INFINITY;
  /** Written as they come: the model layer masks them before it counts them as stored. */
  readonly turns: TurnFile;

  private constructor(
    cacheDir: string,
    itemId: string,
    retention: Retention,
    lock: FolderLock,
    turns: TurnFile,
    mask: Redact,
  ) {
    super(cacheDir, itemId);
    this.lock = lock;
    this.turns = turns;
    this.retention = retention;
    this.mask = remembering(mask);
    this.journal = new AppendLog(this.journalPath);
  }

  /**
   * Takes the item's lock, repairs what a killed process left and drops what is past its time. Throws kind
   * `usage` when another process works on the item, kind `store` when the folder cannot be used.
   */
  static async open(
    cacheDir: string,
    itemId: string,
    retention: Retention,
    mask: Redact = (text) => text,
  ): Promise<ItemStore> {
    checkId(itemId);
    await checkStoreFormat(cacheDir);
    const dir = join(cacheDir, itemId);
    const lock = await takeLock(join(dir, "lock"), `item ${itemId}`);
    try {
      const turns = await TurnFile.open(join(dir, "agent_turns.jsonl"));
      const store = new ItemStore(cacheDir, itemId, retention, lock, turns, mask);
      const folders = [dir, join(dir, "stage_outputs"), join(dir, "error_logs")];
      await Promise.all([
        ...folders.map(removeLeftovers),
        store.checkpoints.dropOldHours(retention.keepHours),
      ]);
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
    const flush = last || performance.now() - this.flushedAt > FLUSH_EVERY_MS;
    if (flush) await this.journal.flush();
    const keep = this.retention.maxCheckpointsPerHour;
    const id = await this.checkpoints.save(stage, redactDeep(state, this.mask), keep, { flush });
    if (flush) this.flushedAt = performance.now();
    return id;
  }

  /** For people and reports; nothing that goes on needs it. A power cut may take it. */
  async saveStageOutput(stage: string, output: unknown): Promise<void> {
    await this.saveView(join("stage_outputs", `${stage}.json`), output);
  }

  /** As `saveStageOutput`. */
  async saveErrorLog(iteration: number, output: unknown): Promise<void> {
    await this.saveView(join("error_logs", `iteration_${iteration}.json`), output);
  }

  private async saveView(name: string, output: unknown): Promise<void> {
    await writeFileAtomic(join(this.dir, name), toText(redactDeep(output, this.mask)), { flush: false });
  }

  /** Forgets error logs of an earlier run, so that iterations of two runs never stand side by side. */
  async clearErrorLogs(): Promise<void> {
    await rm(join(this.dir, "error_logs"), { recursive: true, force: true });
  }

  /** One event into the journal. Throws kind `store`. */
  record(event: Event): void {
    this.journal.append(redactDeep(event, this.mask));
  }

  /** Keeps only the latest checkpoint (`cache.cleanup_on_success`). */
  async dropHistory(): Promise<void> {
    await rm(join(this.dir, "hourly"), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    this.journal.close();
    this.turns.close();
    await this.lock.release();
  }
}

/** Ids of all items under the cache folder, sorted. */
export async function listItems(cacheDir: string): Promise<string[]> {
  await checkStoreFormat(cacheDir, false);
  let entries: string[];
  try {
    entries = await readdir(cacheDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw storeError(error, cacheDir);
  }
  const ids: string[] = [];
  for (const name of entries.sort()) {
    if (name.startsWith("@")) continue;
    if (await exists(join(cacheDir, name, "checkpoint_latest.json"))) ids.push(name);
  }
  return ids;
}

/** Throws kind `store` for a folder of a newer program; marks a new folder with the format of this one. */
export async function checkStoreFormat(cacheDir: string, create = true): Promise<void> {
  const path = join(cacheDir, STORE_FILE);
  const found = (await readJson(path)) as { format?: unknown } | undefined;
  refuseNewer(found?.format, path);
  if (found !== undefined || !create) return;
  try {
    await mkdir(cacheDir, { recursive: true });
  } catch (error) {
    throw storeError(error, cacheDir);
  }
  await writeFileAtomic(path, toText({ format: STORE_FORMAT }));
}

/** Masked texts by the function that masks: shared by the items of a run, dropped with it. */
const masked = new WeakMap<Redact, { texts: Map<string, string>; chars: number }>();
const MAX_REMEMBERED_CHARS = 8_000_000;

/** The same texts come up in every checkpoint and event; each is looked through once. */
function remembering(mask: Redact): Redact {
  const memory = masked.get(mask) ?? { texts: new Map<string, string>(), chars: 0 };
  masked.set(mask, memory);
  return (text) => {
    const known = memory.texts.get(text);
    if (known !== undefined) return known;
    const result = mask(text);
    if (memory.chars + text.length > MAX_REMEMBERED_CHARS) {
      memory.texts.clear();
      memory.chars = 0;
    }
    memory.texts.set(text, result);
    memory.chars += text.length;
    return result;
  };
}

async function readJson(path: string): Promise<unknown> {
  const text = await readTextIfAny(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a damaged view is made again; nothing but checkpoints is needed to go on
  }
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
