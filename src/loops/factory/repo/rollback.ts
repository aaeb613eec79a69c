// Restores the baseline: `git reset --hard`, `git clean -fd`, then ignored files that the run changed, then a comparison
// of all contents with the baseline. `clean -x` is never used: ignored files belong to the user.
import { chmod, copyFile, lstat, mkdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AtomsmithError, toAtomsmithError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { writeFileAtomic } from "../../../store/atomic.ts";
import { repairIndex } from "./branch.ts";
import { restoreGuarded } from "./guard.ts";
import {
  clearOwnIndexLock,
  clearState,
  keptPath,
  type Marker,
  markerPath,
  type Origin,
  readMarker,
  readOrigin,
  withIndexLock,
} from "./marker.ts";
import { type Repository, refuseLock, untrackedInCaches } from "./repository.ts";
import { type Change, differences, diskPath, type Snapshot, takeSnapshot, textOf } from "./snapshot.ts";

/** Restores the work tree and removes the marker. Returns the files that could not be restored: ignored files of the user
 * that commands changed. Throws kind `store` with a repair command on failure; the marker is kept then. */
export async function rollBack(repository: Repository, marker: Marker, origin: Origin): Promise<Change[]> {
  try {
    return await bringBack(repository, marker, origin);
  } catch (error) {
    throw new AtomsmithError("store", `the rollback failed: ${toAtomsmithError(error).message}`, {
      where: repository.root,
      hint: mendingHint(repository, marker),
      cause: error,
    });
  }
}

async function bringBack(repository: Repository, marker: Marker, origin: Origin): Promise<Change[]> {
  const { root, git } = repository;
  await restoreGuarded(repository, origin.guard);
  await withIndexLock(repository, async () => {
    await repairIndex(repository, marker.baseline);
    await git.run(["reset", "--hard", "--quiet", marker.baseline]);
    await git.run(["clean", "-fd", "--quiet"]);
  });
  for (const { path, copy, mode } of marker.kept) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await rm(join(root, path), { recursive: true, force: true });
    await copyFile(keptPath(repository, copy), join(root, path));
    await chmod(join(root, path), mode);
  }
  const left = await sweep(root, origin.snapshot);
  const broken = left.filter(({ path }) => origin.tracked.has(path));
  if (broken.length > 0) {
    const names = broken.slice(0, 5).map(({ path }) => textOf(path));
    throw new AtomsmithError("store", `these files could not be restored: ${names.join(", ")}`);
  }
  await clearState(repository);
  return left;
}

/** The commands that finish a failed rollback. */
function mendingHint({ root, stateDir }: Repository, { baseline }: Marker): string {
  return `git -C ${root} reset --hard ${baseline} && git -C ${root} clean -fd && rm ${markerPath(stateDir)}`;
}

/** Removes new entries and restores folders and modes. Returns the remaining differences. */
export async function sweep(root: string, snapshot: Snapshot): Promise<Change[]> {
  const changes = differences(snapshot, takeSnapshot(root, snapshot));
  if (changes.length === 0) return [];
  for (const { path, change } of changes) {
    const original = snapshot.get(path);
    const at = diskPath(root, path);
    if (change === "added") await rm(at as string, { recursive: true, force: true });
    else if (original?.kind === "folder") await mkdir(at, { recursive: true, mode: original.mode });
    else if (change === "mode" && original) await chmod(at, original.mode);
  }
  return differences(snapshot, takeSnapshot(root, snapshot));
}

/** The unfinished state of an earlier run, if any. */
export type Recovered =
  | { found: "nothing" }
  | { found: "rolled_back"; runId: string; rescued: string | null }
  | { found: "passed"; marker: Marker };

/**
 * Finishes or rolls back a killed run, under the lock of the repository. Changes that are not the run's own are saved
 * below its folder first. Throws kind `usage` if HEAD moved since that run began: then nothing is changed.
 */
export async function recover(repository: Repository): Promise<Recovered> {
  const marker = await readMarker(repository);
  await clearOwnIndexLock(repository);
  if (marker === undefined) {
    await clearState(repository);
    return { found: "nothing" };
  }
  if (marker.passed) return { found: "passed", marker };
  await refuseLock(repository);
  const head = await repository.git.read(["rev-parse", "HEAD"]);
  if (head.text !== marker.baseline) {
    throw new AtomsmithError(
      "usage",
      `run ${marker.run_id} was interrupted at ${marker.baseline.slice(0, 12)}, but HEAD is now ${head.text.slice(0, 12)}: nothing was rolled back`,
      {
        where: repository.root,
        hint: `check the work tree with git status, then remove ${markerPath(repository.stateDir)}`,
      },
    );
  }
  const origin = await readOrigin(repository);
  await withIndexLock(repository, () => repairIndex(repository, marker.baseline));
  const rescued = await rescue(repository, marker, origin);
  await rollBack(repository, marker, origin);
  return { found: "rolled_back", runId: marker.run_id, rescued };
}

/** Saves all differences from the baseline that the run did not write. Returns the folder, or null if there are none. */
async function rescue(repository: Repository, marker: Marker, origin: Origin): Promise<string | null> {
  const { root, git } = repository;
  const folder = join(marker.run_dir, "rescued");
  const now = takeSnapshot(root, origin.snapshot);
  const changed = differences(origin.snapshot, now).filter(({ change }) => change !== "deleted");
  const paths = [...changed.map(({ path }) => path), ...(await untrackedInCaches(git))];
  let saved = false;
  for (const path of paths) {
    if (now.get(path)?.kind === "folder" || (await isOwnWrite(root, path, marker))) continue;
    const target = join(folder, textOf(path));
    await mkdir(dirname(target), { recursive: true });
    await saveCopy(diskPath(root, path), target);
    saved = true;
  }
  const staged = await git.read([
    "diff",
    "--cached",
    "--binary",
    "--no-ext-diff",
    "--no-textconv",
    marker.baseline,
  ]);
  if (staged.stdout.byteLength > 0) {
    await writeFileAtomic(join(folder, "staged.patch"), staged.stdout);
    saved = true;
  }
  return saved ? folder : null;
}

async function saveCopy(from: string | Buffer, to: string): Promise<void> {
  const info = await lstat(from);
  if (info.isFile()) await copyFile(from, to);
  else if (info.isSymbolicLink()) await writeFile(to, `symbolic link to ${await readlink(from)}\n`);
}

async function isOwnWrite(root: string, path: string, marker: Marker): Promise<boolean> {
  const text = textOf(path);
  const own = marker.writes.find((write) => write.path === text || isTemporary(text, write.path));
  if (own === undefined) return false;
  if (own.path !== text) return true;
  const bytes = await readFile(join(root, text)).catch(() => undefined);
  return bytes !== undefined && sha256(bytes) === own.sha256;
}

/** Whether a file is the temporary file of a written one. */
function isTemporary(path: string, written: string): boolean {
  const slash = written.lastIndexOf("/") + 1;
  return path.startsWith(`${written.slice(0, slash)}.${written.slice(slash)}.atomsmith-tmp-`);
}
