// Process locks: a lock is a file that names its holder (host, pid, PID namespace, start time of the process, boot).
// The lock of a dead holder is taken over; of several processes that try this at once, only one succeeds.
import { readFileSync } from "node:fs";
import { link, mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { AtomsmithError } from "../core/errors.ts";
import { randomHex } from "../core/random.ts";
import { storeError } from "./atomic.ts";
import { bootId, isStopped, pidNamespace, processStart } from "./process-facts.ts";
import type { Lease } from "./types.ts";

const holderSchema = z.object({
  token: z.string(),
  host: z.string(),
  pid: z.number().int(),
  /** PID namespace of `pid` (containers of one host have several); null where the system has none. Absent in locks of
   * older programs. */
  pid_ns: z.string().nullable().default(null),
  /** Start time of the process in kernel units; null where unknown. */
  start: z.string().nullable(),
  /** Id of the current boot of the machine; null where unknown. */
  boot: z.string().nullable(),
  since: z.string(),
  /** The queue's lease under which the lock was taken. */
  lease: z.object({ job: z.string(), attempt: z.number().int() }).exactOptional(),
});
type Holder = z.infer<typeof holderSchema>;

/** Tokens of locks held by this process; a lock file with this pid but another token is from an earlier process. */
const held = new Set<string>();

export interface ProcessLock {
  release(): Promise<void>;
  /** Throws kind `store` when a later attempt of the lease has taken the lock over. */
  check(): void;
  /** Sets the path of the lock file after its directory was renamed. */
  setPath(path: string): void;
}

export interface LockOptions {
  lease?: Lease | undefined;
  dead?: string | undefined;
}

/**
 * Takes the lock file at `path`; creates its directory when missing. `what` names the locked object in messages. Throws
 * kind `usage` (exit 2) when a living process holds it, or when that cannot be determined because it was taken on
 * another machine or in another PID namespace. With a lease of the queue, the lock of an earlier attempt is taken over,
 * even if its process is alive; so is the lock with the token `dead`, whose holder the caller knows to be dead.
 */
export async function takeLock(
  path: string,
  what: string,
  { lease, dead }: LockOptions = {},
): Promise<ProcessLock> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const attempt = await tryLock(path, lease, dead);
    if ("release" in attempt) return attempt;
    throw lockedError(path, what, attempt.holder);
  } catch (error) {
    throw storeError(error, path);
  }
}

/** Like `takeLock`, but does not create the directory: undefined when it does not exist. */
export async function takeLockIfFolder(path: string, what: string): Promise<ProcessLock | undefined> {
  try {
    const attempt = await tryLock(path);
    if ("release" in attempt) return attempt;
    throw lockedError(path, what, attempt.holder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw storeError(error, path);
  }
}

const POLL_MS = 20;

/** Waits for the lock for at most `timeoutMs`; undefined when it is still held. For work that is safe to do twice: the
 * caller then proceeds without the lock. */
export async function waitForLock(
  path: string,
  options: { timeoutMs: number },
): Promise<ProcessLock | undefined> {
  const deadline = performance.now() + options.timeoutMs;
  try {
    await mkdir(dirname(path), { recursive: true });
    for (;;) {
      if (!(await isLockHeld(path))) {
        const attempt = await tryLock(path);
        if ("release" in attempt) return attempt;
      }
      if (performance.now() >= deadline) return undefined;
      await Bun.sleep(POLL_MS);
    }
  } catch (error) {
    throw storeError(error, path);
  }
}

/** Whether the lock is held by a living process, as far as this machine can tell. Does not take the lock. */
export async function isLockHeld(path: string): Promise<boolean> {
  const holder = parseHolder(await readFile(path, "utf8").catch(() => ""));
  return holder !== undefined && isAlive(holder);
}

/** The holder of a lock, as far as this machine can tell; undefined without a living holder. `runs` is false if that is
 * unknown: the holder is on another machine, in another container, or stopped. */
export async function lockHolder(path: string): Promise<{ token: string; runs: boolean } | undefined> {
  const holder = parseHolder(await readFile(path, "utf8").catch(() => ""));
  if (holder === undefined || !isAlive(holder)) return undefined;
  return { token: holder.token, runs: !isElsewhere(holder) && !isStopped(holder.pid) };
}

/** Takes the lock, or returns its holder (undefined when the holder kept changing). */
async function tryLock(
  path: string,
  lease?: Lease,
  dead?: string,
): Promise<ProcessLock | { holder: Holder | undefined }> {
  const mine: Holder = {
    token: randomHex(8),
    host: hostname(),
    pid: process.pid,
    pid_ns: pidNamespace(),
    start: processStart(process.pid),
    boot: bootId(),
    since: new Date().toISOString(),
    ...(lease === undefined ? {} : { lease }),
  };
  for (let round = 0; round < 50; round++) {
    if (await linkNew(path, mine)) return createLock(path, mine);
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text === undefined) continue; // released between the two steps
    const holder = parseHolder(text);
    const isLost = holder === undefined || holder.token === dead || isSuperseded(holder, lease);
    if (!isLost && isAlive(holder)) return { holder };
    if (await takeOver(path, text, mine)) return createLock(path, mine);
  }
  return { holder: undefined };
}

async function createLock(path: string, mine: Holder): Promise<ProcessLock> {
  held.add(mine.token);
  await sweep(path);
  let current = path;
  return {
    async release(): Promise<void> {
      if (!held.delete(mine.token)) return;
      const text = await readFile(current, "utf8").catch(() => "");
      if (parseHolder(text)?.token === mine.token) await unlink(current).catch(() => undefined);
    },
    check(): void {
      if (mine.lease === undefined || parseHolder(readIfAny(current))?.token === mine.token) return;
      const message = `${dirname(current)} was taken over by another worker`;
      throw new AtomsmithError("store", message, { where: current });
    },
    setPath(newPath: string): void {
      current = newPath;
    },
  };
}

/** Creates `path` with its whole content in one step; false when it exists already. */
async function linkNew(path: string, holder: Holder): Promise<boolean> {
  const temp = join(dirname(path), `.${basename(path)}-${holder.token}`);
  await writeFile(temp, JSON.stringify(holder));
  try {
    await link(temp, path);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST") return false;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
    // No hard links on this file system: exclusive creation is good enough for a one-line file.
    return writeFile(path, JSON.stringify(holder), { flag: "wx" }).then(
      () => true,
      () => false,
    );
  } finally {
    await rm(temp, { force: true });
  }
}

/**
 * Replaces the lock of a dead holder. A claim file named after the dead lock decides which process may do so, and only
 * while that lock is still in place. A claim left by a process that died here is skipped by trying the next number,
 * since removing it could race with another process.
 */
async function takeOver(path: string, deadText: string, mine: Holder): Promise<boolean> {
  const dead = parseHolder(deadText)?.token ?? `broken${Buffer.byteLength(deadText)}`;
  const prefix = `${basename(path)}.claim-${dead}-`;
  for (let n = 0; n < 50; n++) {
    const claim = join(dirname(path), `${prefix}${n}`);
    if (!(await linkNew(claim, mine))) {
      const other = parseHolder(await readFile(claim, "utf8").catch(() => ""));
      if (other !== undefined && isAlive(other) && other.token !== mine.token) return false;
      continue;
    }
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text !== deadText) {
      await rm(claim, { force: true });
      return false;
    }
    const temp = join(dirname(path), `.${basename(path)}-${mine.token}`);
    await writeFile(temp, JSON.stringify(mine));
    await rename(temp, path);
    return true;
  }
  return false;
}

/** Age after which a temporary lock file that names no holder must be from a killed process, milliseconds. */
const OLD_MS = 60_000;

/** Removes files left by processes that were killed while taking the lock. Claims refer to locks that no longer exist: a
 * process that still holds one checks the lock again and backs off. The age of a file is measured against the lock that was
 * just written: on a shared disk the clock of its server counts, which is not that of this machine. */
async function sweep(path: string): Promise<void> {
  const folder = dirname(path);
  const written = (await stat(path).catch(() => undefined))?.mtimeMs;
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const isLeftover = async (): Promise<boolean> => {
      const holder = parseHolder(await readFile(file, "utf8").catch(() => ""));
      if (holder !== undefined && !isElsewhere(holder)) return !isAlive(holder);
      const info = await stat(file).catch(() => undefined);
      return info !== undefined && written !== undefined && written - info.mtimeMs > OLD_MS;
    };
    if (name.startsWith(`${basename(path)}.claim-`)) await rm(file, { force: true });
    else if (name.startsWith(`.${basename(path)}-`) && (await isLeftover())) await rm(file, { force: true });
  }
}

/** Whether the lock was taken by an earlier attempt, or by a job that the queue has replaced. */
function isSuperseded(holder: Holder, lease: Lease | undefined): boolean {
  if (holder.lease === undefined || lease === undefined) return false;
  return holder.lease.job !== lease.job || holder.lease.attempt < lease.attempt;
}

function readIfAny(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined; // partial file: its writer died on a file system without hard links
  }
}

/** Whether the holder is invisible to this process: on another machine (shared disk) or in another PID namespace. */
function isElsewhere(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  const here = pidNamespace();
  return holder.pid_ns !== null && here !== null && holder.pid_ns !== here;
}

function isAlive(holder: Holder): boolean {
  const boot = bootId();
  const booted = holder.boot !== null && boot !== null && holder.boot !== boot;
  if (holder.host === hostname() && booted) return false;
  if (isElsewhere(holder)) return true; // cannot be determined from here
  if (holder.pid === process.pid) {
    return held.has(holder.token) || (holder.start !== null && holder.start === processStart(process.pid));
  }
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  // The pid exists; it may belong to a later process.
  return holder.start === null || processStart(holder.pid) === holder.start;
}

function lockedError(path: string, what: string, holder: Holder | undefined): AtomsmithError {
  const where = { where: path, busy: true as const };
  if (holder === undefined) {
    return new AtomsmithError("usage", `${what} is locked by another process`, where);
  }
  const elsewhere = isElsewhere(holder);
  const location =
    elsewhere && holder.host === hostname() ? `${holder.host} (another container)` : holder.host;
  return new AtomsmithError(
    "usage",
    `${what} is locked by process ${holder.pid} on ${location} since ${holder.since}`,
    {
      ...where,
      hint: elsewhere
        ? `wait for it; if that process has certainly ended, delete ${path} and run this again`
        : "wait for it to end, or stop it, then run this again",
    },
  );
}
