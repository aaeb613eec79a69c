// Where runs stand in the cache folder: `<loop>/<id>/`. Folders of store format 1, `<id>/`, are found and read where
// they are; `migrate.ts` moves one when it is first opened for writing.
import { existsSync, lstatSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { STORE_FORMAT, STORE_FORMAT_1_LOOP } from "../core/version.ts";
import { readTextIfAny, storeError, writeFileAtomic } from "./atomic.ts";
import { type RunRef, refuseNewer } from "./checkpoints.ts";

/** Name that no run can have (`@` is in no id): the mark of the whole cache folder. */
const STORE_FILE = "@store.json";

/** Where a former run with the name of its own loop waits while it is moved below itself. */
const PARKED = "@moving";

export const LOCK_FILE = "lock";
const LATEST = "checkpoint_latest.json";

/** Files that stand directly in a run's folder and never in a loop's. The lock is none of them: a process that meets
 * another one's move may take a lock in a loop's folder for a moment (see `migrate.ts`). */
const RUN_FILES = [LATEST, "journal.jsonl", "agent_turns.jsonl"];

/** The folder of a run in the layout of this program. */
export function runFolder(cacheDir: string, run: RunRef): string {
  return join(cacheDir, run.loop, run.id);
}

/** The folder that a run is stored in now: its own, or the one of an older layout. */
export function storedFolder(cacheDir: string, run: RunRef): string {
  const folder = runFolder(cacheDir, run);
  return [folder, ...formerFolders(cacheDir, run)].find(isRunFolder) ?? folder;
}

/** Where an older layout, or a move out of it that was killed half-way, has a run. */
export function formerFolders(cacheDir: string, run: RunRef): string[] {
  if (run.loop !== STORE_FORMAT_1_LOOP) return [];
  return [...(run.id === run.loop ? [parkedFolder(cacheDir)] : []), join(cacheDir, run.id)];
}

export function parkedFolder(cacheDir: string): string {
  return join(cacheDir, PARKED);
}

/** A folder with the files of a run in it, and not the folder of a loop. */
export function isRunFolder(folder: string): boolean {
  return RUN_FILES.some((name) => isFile(join(folder, name)));
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw storeError(error, path);
  }
}

/** All runs with a checkpoint, or those of one loop, sorted by loop and id. */
export async function listRuns(cacheDir: string, loop?: string): Promise<RunRef[]> {
  await readFormat(cacheDir);
  const found = new Map<string, RunRef>();
  const add = (run: RunRef, folder: string): void => {
    if ((loop === undefined || run.loop === loop) && existsSync(join(folder, LATEST))) {
      found.set(`${run.loop}/${run.id}`, run);
    }
  };
  for (const name of await namesIn(cacheDir)) {
    const folder = join(cacheDir, name);
    if (name.startsWith("@") && name !== PARKED) continue;
    const former = name === PARKED ? STORE_FORMAT_1_LOOP : name;
    add({ loop: STORE_FORMAT_1_LOOP, id: former }, folder);
    if (name === PARKED || isRunFolder(folder)) continue;
    for (const id of await namesIn(folder)) add({ loop: name, id }, join(folder, id));
  }
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...found.values()].sort((a, b) => order(a.loop, b.loop) || order(a.id, b.id));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw storeError(error, folder);
  }
}

/** Throws kind `store` for a folder of a newer program. Undefined when the folder does not say. */
async function readFormat(cacheDir: string): Promise<number | undefined> {
  const path = join(cacheDir, STORE_FILE);
  const format = ((await readJson(path)) as { format?: unknown } | undefined)?.format;
  refuseNewer(format, path);
  return typeof format === "number" ? format : undefined;
}

/** Marks the folder with the format of this program, so that an older one leaves it alone from now on. Throws kind
 * `store` for a folder of a newer program. */
export async function prepareStore(cacheDir: string): Promise<void> {
  if ((await readFormat(cacheDir)) === STORE_FORMAT) return;
  try {
    await mkdir(cacheDir, { recursive: true });
  } catch (error) {
    throw storeError(error, cacheDir);
  }
  await writeFileAtomic(join(cacheDir, STORE_FILE), jsonText({ format: STORE_FORMAT }));
}

/** A document, or undefined when there is none that can be read: such a file is made again. */
export async function readJson(path: string): Promise<unknown> {
  const text = await readTextIfAny(path);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
