// Takes the lock of a run and moves a directory of store format 1 (`<id>/`) to `<loop>/<id>/`. The move is a rename under
// the lock that programs of format 1 use, and the lock moves with it: a run in use is not moved, and a process killed at
// any moment leaves the directory complete, at the old location or the new one.
import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AtomsmithError } from "../core/errors.ts";
import { STORE_FORMAT_1_LOOP } from "../core/version.ts";
import { storeError, syncFolder } from "./atomic.ts";
import type { RunRef } from "./checkpoints.ts";
import { isRunFolder, LOCK_FILE, legacyFolders, parkedFolder, runFolder } from "./layout.ts";
import { type ProcessLock, takeLock, takeLockIfFolder } from "./lock.ts";
import type { Lease } from "./types.ts";

/** Takes the lock of a run, moving its directory if needed. Throws kind `usage` when another process holds it. */
export async function lockRun(cacheDir: string, run: RunRef, lease?: Lease): Promise<ProcessLock> {
  await clearLoopFolder(cacheDir, STORE_FORMAT_1_LOOP);
  await clearLoopFolder(cacheDir, run.loop);
  return (
    (await migrate(cacheDir, run)) ??
    takeLock(join(runFolder(cacheDir, run), LOCK_FILE), `${run.loop} ${run.id}`, { lease })
  );
}

/** Moves a format 1 run away whose id is the name of a loop and which occupies the directory of that loop. */
async function clearLoopFolder(cacheDir: string, loop: string): Promise<void> {
  if (!isRunFolder(join(cacheDir, loop))) return;
  const lock = await migrate(cacheDir, { loop: STORE_FORMAT_1_LOOP, id: loop });
  await lock?.release();
}

/** Moves a run and returns its lock; undefined when there was nothing to move. If the run exists in both layouts (an
 * older program was used after the move), the new one is used and the old directory is left alone. */
async function migrate(cacheDir: string, run: RunRef): Promise<ProcessLock | undefined> {
  const target = runFolder(cacheDir, run);
  for (const source of legacyFolders(cacheDir, run)) {
    if (!isRunFolder(source) || isRunFolder(target)) continue;
    const lock = await takeLockIfFolder(join(source, LOCK_FILE), `${run.loop} ${run.id}`);
    if (lock === undefined) continue; // another process has just moved it
    try {
      // Another process may have moved it since, so that this is now the directory of the loop.
      if (!isRunFolder(source)) {
        await lock.release();
        continue;
      }
      await move(cacheDir, source, target);
      lock.setPath(join(target, LOCK_FILE));
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
    // A directory cannot be moved into itself.
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
  return new AtomsmithError("store", `cannot move ${source} to ${target}: the target exists`, {
    where: target,
    hint: `move ${target} out of the way and run this again`,
    cause: error,
  });
}
