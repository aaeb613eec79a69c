// Writing `output/<ITEM_ID>/`: an accepted set, or safe stubs with the last real attempt beside them. The
// manifest comes last, so that a crash at any moment leaves the old set, the new one, or one that `check`
// refuses, and never a mix that verifies.
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ATOM_FILES, ATOM_PARTS, type AtomSources } from "../../contract/atoms.ts";
import type { Manifest } from "../../contract/manifest.ts";
import { sha256 } from "../../core/hash.ts";
import { MANIFEST_FILE, readAtomSources } from "../../runtime/atom-set.ts";
import {
  checkId,
  closedError,
  exists,
  type FileToWrite,
  type ProcessLock,
  readTextIfAny,
  removeLeftovers,
  storeError,
  takeLock,
  writeFilesAtomic,
} from "../../store/index.ts";
import { SAFE_STUBS } from "./stubs.ts";

/** What the caller knows of a set; hashes of the files and the stub mark are added here. */
export type ManifestFacts = Omit<Manifest, "format" | "files" | "stub" | "status">;

export interface Attempt {
  sources: AtomSources;
  /** Kept as `attempt/attempt.json` beside the hashes of the files. */
  notes: { iteration: number; gates: Record<string, boolean | null> };
}

const REPORT_FILES = ["human_intervention_report.md", "human_intervention_report.json"] as const;
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
   * kind `usage` when another process, perhaps with another cache, writes this item's set. */
  static async open(outputDir: string, itemId: string): Promise<OutputStore> {
    checkId(itemId);
    const dir = join(outputDir, itemId);
    return new OutputStore(dir, await takeLock(join(outputDir, `.${itemId}.lock`), `the output ${dir}`));
  }

  /** Ends all writing; with `keepLock` the lock stays until `close()` is called again or the process ends. */
  async close(options: { keepLock?: boolean } = {}): Promise<void> {
    this.closed = true;
    if (options.keepLock !== true) await this.lock.release();
  }

  get attemptDir(): string {
    return join(this.dir, "attempt");
  }

  /** Writes an accepted set and takes away what asked for a person. Throws kind `store`. */
  async writeAccepted(sources: AtomSources, facts: ManifestFacts): Promise<void> {
    this.throwIfClosed();
    await this.write(sources, facts, "accepted", []);
    try {
      for (const name of REPORT_FILES) await rm(join(this.dir, name), { force: true });
      await this.putAttemptAside();
      await rm(this.attemptDir, { recursive: true, force: true });
    } catch (error) {
      throw storeError(error, this.dir);
    }
  }

  /** Writes safe stubs, the report and, if there ever was code, the attempt. Throws kind `store`. */
  async writeHumanRequired(
    facts: ManifestFacts,
    report: { markdown: string; json: unknown },
    attempt: Attempt | undefined,
  ): Promise<void> {
    this.throwIfClosed();
    if (attempt) await this.writeAttempt(attempt);
    else await this.dropAttempt();
    await this.write(SAFE_STUBS, facts, "human_required", [
      { path: join(this.dir, REPORT_FILES[0]), data: report.markdown },
      { path: join(this.dir, REPORT_FILES[1]), data: `${JSON.stringify(report.json, null, 2)}\n` },
    ]);
  }

  private throwIfClosed(): void {
    if (this.closed) throw closedError(this.dir);
  }

  private async write(
    sources: AtomSources,
    facts: ManifestFacts,
    status: Manifest["status"],
    beside: FileToWrite[],
  ): Promise<void> {
    await removeLeftovers(this.dir);
    const files = ATOM_PARTS.map((part) => ({ path: join(this.dir, ATOM_FILES[part]), data: sources[part] }));
    const manifest: Manifest = {
      format: 1,
      status,
      stub: status !== "accepted",
      ...facts,
      files: hashesOf(sources),
    };
    const last = { path: join(this.dir, MANIFEST_FILE), data: `${JSON.stringify(manifest, null, 2)}\n` };
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
  async attemptEdited(): Promise<boolean> {
    if (!(await exists(this.attemptDir))) return false;
    const held = await readTextIfAny(join(this.attemptDir, ATTEMPT_FILE));
    if (held === undefined) return (await readdir(this.attemptDir)).some((name) => !name.startsWith("."));
    return !sameFiles(held, hashesOf(await readAtomSources(this.attemptDir)));
  }

  /** A person's edits are never written over: they move to `attempt.edited-<n>/`. */
  private async putAttemptAside(): Promise<void> {
    if (!(await this.attemptEdited())) return;
    let n = 1;
    while (await exists(join(this.dir, `attempt.edited-${n}`))) n += 1;
    await rename(this.attemptDir, join(this.dir, `attempt.edited-${n}`));
  }

  /** The files under `attempt/` as they stand now, with a person's edits; undefined when there are none. */
  async readAttempt(): Promise<AtomSources | undefined> {
    if (!(await exists(this.attemptDir))) return undefined;
    return readAtomSources(this.attemptDir);
  }
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
