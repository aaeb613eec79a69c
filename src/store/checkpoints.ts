// Checkpoints of one run: `checkpoint_latest.json` and `hourly/YYYYMMDDHH/checkpoint_HHMMSS[-n].json`, in UTC.
// The state inside is opaque here; the loop that owns it validates it.
import { link, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AtomsmithError } from "../core/errors.ts";
import { STORE_FORMAT, VERSION } from "../core/version.ts";
import { readTextIfAny, storeError, writeFileAtomic } from "./atomic.ts";

const checkpointSchema = z.object({
  format: z.number().int(),
  id: z.string(),
  at: z.string(),
  program_version: z.string(),
  /** The owner of the state. Absent in checkpoints of store format 1. */
  loop: z.string().exactOptional(),
  subject: z.string().exactOptional(),
  /** The node that runs next after a resume. */
  stage: z.string(),
  state: z.record(z.string(), z.json()),
});
export type Checkpoint = z.infer<typeof checkpointSchema>;

/** A run of a loop; its directory, lock, events and checkpoints are named after it. */
export interface RunRef {
  loop: string;
  id: string;
}

export interface CheckpointInfo {
  id: string;
  /** Where it is stored, for messages. */
  path: string;
}

const HOUR = /^\d{10}$/;
const FILE = /^checkpoint_(\d{6})(?:-(\d+))?\.json$/;

export class Checkpoints {
  private readonly latest: string;
  private readonly hourly: string;
  private readonly run: RunRef;
  /** Ids of the hour written last, oldest first; cached, since only one process writes. */
  private written: { hour: string; ids: string[] } | undefined;

  constructor(dir: string, run: RunRef) {
    this.latest = join(dir, "checkpoint_latest.json");
    this.hourly = join(dir, "hourly");
    this.run = run;
  }

  /** Writes one checkpoint, makes it the latest, and deletes the oldest of its hour beyond `keepPerHour`. Without a
   * flush nothing is deleted: after a power failure an earlier, flushed checkpoint may be needed. */
  async save(
    stage: string,
    state: Checkpoint["state"],
    keepPerHour: number,
    options: { now?: Date; flush?: boolean } = {},
  ): Promise<string> {
    const { now = new Date(), flush = true } = options;
    const hour = now.toISOString().replace(/[-:T]/g, "").slice(0, 10);
    const folder = join(this.hourly, hour);
    const ids = await this.idsOf(hour);
    const id = checkpointId(now, ids);
    const path = join(folder, `checkpoint_${id.slice(hour.length + 1)}.json`);
    const text = checkpointText(this.run, id, stage, state, now);
    await writeFileAtomic(path, text, { flush });
    ids.push(id);
    await this.linkLatest(path, text);
    if (flush) await this.trimHour(folder, ids, keepPerHour);
    return id;
  }

  private async idsOf(hour: string): Promise<string[]> {
    if (this.written?.hour !== hour) {
      const ids = (await this.list()).map((entry) => entry.id).filter((id) => id.startsWith(`${hour}_`));
      this.written = { hour, ids };
    }
    return this.written.ids;
  }

  /** Hard-links the latest checkpoint to the hourly one, so that the two cannot differ. */
  private async linkLatest(path: string, text: string): Promise<void> {
    const temp = `${this.latest}.atomsmith-tmp-${process.pid}`;
    try {
      await link(path, temp).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
        await rm(temp, { force: true });
        await link(path, temp);
      });
      await rename(temp, this.latest);
    } catch {
      await writeFileAtomic(this.latest, text); // a file system without hard links
    }
  }

  private async trimHour(folder: string, ids: string[], keep: number): Promise<void> {
    for (const old of ids.splice(0, Math.max(0, ids.length - keep))) {
      await rm(join(folder, `checkpoint_${old.slice(old.indexOf("_") + 1)}.json`), { force: true });
    }
  }

  /** All hourly checkpoints, oldest first. */
  async list(): Promise<CheckpointInfo[]> {
    const found: { key: string; info: CheckpointInfo }[] = [];
    for (const hour of await names(this.hourly)) {
      if (!HOUR.test(hour)) continue;
      for (const name of await names(join(this.hourly, hour))) {
        const match = FILE.exec(name);
        if (match === null) continue;
        const [, second = "", n = "0"] = match;
        const id = `${hour}_${second}${match[2] === undefined ? "" : `-${n}`}`;
        found.push({
          key: `${hour}${second}${n.padStart(9, "0")}`,
          info: { id, path: join(this.hourly, hour, name) },
        });
      }
    }
    return found.sort((a, b) => (a.key < b.key ? -1 : 1)).map((entry) => entry.info);
  }

  /**
   * Loads the checkpoint with this id, or the latest. If the latest is unreadable (a disk fault), the newest readable
   * hourly one is used. Undefined without one. Throws kind `usage` for an unknown id and kind `store` for a
   * checkpoint of a newer program.
   */
  async load(id?: string): Promise<Checkpoint | undefined> {
    if (id !== undefined) {
      const wanted = (await this.list()).find((entry) => entry.id === id);
      const checkpoint = wanted && (await this.read(wanted.path));
      if (checkpoint) return checkpoint;
      throw noCheckpoint(this.run, id, await this.list());
    }
    const latest = await this.read(this.latest);
    if (latest) return latest;
    for (const entry of (await this.list()).reverse()) {
      const checkpoint = await this.read(entry.path);
      if (checkpoint) return checkpoint;
    }
    return undefined;
  }

  private async read(path: string): Promise<Checkpoint | undefined> {
    const text = await readTextIfAny(path);
    return text === undefined ? undefined : parseCheckpoint(text, path);
  }

  /** Deletes the directories of hours before `now - keepHours`. The latest checkpoint always stays. */
  async dropOldHours(keepHours: number, now = new Date()): Promise<string[]> {
    const cutoff = new Date(now.getTime() - keepHours * 3_600_000)
      .toISOString()
      .replace(/[-:T]/g, "")
      .slice(0, 10);
    const old = (await names(this.hourly)).filter((hour) => HOUR.test(hour) && hour < cutoff);
    for (const hour of old) await rm(join(this.hourly, hour), { recursive: true, force: true });
    return old;
  }
}

/** The id of a new checkpoint. A number that was used in this second is not reused, even if its checkpoint was dropped. */
export function checkpointId(now: Date, taken: readonly string[]): string {
  const stamp = now.toISOString().replace(/[-:T]/g, "").slice(0, 14);
  const plain = `${stamp.slice(0, 10)}_${stamp.slice(8)}`;
  const numbers = taken
    .filter((id) => id === plain || id.startsWith(`${plain}-`))
    .map((id) => Number(id.slice(plain.length + 1)));
  return numbers.length === 0 ? plain : `${plain}-${Math.max(...numbers) + 1}`;
}

/** The JSON text of a checkpoint. */
export function checkpointText(
  run: RunRef,
  id: string,
  stage: string,
  state: Checkpoint["state"],
  now: Date,
): string {
  const document: Checkpoint = {
    format: STORE_FORMAT,
    id,
    at: now.toISOString(),
    program_version: VERSION,
    loop: run.loop,
    subject: run.id,
    stage,
    state,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Undefined for a text that is not a checkpoint. Throws kind `store` for one of a newer program. */
export function parseCheckpoint(text: string, where: string): Checkpoint | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  refuseNewer((value as { format?: unknown } | null)?.format, where);
  const parsed = checkpointSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** The error for an unknown checkpoint id. */
export function noCheckpoint(run: RunRef, id: string, known: readonly CheckpointInfo[]): AtomsmithError {
  const ids = known.slice(-10).map((entry) => entry.id);
  return new AtomsmithError("usage", `${run.id} has no readable checkpoint ${id}`, {
    hint: ids.length === 0 ? "it has no checkpoints" : `its checkpoints: ${ids.join(", ")}`,
  });
}

/** Throws kind `store` for a store written by a newer program. */
export function refuseNewer(format: unknown, path: string): void {
  if (typeof format !== "number" || format <= STORE_FORMAT) return;
  throw new AtomsmithError(
    "store",
    `${path} was written by a newer atomsmith (store format ${format}; this program knows ${STORE_FORMAT})`,
    { where: path, hint: "use the newer program, or another --cache directory" },
  );
}

async function names(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw storeError(error, folder);
  }
}
