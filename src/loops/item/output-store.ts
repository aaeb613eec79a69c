// Writing `output/<ITEM_ID>/`: an accepted set stays until a new one is accepted, and what is not accepted stands in
// `pending/` beside it; where no set was ever accepted, safe stubs stand there with the last real attempt. The
// manifest comes last, so that a crash at any moment leaves the old set, the new one, or one that `check`
// refuses, and never a mix that verifies.
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
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
  readTextIfAny,
  removeLeftovers,
  storeError,
  takeLock,
  writeFilesAtomic,
} from "../../store/index.ts";
import { SAFE_STUBS } from "./stubs.ts";

/** What the caller knows of a set; hashes of the files and the stub mark are added here. */
export type ManifestFacts = Omit<Manifest, "format" | "files" | "stub" | "status" | "outdated">;

export interface Attempt {
  sources: AtomSources;
  /** Kept as `attempt/attempt.json` beside the hashes of the files. */
  notes: { iteration: number; gates: Record<string, boolean | null> };
}

const ATTEMPT_FILE = "attempt.json";

/** Write access to one item's output, held by one process at a time; other items of the folder are free. */
export class OutputStore {
  readonly dir: string;
  private readonly lock: ProcessLock;
  private closed = false;

  private constructor(dir: string, lock: ProcessLock) {
    this.dir = dir;
    this.lock = lock;
  }

  /** Takes the lock `.<ITEM_ID>.lock` beside the item's folder: the folder itself is made by the first set. Throws
   * kind `usage` when another process, perhaps with another cache, writes this item's set. With a lease of the queue, an
   * earlier attempt loses the output, and each of its writes checks that first. */
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

  /** Where what is not accepted stands: `pending/` beside a set that must not be lost, else the item's folder. */
  get workDir(): string {
    return this.keepsSet() ? join(this.dir, PENDING_DIR) : this.dir;
  }

  /** The report for a person, where one is needed. */
  get reportFile(): string {
    return join(this.workDir, REPORT_FILES[0]);
  }

  get attemptDir(): string {
    return join(this.workDir, "attempt");
  }

  /** Does a set stand here that stubs must not replace? Everything but nothing and our own stubs. */
  keepsSet(): boolean {
    const set = verifyAtomSetSync(this.dir);
    if (set === undefined || set.state === "stub") return false;
    if (set.state !== "no_manifest") return true;
    return ATOM_PARTS.some((part) => set.sources[part] !== "" && set.sources[part] !== SAFE_STUBS[part]);
  }

  /** Waivers that a person gave to the kept set with `waive`. */
  waivers(): GivenWaiver[] {
    const set = verifyAtomSetSync(this.dir);
    return set !== undefined && "manifest" in set ? (set.manifest.waivers ?? []) : [];
  }

  /** Changes the config of an accepted set and nothing else of what was proved. Throws kind `usage` for a set that is
   * not accepted, and `store`. */
  async writeWaivers(config: string, waivers: GivenWaiver[]): Promise<void> {
    this.throwIfClosed();
    const set = verifyAtomSetSync(this.dir);
    if (set?.state !== "accepted") {
      throw new AtomsmithError("usage", `${this.dir} holds no accepted set any more`, { where: this.dir });
    }
    const files = { ...set.manifest.files, [ATOM_FILES.config]: sha256(config) };
    await writeFilesAtomic([
      { path: join(this.dir, ATOM_FILES.config), data: config },
      { path: join(this.dir, MANIFEST_FILE), data: manifestText({ ...set.manifest, files, waivers }) },
    ]);
  }

  /** Marks the accepted set as outdated when this is another page than it was made from, and takes the mark away when
   * it is the same again. Throws kind `store`. */
  async notePage(page: { path: string; sha256: string }, now: string): Promise<void> {
    this.throwIfClosed();
    const set = verifyAtomSetSync(this.dir);
    if (set?.state !== "accepted" && set?.state !== "modified") return;
    const { outdated, ...manifest } = set.manifest;
    const differs = manifest.spec.sha256 !== page.sha256;
    if (outdated?.sha256 === (differs ? page.sha256 : undefined)) return;
    const marked: Manifest = differs ? { ...manifest, outdated: { ...page, since: now } } : manifest;
    await writeFilesAtomic([{ path: join(this.dir, MANIFEST_FILE), data: manifestText(marked) }]);
  }

  /** Writes an accepted set and takes away what asked for a person. Throws kind `store`. */
  async writeAccepted(sources: AtomSources, facts: ManifestFacts): Promise<void> {
    this.throwIfClosed();
    await this.write(sources, facts, "accepted", []);
    try {
      for (const name of REPORT_FILES) await rm(join(this.dir, name), { force: true });
      for (const work of [this.dir, join(this.dir, PENDING_DIR)]) {
        await this.putAttemptAside(join(work, "attempt"));
        await rm(join(work, "attempt"), { recursive: true, force: true });
      }
      await rm(join(this.dir, PENDING_DIR), { recursive: true, force: true });
    } catch (error) {
      throw storeError(error, this.dir);
    }
  }

  /** Writes the report, the attempt if there ever was code, and safe stubs where no set is to be kept. Throws kind
   * `store`. */
  async writeHumanRequired(
    facts: ManifestFacts,
    report: { markdown: string; json: unknown },
    attempt: Attempt | undefined,
  ): Promise<void> {
    this.throwIfClosed();
    if (attempt) await this.writeAttempt(attempt);
    else await this.dropAttempt();
    const at = this.workDir;
    const reports = [
      { path: join(at, REPORT_FILES[0]), data: report.markdown },
      { path: join(at, REPORT_FILES[1]), data: `${JSON.stringify(report.json, null, 2)}\n` },
    ];
    if (at === this.dir) return this.write(SAFE_STUBS, facts, "human_required", reports);
    await removeLeftovers(at);
    const manifest: Manifest = { format: 1, status: "human_required", stub: true, ...facts, files: {} };
    await writeFilesAtomic([...reports, { path: join(at, MANIFEST_FILE), data: manifestText(manifest) }]);
  }

  /** Puts what a worker of the fleet left of this item in place of what is here. A person's edits since are kept aside.
   * The manifest comes last, then what is no longer part of the output goes. Throws kind `store`. */
  async replaceAll(files: readonly { path: string; body: Uint8Array }[]): Promise<void> {
    this.throwIfClosed();
    const own = new Map(files.map((file) => [file.path, file.body]));
    for (const work of ["attempt", `${PENDING_DIR}/attempt`]) {
      const notes = own.get(`${work}/${ATTEMPT_FILE}`);
      const same =
        notes !== undefined && (await this.isAttempt(join(this.dir, work), Buffer.from(notes).toString()));
      if (!same) await this.putAttemptAside(join(this.dir, work));
    }
    const last = (path: string): number =>
      path.endsWith(MANIFEST_FILE) ? (path === MANIFEST_FILE ? 2 : 1) : 0;
    const ordered = [...files].sort((a, b) => last(a.path) - last(b.path));
    await writeFilesAtomic(ordered.map(({ path, body }) => ({ path: join(this.dir, path), data: body })));
    for (const path of listOutput(this.dir)) {
      if (!own.has(path)) await rm(join(this.dir, path), { force: true });
    }
    for (const folder of ["attempt", `${PENDING_DIR}/attempt`, PENDING_DIR]) {
      if (![...own.keys()].some((path) => path.startsWith(`${folder}/`))) {
        await rm(join(this.dir, folder), { recursive: true, force: true });
      }
    }
  }

  /** Are these the files that the notes of an attempt name? */
  private async isAttempt(attemptDir: string, notes: string): Promise<boolean> {
    if (!(await exists(attemptDir))) return false;
    return sameFiles(notes, hashesOf(await readAtomSources(attemptDir)));
  }

  private throwIfClosed(): void {
    if (this.closed) throw closedError(this.dir);
    this.lock.check();
  }

  private async write(
    sources: AtomSources,
    facts: ManifestFacts,
    status: Manifest["status"],
    beside: FileToWrite[],
  ): Promise<void> {
    await removeLeftovers(this.dir);
    const files = ATOM_PARTS.map((part) => ({ path: join(this.dir, ATOM_FILES[part]), data: sources[part] }));
    const manifest = manifestOf(sources, facts, status);
    const last = { path: join(this.dir, MANIFEST_FILE), data: manifestText(manifest) };
    await writeFilesAtomic([...files, ...beside, last]);
  }

  private async writeAttempt(attempt: Attempt): Promise<void> {
    const held = await readTextIfAny(join(this.attemptDir, ATTEMPT_FILE));
    const files = hashesOf(attempt.sources);
    const now = (await exists(this.attemptDir)) ? hashesOf(await readAtomSources(this.attemptDir)) : {};
    const same = Object.entries(files).every(([name, hash]) => now[name] === hash);
    if (same && held !== undefined && sameFiles(held, files)) return;
    // Edits that were gated as they are stand where they stood; others are put aside.
    if (!same) await this.putAttemptAside();
    await removeLeftovers(this.attemptDir);
    await writeFilesAtomic([
      ...ATOM_PARTS.map((part) => ({
        path: join(this.attemptDir, ATOM_FILES[part]),
        data: attempt.sources[part],
      })),
      {
        path: join(this.attemptDir, ATTEMPT_FILE),
        data: `${JSON.stringify({ ...attempt.notes, files }, null, 2)}\n`,
      },
    ]);
  }

  private async dropAttempt(): Promise<void> {
    await this.putAttemptAside();
    await rm(this.attemptDir, { recursive: true, force: true });
  }

  /** Did someone change the attempt since it was written? False when there is none. */
  async attemptEdited(attemptDir = this.attemptDir): Promise<boolean> {
    if (!(await exists(attemptDir))) return false;
    const held = await readTextIfAny(join(attemptDir, ATTEMPT_FILE));
    if (held === undefined) return (await readdir(attemptDir)).some((name) => !name.startsWith("."));
    return !sameFiles(held, hashesOf(await readAtomSources(attemptDir)));
  }

  /** A person's edits are never written over: they move to `attempt.edited-<n>/` in the item's folder. */
  private async putAttemptAside(attemptDir = this.attemptDir): Promise<void> {
    if (!(await this.attemptEdited(attemptDir))) return;
    let n = 1;
    while (await exists(join(this.dir, `attempt.edited-${n}`))) n += 1;
    await rename(attemptDir, join(this.dir, `attempt.edited-${n}`));
  }

  /** The files under `attempt/` as they stand now, with a person's edits; undefined when there are none. */
  async readAttempt(): Promise<AtomSources | undefined> {
    await this.adoptAttempt();
    if (!(await exists(this.attemptDir))) return undefined;
    return readAtomSources(this.attemptDir);
  }

  /** Writes an `attempt/` for a person to work in. Throws kind `usage` when one is there. */
  async writeNewAttempt(sources: AtomSources): Promise<void> {
    this.throwIfClosed();
    await this.adoptAttempt();
    if (await exists(this.attemptDir)) {
      throw new AtomsmithError("usage", `${this.attemptDir} is there already`, {
        where: this.attemptDir,
        hint: "edit the files in it",
      });
    }
    await writeFilesAtomic(
      ATOM_PARTS.map((part) => ({ path: join(this.attemptDir, ATOM_FILES[part]), data: sources[part] })),
    );
  }

  /** An `attempt/` beside a kept set was put there by a person: it becomes the pending one, which is what the
   * reports name. */
  private async adoptAttempt(): Promise<void> {
    const theirs = join(this.dir, "attempt");
    if (this.attemptDir === theirs || !(await exists(theirs))) return;
    try {
      await this.dropAttempt();
      await mkdir(this.workDir, { recursive: true });
      await rename(theirs, this.attemptDir);
    } catch (error) {
      throw storeError(error, theirs);
    }
  }
}

/** The manifest of a set as it is written beside these files. */
export function manifestOf(sources: AtomSources, facts: ManifestFacts, status: Manifest["status"]): Manifest {
  return { format: 1, status, stub: status !== "accepted", ...facts, files: hashesOf(sources) };
}

/** Paths of the files of an item's output, relative, with `/`; without a person's edits that were put aside. */
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

function hashesOf(sources: AtomSources): Record<string, string> {
  return Object.fromEntries(ATOM_PARTS.map((part) => [ATOM_FILES[part], sha256(sources[part])]));
}

function sameFiles(held: string, files: Record<string, string>): boolean {
  try {
    const before = (JSON.parse(held) as { files?: Record<string, unknown> }).files ?? {};
    return Object.entries(files).every(([name, hash]) => before[name] === hash);
  } catch {
    return false;
  }
}
