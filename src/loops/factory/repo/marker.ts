// The marker in the git folder while a run has changed the work tree. After a crash, it says what to roll back, or which
// steps of an accepted change remain.
import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AtomsmithError } from "../../../core/errors.ts";
import { readTextIfAny, removeLeftovers, writeFileAtomic } from "../../../store/atomic.ts";
import { runSummarySchema } from "../schemas.ts";
import type { GuardCopy } from "./guard.ts";
import type { Repository } from "./repository.ts";
import { restoreSnapshot, type Snapshot, storeSnapshot } from "./snapshot.ts";

const markerSchema = z.strictObject({
  format: z.literal(1),
  run_id: z.string(),
  /** Absolute path of OUT/RUN_ID. */
  run_dir: z.string(),
  work_order_hash: z.string(),
  config_hash: z.string(),
  baseline: z.string(),
  /** Files that the run writes: path relative to the root and SHA-256 of the new content. */
  writes: z.array(z.strictObject({ path: z.string(), sha256: z.string() })),
  /** Copies of ignored files that the run overwrites, by their name below `kept/`. */
  kept: z.array(z.strictObject({ path: z.string(), copy: z.string(), mode: z.number().int() })),
  /** Set once the change is accepted: the remaining steps. */
  passed: z
    .strictObject({
      summary: runSummarySchema,
      commit: z.strictObject({ id: z.string(), branch: z.string() }).nullable(),
    })
    .nullable(),
});
export type Marker = z.infer<typeof markerSchema>;

/** The state that a rollback restores. */
export interface Origin {
  snapshot: Snapshot;
  /** In latin1. */
  tracked: Set<string>;
  guard: GuardCopy;
}

const storedOrigin = z.strictObject({
  snapshot: z.array(
    z.tuple([
      z.string(),
      z.strictObject({
        kind: z.enum(["file", "link", "folder", "other"]),
        mode: z.number(),
        stamp: z.string(),
        content: z.string(),
      }),
    ]),
  ),
  tracked: z.array(z.string()),
  guard: z.record(z.string(), z.strictObject({ mode: z.number(), data: z.string(), link: z.boolean() })),
});

const MARKER = "marker.json";
const ORIGIN = "origin.json";
const GIT_CALL = "git-call";
const KEPT = "kept";

/** Stores the data for a rollback after a crash; called before the first marker of a run. */
export async function writeOrigin({ stateDir }: Repository, origin: Origin): Promise<void> {
  const { snapshot, tracked, guard } = origin;
  const stored = { snapshot: storeSnapshot(snapshot), tracked: [...tracked], guard };
  await writeFileAtomic(join(stateDir, ORIGIN), JSON.stringify(stored));
}

/** Reads the data of `writeOrigin`. Throws kind `store` if it is damaged. */
export async function readOrigin(repository: Repository): Promise<Origin> {
  const { snapshot, tracked, guard } = await readState(repository, ORIGIN, storedOrigin);
  return { snapshot: restoreSnapshot(snapshot), tracked: new Set(tracked), guard };
}

export async function writeMarker({ stateDir }: Repository, marker: Marker): Promise<void> {
  await writeFileAtomic(markerPath(stateDir), JSON.stringify(marker, null, 2));
}

/** The marker of an unfinished run; undefined if there is none. */
export async function readMarker(repository: Repository): Promise<Marker | undefined> {
  const text = await readTextIfAny(markerPath(repository.stateDir));
  return text === undefined ? undefined : readState(repository, MARKER, markerSchema);
}

export function markerPath(stateDir: string): string {
  return join(stateDir, MARKER);
}

/** Path of the copy of an overwritten file. */
export function keptPath({ stateDir }: Repository, copy: string): string {
  return join(stateDir, KEPT, copy);
}

/** Removes the marker first, then its data. */
export async function clearState({ stateDir }: Repository): Promise<void> {
  await rm(markerPath(stateDir), { force: true });
  for (const name of [KEPT, ORIGIN, GIT_CALL, "index", "index.lock"]) {
    await rm(join(stateDir, name), { recursive: true, force: true });
  }
  await removeLeftovers(stateDir);
}

/** Removes the state folder if it is empty. */
export async function removeStateDir({ stateDir }: Repository): Promise<void> {
  const names = await readdir(stateDir).catch(() => ["unknown"]);
  if (names.length === 0) await rmdir(stateDir).catch(() => undefined);
}

/** Runs git calls that lock the index, and records that, so that a leftover lock is known to be the program's own. */
export async function withIndexLock<T>({ stateDir }: Repository, work: () => Promise<T>): Promise<T> {
  const path = join(stateDir, GIT_CALL);
  await writeFileAtomic(path, `${process.pid}\n`);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes the index lock left by git of a killed run. */
export async function clearOwnIndexLock({ stateDir, gitDir }: Repository): Promise<void> {
  if ((await readTextIfAny(join(stateDir, GIT_CALL))) === undefined) return;
  await Bun.sleep(200); // git of the killed process may still be ending
  await rm(join(gitDir, "index.lock"), { force: true });
  await rm(join(stateDir, GIT_CALL), { force: true });
}

async function readState<T>({ stateDir }: Repository, name: string, schema: z.ZodType<T>): Promise<T> {
  const path = join(stateDir, name);
  try {
    return schema.parse(JSON.parse((await readTextIfAny(path)) ?? ""));
  } catch (error) {
    throw new AtomsmithError("store", `cannot read ${path}, so the interrupted run cannot be rolled back`, {
      where: path,
      hint: `restore the work tree manually (git reset --hard, git clean -fd), then remove ${stateDir}`,
      cause: error,
    });
  }
}
