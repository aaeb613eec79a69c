// Takes the lock of a run, and moves a folder of store format 1 (`<id>/`) to its place (`<loop>/<id>/`). The move is a
// rename under the lock that programs of format 1 take, and that lock moves along: a process that holds it is left
// alone, and one that is killed at any moment leaves the folder whole, at the old place or at the new one.
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AtomsmithError } from "../core/errors.ts";
import { STORE_FORMAT_1_LOOP } from "../core/version.ts";
import { storeError, syncFolder } from "./atomic.ts";
import type { RunRef } from "./checkpoints.ts";
import { formerFolders, isRunFolder, LOCK_FILE, parkedFolder, runFolder } from "./layout.ts";
import { type ProcessLock, takeLock, takeLockIfFolder } from "./lock.ts";

/** The run's lock, with its folder in place. Throws kind `usage` when another process holds it. */
export async function lockRun(cacheDir: string, run: RunRef): Promise<ProcessLock> {
  await clearLoopFolder(cacheDir, STORE_FORMAT_1_LOOP);
  await clearLoopFolder(cacheDir, run.loop);
  return (
    (await migrate(cacheDir, run)) ??
    takeLock(join(runFolder(cacheDir, run), LOCK_FILE), `${run.loop} ${run.id}`)
  );
}

/** A former run may have the name of a loop and stand where the loop's folder has to be. */
async function clearLoopFolder(cacheDir: string, loop: string): Promise<void> {
  if (!isRunFolder(join(cacheDir, loop))) return;
  const lock = await migrate(cacheDir, { loop: STORE_FORMAT_1_LOOP, id: loop });
  await lock?.release();
}

/** The lock of a run that was moved; undefined when there was nothing to move. A run that stands at both places (an
 * older program was at work while this one began) is the new one: the old folder stays as it is. */
async function migrate(cacheDir: string, run: RunRef): Promise<ProcessLock | undefined> {
  const target = runFolder(cacheDir, run);
  for (const source of formerFolders(cacheDir, run)) {
    if (!isRunFolder(source) || isRunFolder(target)) continue;
    const lock = await takeLockIfFolder(join(source, LOCK_FILE), `${run.loop} ${run.id}`);
    if (lock === undefined) continue; // another process has just moved it
    try {
      // Another process may have moved it since, and the loop's folder may stand in its place.
      if (!isRunFolder(source)) {
        await lock.release();
        continue;
      }
      await move(cacheDir, source, target);
      lock.moved(join(target, LOCK_FILE));
      return lock;
    } catch (error) {
      await lock.release();
      throw moveError(error, source, target);
    }
  }
  return undefined;
}

async function move(cacheDir: string, source: string, target: string): Promise<void> {
  let from = source;
  if (dirname(target) === source) {
    // A folder cannot be moved into itself.
    from = parkedFolder(cacheDir);
    await rename(source, from);
  }
  await mkdir(dirname(target), { recursive: true });
  await rename(from, target);
  await syncFolder(dirname(target));
  await syncFolder(cacheDir);
}

function moveError(error: unknown, source: string, target: string): AtomsmithError {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOTDIR") return storeError(error, source);
  return new AtomsmithError("store", `cannot move ${source} to ${target}: something else stands there`, {
    where: target,
    hint: `move ${target} out of the way and run this again`,
    cause: error,
  });
}
