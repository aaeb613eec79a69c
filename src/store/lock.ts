// One process at a time: a lock is a file that says who holds it (host, pid, PID namespace, start of the process,
// boot). A lock whose holder is dead is taken over, and two processes that try this at once cannot both succeed.
import { readFileSync, readlinkSync } from "node:fs";
import { link, mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { AtomsmithError } from "../core/errors.ts";
import { randomHex } from "../core/random.ts";
import { storeError } from "./atomic.ts";

const holderSchema = z.object({
  token: z.string(),
  host: z.string(),
  pid: z.number().int(),
  /** PID namespace in which `pid` counts (containers of one host have several); null where the system has none.
   * Locks of older programs do not say. */
  pid_ns: z.string().nullable().default(null),
  /** Start of the process in the kernel's own unit; null where the system does not tell. */
  start: z.string().nullable(),
  /** Identity of this boot of the machine; null where the system does not tell. */
  boot: z.string().nullable(),
  since: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

/** Tokens held by this process: our own pid in a lock file is only ours when its token is in here. */
const held = new Set<string>();

export interface ProcessLock {
  release(): Promise<void>;
  /** Tells where the lock file stands after the folder around it was renamed. */
  moved(path: string): void;
}

/**
 * Takes the lock file at `path`; its folder is made when missing. `what` names in messages what is locked. Throws
 * kind `usage` (exit 2) when a living process holds it, or when that cannot be known because it was taken on
 * another machine or in another PID namespace.
 */
export async function takeLock(path: string, what: string): Promise<ProcessLock> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const got = await tryLock(path);
    if ("release" in got) return got;
    throw busy(path, what, got.holder);
  } catch (error) {
    throw storeError(error, path);
  }
}

/** The same for a folder that must be there; undefined when there is none (any more). */
export async function takeLockIfFolder(path: string, what: string): Promise<ProcessLock | undefined> {
  try {
    const got = await tryLock(path);
    if ("release" in got) return got;
    throw busy(path, what, got.holder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw storeError(error, path);
  }
}

const POLL_MS = 20;

/** Waits for the lock at most `timeoutMs`; undefined when somebody still holds it then. For work that may be done
 * twice: whoever waited too long goes ahead without the lock. */
export async function waitForLock(
  path: string,
  options: { timeoutMs: number },
): Promise<ProcessLock | undefined> {
  const deadline = performance.now() + options.timeoutMs;
  try {
    await mkdir(dirname(path), { recursive: true });
    for (;;) {
      if (!(await isLockHeld(path))) {
        const got = await tryLock(path);
        if ("release" in got) return got;
      }
      if (performance.now() >= deadline) return undefined;
      await Bun.sleep(POLL_MS);
    }
  } catch (error) {
    throw storeError(error, path);
  }
}

/** Is the lock held by a process that lives, as far as this machine can tell? Takes nothing. */
export async function isLockHeld(path: string): Promise<boolean> {
  const holder = parseHolder(await readFile(path, "utf8").catch(() => ""));
  return holder !== undefined && isAlive(holder);
}

/** The lock, or who has it (undefined when the holder changed at every look). */
async function tryLock(path: string): Promise<ProcessLock | { holder: Holder | undefined }> {
  const mine: Holder = {
    token: randomHex(8),
    host: hostname(),
    pid: process.pid,
    pid_ns: pidNamespace(),
    start: processStart(process.pid),
    boot: bootId(),
    since: new Date().toISOString(),
  };
  for (let round = 0; round < 50; round++) {
    if (await linkNew(path, mine)) return owned(path, mine);
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text === undefined) continue; // released between the two steps
    const holder = parseHolder(text);
    if (holder !== undefined && isAlive(holder)) return { holder };
    if (await takeOver(path, text, mine)) return owned(path, mine);
  }
  return { holder: undefined };
}

async function owned(path: string, mine: Holder): Promise<ProcessLock> {
  held.add(mine.token);
  await sweep(path);
  let at = path;
  return {
    async release(): Promise<void> {
      if (!held.delete(mine.token)) return;
      const text = await readFile(at, "utf8").catch(() => "");
      if (parseHolder(text)?.token === mine.token) await unlink(at).catch(() => undefined);
    },
    moved(to: string): void {
      at = to;
    },
  };
}

/** Creates `path` with its whole content in one step; false when something stands there already. */
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
    // A file system without hard links: exclusive creation, complete enough for a file of one line.
    return writeFile(path, JSON.stringify(holder), { flag: "wx" }).then(
      () => true,
      () => false,
    );
  } finally {
    await rm(temp, { force: true });
  }
}

/**
 * Replaces a dead holder's lock. The right to do so is a claim file named after the dead lock's content, so
 * that only one of several processes gets it, and only while that very lock still stands. A claim left by a
 * process that died in here is passed over by the next number, never removed under someone's feet.
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
    const now = await readFile(path, "utf8").catch(() => undefined);
    if (now !== deadText) {
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

/** Age after which a temporary lock file is surely left by a killed process, milliseconds. */
const OLD_MS = 60_000;

/** Removes what processes that were killed while taking the lock left beside it. Claims speak of locks that stand
 * no more: whoever still holds one looks at the lock again and backs off. */
async function sweep(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const isOld = async (): Promise<boolean> => {
      const info = await stat(file).catch(() => undefined);
      return info !== undefined && Date.now() - info.mtimeMs > OLD_MS;
    };
    if (name.startsWith(`${basename(path)}.claim-`)) await rm(file, { force: true });
    else if (name.startsWith(`.${basename(path)}-`) && (await isOld())) await rm(file, { force: true });
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined; // half a lock file: its writer died on a file system without hard links
  }
}

/** A holder whose processes this one cannot see: on another machine (shared disk), or in another PID namespace. */
function isElsewhere(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  const here = pidNamespace();
  return holder.pid_ns !== null && here !== null && holder.pid_ns !== here;
}

function isAlive(holder: Holder): boolean {
  const boot = bootId();
  const booted = holder.boot !== null && boot !== null && holder.boot !== boot;
  if (holder.host === hostname() && booted) return false;
  if (isElsewhere(holder)) return true; // not ours to judge
  if (holder.pid === process.pid) {
    return held.has(holder.token) || (holder.start !== null && holder.start === processStart(process.pid));
  }
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  // The pid lives; is it the same process, or a later one with the same number?
  return holder.start === null || processStart(holder.pid) === holder.start;
}

function busy(path: string, what: string, holder: Holder | undefined): AtomsmithError {
  const where = { where: path, busy: true as const };
  if (holder === undefined) {
    return new AtomsmithError("usage", `${what} is being worked on by another process`, where);
  }
  const elsewhere = isElsewhere(holder);
  const place = elsewhere && holder.host === hostname() ? `${holder.host} (another container)` : holder.host;
  return new AtomsmithError(
    "usage",
    `${what} is being worked on by process ${holder.pid} on ${place} since ${holder.since}`,
    {
      ...where,
      hint: elsewhere
        ? `wait for it; if that process is gone for certain, delete ${path} and run this again`
        : "wait for it to end, or stop it, then run this again",
    },
  );
}

/** Start time of a process from the kernel (Linux: field 22 of /proc/PID/stat, clock ticks since boot); null for a
 * process that has ended and only waits to be reaped by its parent. */
function processStart(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name may hold spaces and parentheses; fields are counted after the last one.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

function pidNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}

function bootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}
