// The layout of the cache directory: `<loop>/<id>/`. Directories of store format 1, `<id>/`, can be read in place;
// `migrate.ts` moves one when it is first opened for writing.
import { existsSync, lstatSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { STORE_FORMAT, STORE_FORMAT_1_LOOP } from "../core/version.ts";
import { readTextIfAny, storeError, writeFileAtomic } from "./atomic.ts";
import { type RunRef, refuseNewer } from "./checkpoints.ts";

/** Marks the cache directory with its format; `@` cannot occur in the id of a run. */
const STORE_FILE = "@store.json";

/** Temporary name of a format 1 run whose id is the name of its loop, while it is moved below itself. */
const PARKED = "@moving";

export const LOCK_FILE = "lock";
const LATEST = "checkpoint_latest.json";

/** Files that identify the directory of a run. The lock is not one of them: during a concurrent move a process may
 * briefly hold a lock in the directory of a loop (see `migrate.ts`). */
const RUN_FILES = [LATEST, "journal.jsonl", "agent_turns.jsonl"];

/** Whether a name in the directory of a run is a file or directory of the store. */
export function isStoreFile(name: string): boolean {
  return name === LATEST || name === "hourly" || name.startsWith(LOCK_FILE) || name.endsWith(".jsonl");
}

/** The directory of a run in the current layout. */
export function runFolder(cacheDir: string, run: RunRef): string {
  return join(cacheDir, run.loop, run.id);
}

/** The directory where a run is stored at present, in the current or an older layout. */
export function storedFolder(cacheDir: string, run: RunRef): string {
  const folder = runFolder(cacheDir, run);
  return [folder, ...legacyFolders(cacheDir, run)].find(isRunFolder) ?? folder;
}

/** Where a run may be in an older layout, or after a move that was killed half-way. */
export function legacyFolders(cacheDir: string, run: RunRef): string[] {
  if (run.loop !== STORE_FORMAT_1_LOOP) return [];
  return [...(run.id === run.loop ? [parkedFolder(cacheDir)] : []), join(cacheDir, run.id)];
}

export function parkedFolder(cacheDir: string): string {
  return join(cacheDir, PARKED);
}

/** True for the directory of a run, false for that of a loop. */
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
    const legacyId = name === PARKED ? STORE_FORMAT_1_LOOP : name;
    add({ loop: STORE_FORMAT_1_LOOP, id: legacyId }, folder);
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

/** The format of the store; undefined when it is not marked. Throws kind `store` for a newer one. */
async function readFormat(cacheDir: string): Promise<number | undefined> {
  const path = join(cacheDir, STORE_FILE);
  const format = ((await readJson(path)) as { format?: unknown } | undefined)?.format;
  refuseNewer(format, path);
  return typeof format === "number" ? format : undefined;
}

/** Marks the directory with the current format, so that older programs refuse to use it. Throws kind `store` for a
 * store of a newer program. */
export async function prepareStore(cacheDir: string): Promise<void> {
  if ((await readFormat(cacheDir)) === STORE_FORMAT) return;
  try {
    await mkdir(cacheDir, { recursive: true });
  } catch (error) {
    throw storeError(error, cacheDir);
  }
  await writeFileAtomic(join(cacheDir, STORE_FILE), jsonText({ format: STORE_FORMAT }));
}

/** Reads a JSON document; undefined when it is missing or unreadable, in which case it is written again. */
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
