// Back to the baseline: `git reset --hard`, `git clean -fd`, then what git does not know of, then the proof by content
// that everything is as it was. `clean -x` is never used: ignored files belong to a person.
import { existsSync } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AtomsmithError, toAtomsmithError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { writeFileAtomic } from "../../../store/atomic.ts";
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

/** Brings the work tree back and removes the marker. Returns what git could not bring back: ignored files of a person
 * that commands changed. Throws kind `store`, with the mending command, when it fails; the marker then stays. */
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
    await resetHard(repository, marker.baseline);
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
    throw new AtomsmithError("store", `these files are not as they were: ${names.join(", ")}`);
  }
  await clearState(repository);
  return left;
}

/** `git reset --hard`. An index that commands damaged is rebuilt: it holds nothing that the baseline does not. */
async function resetHard({ git, gitDir }: Repository, baseline: string): Promise<void> {
  const args = ["reset", "--hard", "--quiet", baseline];
  try {
    await git.run(args);
  } catch (error) {
    if (existsSync(join(gitDir, "index.lock"))) throw error;
    await rm(join(gitDir, "index"), { force: true });
    await git.run(args);
  }
}

/** The commands by which a person finishes a rollback that failed. */
function mendingHint({ root, stateDir }: Repository, { baseline }: Marker): string {
  return `git -C ${root} reset --hard ${baseline} && git -C ${root} clean -fd && rm ${markerPath(stateDir)}`;
}

/** Removes what was not there, makes folders and modes as they were. Returns what is different all the same. */
export async function sweep(root: string, snapshot: Snapshot): Promise<Change[]> {
  const found = differences(snapshot, takeSnapshot(root, snapshot));
  if (found.length === 0) return [];
  for (const { path, change } of found) {
    const was = snapshot.get(path);
    const at = diskPath(root, path);
    if (change === "added") await rm(at as string, { recursive: true, force: true });
    else if (was?.kind === "folder") await mkdir(at, { recursive: true, mode: was.mode });
    else if (change === "mode" && was) await chmod(at, was.mode);
  }
  return differences(snapshot, takeSnapshot(root, snapshot));
}

/** What was found of an earlier run. */
export type Recovered =
  | { found: "nothing" }
  | { found: "rolled_back"; runId: string; rescued: string | null }
  | { found: "passed"; marker: Marker };

/**
 * Ends what a killed run left behind, under the lock of the repository. Changes that are not the run's own are saved
 * below its folder first. Throws kind `usage` when HEAD is not where that run began: then nothing is done.
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
      `run ${marker.run_id} was interrupted at ${marker.baseline.slice(0, 12)}, and HEAD is now ${head.text.slice(0, 12)}: nothing was rolled back`,
      {
        where: repository.root,
        hint: `look at git status; when the work tree is as you want it, remove ${markerPath(repository.stateDir)}`,
      },
    );
  }
  const origin = await readOrigin(repository);
  const rescued = await rescue(repository, marker, origin);
  await rollBack(repository, marker, origin);
  return { found: "rolled_back", runId: marker.run_id, rescued };
}

/** Saves whatever differs from the baseline and was not written by the run. Returns the folder, null when there was
 * nothing. */
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

/** A temporary file that stands beside a file being written. */
function isTemporary(path: string, written: string): boolean {
  const slash = written.lastIndexOf("/") + 1;
  return path.startsWith(`${written.slice(0, slash)}.${written.slice(slash)}.atomsmith-tmp-`);
}
