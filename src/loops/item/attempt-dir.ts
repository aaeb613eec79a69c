// The folder `attempt/` of an item: the four sources of an attempt that was not accepted, and its notes with their
// hashes. Edits of the user are detected by these hashes and never overwritten.
import { readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { ATOM_FILES, ATOM_PARTS, type AtomSources } from "../../contract/atoms.ts";
import { sha256 } from "../../core/hash.ts";
import { readAtomSources } from "../../runtime/atom-set.ts";
import { exists, readTextIfAny, removeLeftovers, writeFilesAtomic } from "../../store/index.ts";

/** Notes of an attempt, in its folder. */
export const ATTEMPT_FILE = "attempt.json";

export interface Attempt {
  sources: AtomSources;
  /** Written to `attempt.json` together with the hashes of the files. */
  notes: { iteration: number; gates: Record<string, boolean | null> };
}

/** Writes an attempt. A different attempt that the user edited is first moved aside in `itemDir`. */
export async function writeAttempt(attemptDir: string, itemDir: string, attempt: Attempt): Promise<void> {
  const storedNotes = await readTextIfAny(join(attemptDir, ATTEMPT_FILE));
  const files = hashesOf(attempt.sources);
  const current = (await exists(attemptDir)) ? hashesOf(await readAtomSources(attemptDir)) : {};
  const unchanged = Object.entries(files).every(([name, hash]) => current[name] === hash);
  if (unchanged && storedNotes !== undefined && notesMatch(storedNotes, files)) return;
  // Edits that were validated are the attempt itself and stay in place.
  if (!unchanged) await setEditedAttemptAside(attemptDir, itemDir);
  await removeLeftovers(attemptDir);
  await writeFilesAtomic([
    ...ATOM_PARTS.map((part) => ({ path: join(attemptDir, ATOM_FILES[part]), data: attempt.sources[part] })),
    {
      path: join(attemptDir, ATTEMPT_FILE),
      data: `${JSON.stringify({ ...attempt.notes, files }, null, 2)}\n`,
    },
  ]);
}

/** True when an attempt exists and was changed since it was written. */
export async function isAttemptEdited(attemptDir: string): Promise<boolean> {
  if (!(await exists(attemptDir))) return false;
  const notes = await readTextIfAny(join(attemptDir, ATTEMPT_FILE));
  if (notes === undefined) return (await readdir(attemptDir)).some((name) => !name.startsWith("."));
  return !notesMatch(notes, hashesOf(await readAtomSources(attemptDir)));
}

/** Moves an attempt with edits to `attempt.edited-<n>/` in the item's folder. */
export async function setEditedAttemptAside(attemptDir: string, itemDir: string): Promise<void> {
  if (!(await isAttemptEdited(attemptDir))) return;
  let n = 1;
  while (await exists(join(itemDir, `attempt.edited-${n}`))) n += 1;
  await rename(attemptDir, join(itemDir, `attempt.edited-${n}`));
}

/** True when the files of an existing attempt have the hashes in `notes`. */
export async function matchesNotes(attemptDir: string, notes: string): Promise<boolean> {
  if (!(await exists(attemptDir))) return false;
  return notesMatch(notes, hashesOf(await readAtomSources(attemptDir)));
}

/** SHA-256 of each source by file name. */
export function hashesOf(sources: AtomSources): Record<string, string> {
  return Object.fromEntries(ATOM_PARTS.map((part) => [ATOM_FILES[part], sha256(sources[part])]));
}

function notesMatch(notes: string, files: Record<string, string>): boolean {
  try {
    const noted = (JSON.parse(notes) as { files?: Record<string, unknown> }).files ?? {};
    return Object.entries(files).every(([name, hash]) => noted[name] === hash);
  } catch {
    return false;
  }
}
