// One process at a time unpacks into a folder; the others wait for it instead of writing 110 MB each. A lock
// whose owner is gone is taken over; whoever waited too long goes ahead, which is wasteful but harmless.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const WAIT_MS = 20_000;
const POLL_MS = 20;
/** A lock without an owner's name yet is young; after this time its maker is taken for dead. */
const NAMELESS_MS = 2_000;

/** Runs `work` while holding the lock of `place`, if it can be had in time. */
export async function withUnpackLock(place: string, work: () => void): Promise<void> {
  const lock = join(place, "unpack.lock");
  const owner = join(lock, "owner");
  const deadline = Date.now() + WAIT_MS;
  let held = false;
  while (!held && Date.now() < deadline) {
    try {
      mkdirSync(lock, { mode: 0o700 });
      held = true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (isStale(lock, owner)) rmSync(lock, { recursive: true, force: true });
      else await Bun.sleep(POLL_MS);
    }
  }
  try {
    if (held) writeFileSync(owner, String(process.pid));
    work();
  } finally {
    if (held) rmSync(lock, { recursive: true, force: true });
  }
}

function isStale(lock: string, owner: string): boolean {
  try {
    const pid = Number(readFileSync(owner, "utf8"));
    if (!Number.isInteger(pid) || pid <= 0) return isOld(lock);
    process.kill(pid, 0);
    return false;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ESRCH") return true;
    return code === "ENOENT" ? isOld(lock) : false;
  }
}

function isOld(lock: string): boolean {
  try {
    return Date.now() - statSync(lock).mtimeMs > NAMELESS_MS;
  } catch {
    return false;
  }
}
