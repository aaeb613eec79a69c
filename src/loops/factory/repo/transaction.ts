// The change of one attempt: written under a marker, and either rolled back or accepted. The marker is on disk before
// the work tree changes.
import { copyFile, mkdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sha256 } from "../../../core/hash.ts";
import { storeError, writeFileAtomic, writeFilesAtomic } from "../../../store/atomic.ts";
import type { RunSummary } from "../schemas.ts";
import { moveBranch, repairIndex, setIndex } from "./branch.ts";
import { restoreGuarded } from "./guard.ts";
import {
  clearState,
  keptPath,
  type Marker,
  type Origin,
  withIndexLock,
  writeMarker,
  writeOrigin,
} from "./marker.ts";
import type { Repository } from "./repository.ts";
import { rollBack, sweep } from "./rollback.ts";
import { bytesOf, type Change, differences, inCacheFolder, type Snapshot, takeSnapshot } from "./snapshot.ts";

export interface PlannedWrite {
  /** Relative to the root, links of folders resolved. */
  path: string;
  content: string;
}

/** The run that makes the change. */
export type Purpose = Pick<Marker, "run_id" | "run_dir" | "work_order_hash" | "config_hash" | "baseline">;

export class Transaction {
  private readonly repository: Repository;
  private readonly origin: Origin;
  private readonly purpose: Purpose;
  private marker: Marker | undefined;
  private originStored = false;
  private accepted = false;

  constructor(repository: Repository, origin: Origin, purpose: Purpose) {
    this.repository = repository;
    this.origin = origin;
    this.purpose = purpose;
  }

  /** Whether there are changes that are neither accepted nor rolled back. */
  get isOpen(): boolean {
    return this.marker !== undefined;
  }

  /** Whether the change is accepted; it is never rolled back then. */
  get isAccepted(): boolean {
    return this.accepted;
  }

  /** The written files. */
  get paths(): string[] {
    return this.marker?.writes.map(({ path }) => path) ?? [];
  }

  /** Writes files atomically and keeps their modes. Throws kind `store`; the caller then rolls back. */
  async write(writes: readonly PlannedWrite[]): Promise<void> {
    const { root } = this.repository;
    if (!this.originStored) await writeOrigin(this.repository, this.origin);
    this.originStored = true;
    this.marker = {
      format: 1,
      ...this.purpose,
      writes: writes.map(({ path, content }) => ({ path, sha256: sha256(content) })),
      kept: await this.keepIgnored(writes),
      passed: null,
    };
    await writeMarker(this.repository, this.marker);
    const files = await Promise.all(
      writes.map(async ({ path, content }) => {
        const info = await stat(join(root, path)).catch(() => undefined);
        return { path: join(root, path), data: content, ...(info ? { mode: info.mode & 0o7777 } : {}) };
      }),
    );
    await writeFilesAtomic(files);
  }

  /** Restores files of the git folder that commands changed; returns their paths. */
  restoreGitFolder(): Promise<string[]> {
    return restoreGuarded(this.repository, this.origin.guard);
  }

  /** Differences from the baseline outside the written files, and written files that changed since. Repairs the index if
   * commands damaged it. */
  async drift(): Promise<{ changes: Change[]; now: Snapshot }> {
    const { root, git } = this.repository;
    await withIndexLock(this.repository, () => repairIndex(this.repository, this.purpose.baseline));
    const now = takeSnapshot(root, this.origin.snapshot);
    const written = new Map(this.marker?.writes.map(({ path, sha256 }) => [bytesOf(path), sha256]));
    const changes = differences(this.origin.snapshot, now).filter(
      ({ path }) => now.get(path)?.kind !== "folder" && !written.has(path),
    );
    for (const [path, hash] of written) {
      const is = now.get(path);
      if (is === undefined) changes.push({ path, change: "deleted" });
      else if (is.kind !== "file" || is.content !== hash) changes.push({ path, change: "modified" });
    }
    const untracked = await git.list(["ls-files", "-z", "--others", "--exclude-standard"]);
    changes.push(...untracked.filter(inCacheFolder).map((path) => ({ path, change: "added" as const })));
    changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    return { changes, now };
  }

  /** Removes all changes that are not in the commit. Ignored files of the user are kept as commands left them. */
  async removeDrift(commit: string): Promise<void> {
    const { root, git } = this.repository;
    const { snapshot } = this.origin;
    await withIndexLock(this.repository, async () => {
      await git.run(["read-tree", "--reset", "-u", commit]);
      await git.run(["clean", "-fd", "--quiet"]);
    });
    const expected: Snapshot = new Map(snapshot);
    const now = takeSnapshot(root, snapshot);
    for (const { path } of this.marker?.writes ?? []) withFolders(bytesOf(path), now, expected);
    await sweep(root, expected);
  }

  /** Rolls back. Returns ignored files of the user that could not be restored. Throws kind `store` if a tracked file could
   * not be restored; the marker is kept then. */
  async rollBack(): Promise<Change[]> {
    if (this.marker === undefined) return [];
    const left = await rollBack(this.repository, this.marker, this.origin);
    this.marker = undefined;
    this.originStored = false;
    return left;
  }

  /** Marks the change as accepted: from here on it is only completed, by this process or the next. */
  async accept(summary: RunSummary, commit: { id: string; branch: string } | null): Promise<void> {
    if (this.marker === undefined) throw new Error("nothing was written");
    const marker: Marker = { ...this.marker, passed: { summary, commit } };
    await writeMarker(this.repository, marker);
    this.accepted = true;
    await finishAccepted(this.repository, marker);
    this.marker = undefined;
  }

  /** Copies ignored files before they are overwritten: git has no copy of them. */
  private async keepIgnored(writes: readonly PlannedWrite[]): Promise<Marker["kept"]> {
    const kept: Marker["kept"] = [];
    for (const [index, { path }] of writes.entries()) {
      const at = join(this.repository.root, path);
      const info = await stat(at).catch(() => undefined);
      if (info === undefined || this.origin.tracked.has(bytesOf(path))) continue;
      const copy = keptPath(this.repository, String(index));
      try {
        await mkdir(dirname(copy), { recursive: true });
        await copyFile(at, copy);
      } catch (error) {
        throw storeError(error, copy);
      }
      kept.push({ path, copy: String(index), mode: info.mode & 0o7777 });
    }
    return kept;
  }
}

/** Copies a path and its parent folders from one snapshot to another. */
function withFolders(path: string, from: Snapshot, to: Snapshot): void {
  const parts = path.split("/");
  for (let length = 1; length <= parts.length; length += 1) {
    const part = parts.slice(0, length).join("/");
    const entry = from.get(part);
    if (entry) to.set(part, entry);
    else to.delete(part);
  }
}

/** The last steps of an accepted change: branch, summary, marker. Idempotent. If HEAD was moved meanwhile, the branch is
 * created and HEAD is not changed. */
export async function finishAccepted(repository: Repository, marker: Marker): Promise<void> {
  if (marker.passed === null) return;
  const { commit, summary } = marker.passed;
  const { git } = repository;
  const head = (await git.read(["rev-parse", "HEAD"])).text;
  await withIndexLock(repository, async () => {
    if (commit && [marker.baseline, commit.id].includes(head))
      await moveBranch(repository, commit.branch, commit.id);
    else if (commit) await git.run(["update-ref", `refs/heads/${commit.branch}`, commit.id]);
    else if (head === marker.baseline) await setIndex(repository, marker.baseline);
  });
  await writeFileAtomic(join(marker.run_dir, "run_summary.json"), `${JSON.stringify(summary, null, 2)}\n`);
  await clearState(repository);
}
