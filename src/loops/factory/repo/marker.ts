// The record of intent that stands in the git folder while a run has changed the work tree. Whoever finds it after the
// process died knows what to bring back, or which steps of an accepted change are left.
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
  /** What the run writes: path from the root and SHA-256 of the new content. */
  writes: z.array(z.strictObject({ path: z.string(), sha256: z.string() })),
  /** Copies of files that git ignores and the run overwrites, by their name below `kept/`. */
  kept: z.array(z.strictObject({ path: z.string(), copy: z.string(), mode: z.number().int() })),
  /** Set once the change is accepted: only these steps are left. */
  passed: z
    .strictObject({
      summary: runSummarySchema,
      commit: z.strictObject({ id: z.string(), branch: z.string() }).nullable(),
    })
    .nullable(),
});
export type Marker = z.infer<typeof markerSchema>;

/** What a rollback goes back to. */
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

/** Stores what a rollback after a crash needs. Before the first marker of a run. */
export async function writeOrigin({ stateDir }: Repository, origin: Origin): Promise<void> {
  const { snapshot, tracked, guard } = origin;
  const stored = { snapshot: storeSnapshot(snapshot), tracked: [...tracked], guard };
  await writeFileAtomic(join(stateDir, ORIGIN), JSON.stringify(stored));
}

/** Reads what `writeOrigin` stored. Throws kind `store` when it is damaged. */
export async function readOrigin(repository: Repository): Promise<Origin> {
  const { snapshot, tracked, guard } = await readState(repository, ORIGIN, storedOrigin);
  return { snapshot: restoreSnapshot(snapshot), tracked: new Set(tracked), guard };
}

export async function writeMarker({ stateDir }: Repository, marker: Marker): Promise<void> {
  await writeFileAtomic(markerPath(stateDir), JSON.stringify(marker, null, 2));
}

/** The marker of a run that is not finished; undefined when there is none. */
export async function readMarker(repository: Repository): Promise<Marker | undefined> {
  const text = await readTextIfAny(markerPath(repository.stateDir));
  return text === undefined ? undefined : readState(repository, MARKER, markerSchema);
}

export function markerPath(stateDir: string): string {
  return join(stateDir, MARKER);
}

/** Where the copy of an overwritten file is kept. */
export function keptPath({ stateDir }: Repository, copy: string): string {
  return join(stateDir, KEPT, copy);
}

/** Removes the marker first, then what belonged to it. */
export async function clearState({ stateDir }: Repository): Promise<void> {
  await rm(markerPath(stateDir), { force: true });
  for (const name of [KEPT, ORIGIN, GIT_CALL, "index", "index.lock"]) {
    await rm(join(stateDir, name), { recursive: true, force: true });
  }
  await removeLeftovers(stateDir);
}

/** Removes the folder of the state when nothing is in it. */
export async function removeStateDir({ stateDir }: Repository): Promise<void> {
  const names = await readdir(stateDir).catch(() => ["unknown"]);
  if (names.length === 0) await rmdir(stateDir).catch(() => undefined);
}

/** Runs calls of git that take the lock of the index, so that a lock left by a killed one is known to be ours. */
export async function withIndexLock<T>({ stateDir }: Repository, work: () => Promise<T>): Promise<T> {
  const path = join(stateDir, GIT_CALL);
  await writeFileAtomic(path, `${process.pid}\n`);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes the lock of the index when a git of a killed run left it. */
export async function clearOwnIndexLock({ stateDir, gitDir }: Repository): Promise<void> {
  if ((await readTextIfAny(join(stateDir, GIT_CALL))) === undefined) return;
  await Bun.sleep(200); // a git of the killed process may be about to end
  await rm(join(gitDir, "index.lock"), { force: true });
  await rm(join(stateDir, GIT_CALL), { force: true });
}

async function readState<T>({ stateDir }: Repository, name: string, schema: z.ZodType<T>): Promise<T> {
  const path = join(stateDir, name);
  try {
    return schema.parse(JSON.parse((await readTextIfAny(path)) ?? ""));
  } catch (error) {
    throw new AtomsmithError("store", `${path} cannot be read: an interrupted run cannot be rolled back`, {
      where: path,
      hint: `bring the work tree back by hand (git reset --hard, git clean -fd), then remove ${stateDir}`,
      cause: error,
    });
  }
}
