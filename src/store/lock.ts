// One process per folder. The lock is a file that says who holds it (host, pid, start of the process, boot);
// a lock whose holder is dead is taken over, and two processes that try this at once cannot both succeed.
import { readFileSync } from "node:fs";
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
  /** Start of the process in the kernel's own unit; null where the system does not tell. */
  start: z.string().nullable(),
  /** Identity of this boot of the machine; null where the system does not tell. */
  boot: z.string().nullable(),
  since: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

/** Tokens held by this process: our own pid in a lock file is only ours when its token is in here. */
const held = new Set<string>();

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Takes the lock file at `path`. Throws kind `usage` (exit 2) when a living process holds it, or when that
 * cannot be known because it was taken on another machine.
 */
export async function takeLock(path: string, what: string): Promise<FolderLock> {
  const mine: Holder = {
    token: randomHex(8),
    host: hostname(),
    pid: process.pid,
    start: processStart(process.pid),
    boot: bootId(),
    since: new Date().toISOString(),
  };
  try {
    await mkdir(dirname(path), { recursive: true });
    for (let round = 0; round < 50; round++) {
      if (await linkNew(path, mine)) return await owned(path, mine);
      const text = await readFile(path, "utf8").catch(() => undefined);
      if (text === undefined) continue; // released between the two steps
      const holder = parseHolder(text);
      if (holder !== undefined && isAlive(holder)) throw busy(path, what, holder);
      if (await takeOver(path, text, mine)) return await owned(path, mine);
    }
  } catch (error) {
    throw storeError(error, path);
  }
  throw new AtomsmithError("usage", `${what} is being worked on by another process`, { where: path });
}

/** Is the lock held by a process that lives, as far as this machine can tell? Takes nothing. */
export async function isLockHeld(path: string): Promise<boolean> {
  const holder = parseHolder(await readFile(path, "utf8").catch(() => ""));
  return holder !== undefined && isAlive(holder);
}

async function owned(path: string, mine: Holder): Promise<FolderLock> {
  held.add(mine.token);
  await sweep(path);
  return {
    async release(): Promise<void> {
      if (!held.delete(mine.token)) return;
      const text = await readFile(path, "utf8").catch(() => "");
      if (parseHolder(text)?.token === mine.token) await unlink(path).catch(() => undefined);
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

function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true; // another machine on a shared disk: not ours to judge
  if (holder.boot !== null && bootId() !== null && holder.boot !== bootId()) return false;
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

function busy(path: string, what: string, holder: Holder): AtomsmithError {
  const elsewhere = holder.host !== hostname();
  return new AtomsmithError(
    "usage",
    `${what} is being worked on by process ${holder.pid} on ${holder.host} since ${holder.since}`,
    {
      where: path,
      hint: elsewhere
        ? `wait for it; if that process is gone for certain, delete ${path} and run this again`
        : "wait for it to end, or stop it, then run this again",
    },
  );
}

/** Start time of a process from the kernel (Linux: field 22 of /proc/PID/stat, clock ticks since boot). */
function processStart(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name may hold spaces and parentheses; fields are counted after the last one.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[19] ?? null;
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
