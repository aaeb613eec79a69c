// Writer of `output/<ITEM_ID>/`. An accepted set stays until a new one is accepted; results that need review go to
// `pending/` below it. Without an accepted set, the folder contains safe stubs and the last attempt. The manifest is
// written last: a crash leaves the old set, the new one, or one that `check` rejects, but never a mixture that
// verifies.
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ATOM_FILES, ATOM_PARTS, type AtomSources } from "../../contract/atoms.ts";
import type { GivenWaiver, Manifest } from "../../contract/manifest.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { sha256 } from "../../core/hash.ts";
import { allFiles } from "../../files/all-files.ts";
import {
  MANIFEST_FILE,
  PENDING_DIR,
  REPORT_FILES,
  readAtomSources,
  verifyAtomSetSync,
} from "../../runtime/atom-set.ts";
import {
  checkId,
  closedError,
  exists,
  type FileToWrite,
  type Lease,
  type ProcessLock,
  removeLeftovers,
  storeError,
  takeLock,
  writeFilesAtomic,
} from "../../store/index.ts";
import {
  ATTEMPT_FILE,
  type Attempt,
  hashesOf,
  matchesNotes,
  setEditedAttemptAside,
  writeAttempt,
} from "./attempt-dir.ts";
import { SAFE_STUBS } from "./stubs.ts";

/** Fields of the manifest that the caller provides; this module adds the hashes of the files and the stub mark. */
export type ManifestFacts = Omit<Manifest, "format" | "files" | "stub" | "status" | "outdated">;

/** Write access to the output of one item, exclusive across processes. Other items of the folder are not locked. */
export class OutputStore {
  readonly dir: string;
  private readonly lock: ProcessLock;
  private closed = false;

  private constructor(dir: string, lock: ProcessLock) {
    this.dir = dir;
    this.lock = lock;
  }

  /** Acquires the lock `.<ITEM_ID>.lock` next to the item's folder, which is created with the first set. Throws kind
   * `usage` when another process, perhaps with another cache, writes this item's set. With a lease of the queue,
   * every write first checks the lease, so that a superseded attempt cannot write. */
  static async open(outputDir: string, itemId: string, lease?: Lease): Promise<OutputStore> {
    checkId(itemId);
    const dir = join(outputDir, itemId);
    return new OutputStore(
      dir,
      await takeLock(join(outputDir, `.${itemId}.lock`), `the output ${dir}`, { lease }),
    );
  }

  /** Ends all writing; with `keepLock` the lock stays until `close()` is called again or the process ends. */
  async close(options: { keepLock?: boolean } = {}): Promise<void> {
    this.closed = true;
    if (options.keepLock !== true) await this.lock.release();
  }

  /** Folder of results that are not accepted: `pending/` when a set must be kept, otherwise the item's folder. */
  get workDir(): string {
    return this.hasSetToKeep() ? join(this.dir, PENDING_DIR) : this.dir;
  }

  /** Path of the report of an item that needs review. */
  get reportFile(): string {
    return join(this.workDir, REPORT_FILES[0]);
  }

  get attemptDir(): string {
    return join(this.workDir, "attempt");
  }

  /** True when the folder contains a set that stubs must not replace: anything except our own stubs. */
  hasSetToKeep(): boolean {
    const set = verifyAtomSetSync(this.dir);
    if (set === undefined || set.state === "stub") return false;
    if (set.state !== "no_manifest") return true;
    return ATOM_PARTS.some((part) => set.sources[part] !== "" && set.sources[part] !== SAFE_STUBS[part]);
  }

  /** Waivers that the user gave to the kept set with `waive`. */
  waivers(): GivenWaiver[] {
    const set = verifyAtomSetSync(this.dir);
    return set !== undefined && "manifest" in set ? (set.manifest.waivers ?? []) : [];
  }

  /** Changes the config of an accepted set; its atoms and proofs stay. Throws kind `usage` for a set that is not
   * accepted, and `store`. */
  async writeWaivers(config: string, waivers: GivenWaiver[]): Promise<void> {
    this.throwIfClosed();
    const set = verifyAtomSetSync(this.dir);
    if (set?.state !== "accepted") {
      throw new AtomsmithError("usage", `${this.dir} no longer contains an accepted set`, {
        where: this.dir,
      });
    }
    const files = { ...set.manifest.files, [ATOM_FILES.config]: sha256(config) };
    await writeFilesAtomic([
      { path: join(this.dir, ATOM_FILES.config), data: config },
      { path: join(this.dir, MANIFEST_FILE), data: manifestText({ ...set.manifest, files, waivers }) },
    ]);
  }

  /** Marks the accepted set as outdated when its page changed, and removes the mark when the page is the original
   * again. Throws kind `store`. */
  async markOutdated(page: { path: string; sha256: string }, now: string): Promise<void> {
    this.throwIfClosed();
    const set = verifyAtomSetSync(this.dir);
    if (set?.state !== "accepted" && set?.state !== "modified") return;
    const { outdated, ...manifest } = set.manifest;
    const differs = manifest.spec.sha256 !== page.sha256;
    if (outdated?.sha256 === (differs ? page.sha256 : undefined)) return;
    const marked: Manifest = differs ? { ...manifest, outdated: { ...page, since: now } } : manifest;
    await writeFilesAtomic([{ path: join(this.dir, MANIFEST_FILE), data: manifestText(marked) }]);
  }

  /** Writes an accepted set and removes reports and attempts that needed review. Throws kind `store`. */
  async writeAccepted(sources: AtomSources, facts: ManifestFacts): Promise<void> {
    this.throwIfClosed();
    await this.write(sources, facts, "accepted", []);
    try {
      for (const name of REPORT_FILES) await rm(join(this.dir, name), { force: true });
      for (const work of [this.dir, join(this.dir, PENDING_DIR)]) {
        await setEditedAttemptAside(join(work, "attempt"), this.dir);
        await rm(join(work, "attempt"), { recursive: true, force: true });
      }
      await rm(join(this.dir, PENDING_DIR), { recursive: true, force: true });
    } catch (error) {
      throw storeError(error, this.dir);
    }
  }

  /** Writes the report, the attempt if there is one, and safe stubs unless a set must be kept. Throws kind
   * `store`. */
  async writeHumanRequired(
    facts: ManifestFacts,
    report: { markdown: string; json: unknown },
    attempt: Attempt | undefined,
  ): Promise<void> {
    this.throwIfClosed();
    if (attempt) await writeAttempt(this.attemptDir, this.dir, attempt);
    else await this.dropAttempt();
    const { workDir } = this;
    const reports = [
      { path: join(workDir, REPORT_FILES[0]), data: report.markdown },
      { path: join(workDir, REPORT_FILES[1]), data: `${JSON.stringify(report.json, null, 2)}\n` },
    ];
    if (workDir === this.dir) return this.write(SAFE_STUBS, facts, "human_required", reports);
    await removeLeftovers(workDir);
    const manifest: Manifest = { format: 1, status: "human_required", stub: true, ...facts, files: {} };
    await writeFilesAtomic([
      ...reports,
      { path: join(workDir, MANIFEST_FILE), data: manifestText(manifest) },
    ]);
  }

  /** Replaces the output with that of a worker. Edits of the user are set aside. The manifest is written last; then
   * obsolete files are deleted. Throws kind `store`. */
  async replaceAll(files: readonly { path: string; body: Uint8Array }[]): Promise<void> {
    this.throwIfClosed();
    const incoming = new Map(files.map((file) => [file.path, file.body]));
    for (const work of ["attempt", `${PENDING_DIR}/attempt`]) {
      const notes = incoming.get(`${work}/${ATTEMPT_FILE}`);
      const attemptDir = join(this.dir, work);
      const unchanged =
        notes !== undefined && (await matchesNotes(attemptDir, Buffer.from(notes).toString()));
      if (!unchanged) await setEditedAttemptAside(attemptDir, this.dir);
    }
    const rank = (path: string): number =>
      path.endsWith(MANIFEST_FILE) ? (path === MANIFEST_FILE ? 2 : 1) : 0;
    const ordered = [...files].sort((a, b) => rank(a.path) - rank(b.path));
    await writeFilesAtomic(ordered.map(({ path, body }) => ({ path: join(this.dir, path), data: body })));
    for (const path of listOutput(this.dir)) {
      if (!incoming.has(path)) await rm(join(this.dir, path), { force: true });
    }
    for (const folder of ["attempt", `${PENDING_DIR}/attempt`, PENDING_DIR]) {
      if (![...incoming.keys()].some((path) => path.startsWith(`${folder}/`))) {
        await rm(join(this.dir, folder), { recursive: true, force: true });
      }
    }
  }

  private throwIfClosed(): void {
    if (this.closed) throw closedError(this.dir);
    this.lock.check();
  }

  private async write(
    sources: AtomSources,
    facts: ManifestFacts,
    status: Manifest["status"],
    reports: FileToWrite[],
  ): Promise<void> {
    await removeLeftovers(this.dir);
    const files = ATOM_PARTS.map((part) => ({ path: join(this.dir, ATOM_FILES[part]), data: sources[part] }));
    const manifest = manifestOf(sources, facts, status);
    const last = { path: join(this.dir, MANIFEST_FILE), data: manifestText(manifest) };
    await writeFilesAtomic([...files, ...reports, last]);
  }

  private async dropAttempt(): Promise<void> {
    await setEditedAttemptAside(this.attemptDir, this.dir);
    await rm(this.attemptDir, { recursive: true, force: true });
  }

  /** The current files of `attempt/`, including edits of the user; undefined when it does not exist. */
  async readAttempt(): Promise<AtomSources | undefined> {
    await this.moveUserAttempt();
    if (!(await exists(this.attemptDir))) return undefined;
    return readAtomSources(this.attemptDir);
  }

  /** Creates an `attempt/` for the user to edit. Throws kind `usage` when one exists. */
  async writeNewAttempt(sources: AtomSources): Promise<void> {
    this.throwIfClosed();
    await this.moveUserAttempt();
    if (await exists(this.attemptDir)) {
      throw new AtomsmithError("usage", `${this.attemptDir} already exists`, {
        where: this.attemptDir,
        hint: "edit its files",
      });
    }
    await writeFilesAtomic(
      ATOM_PARTS.map((part) => ({ path: join(this.attemptDir, ATOM_FILES[part]), data: sources[part] })),
    );
  }

  /** Moves an `attempt/` that the user created beside a kept set to `pending/`, the folder that reports name. */
  private async moveUserAttempt(): Promise<void> {
    const userDir = join(this.dir, "attempt");
    if (this.attemptDir === userDir || !(await exists(userDir))) return;
    try {
      await this.dropAttempt();
      await mkdir(this.workDir, { recursive: true });
      await rename(userDir, this.attemptDir);
    } catch (error) {
      throw storeError(error, userDir);
    }
  }
}

/** The manifest of a set with these files. */
export function manifestOf(sources: AtomSources, facts: ManifestFacts, status: Manifest["status"]): Manifest {
  return { format: 1, status, stub: status !== "accepted", ...facts, files: hashesOf(sources) };
}

/** Relative paths, with `/`, of the files of an item's output, without edits of the user that were set aside. */
export function listOutput(dir: string): string[] {
  if (!existsSync(dir)) return [];
  const { paths } = allFiles(dir, {
    skip: ({ name, kind }) => (kind !== "file" && kind !== "folder" ? true : /^attempt\.edited-/.test(name)),
  });
  return paths.map((path) => relative(dir, path).split(sep).join("/"));
}

function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
