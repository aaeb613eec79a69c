// What the parent can see of a child from outside, and the limits it sets on it.
import { readFileSync } from "node:fs";
import { addressOf, type Libc, openLibc } from "../jail/libc.ts";

const PAGE_BYTES = 4096;
const PRLIMIT64: Partial<Record<string, number>> = { x64: 302, arm64: 261 };
const RLIMIT_AS = 9;
/** Address space beyond what the runtime holds when it has started: isolates, buffers, texts. */
const ROOM_BYTES = 6 * 1024 * 1024 * 1024;

function statm(pid: number): number[] | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readFileSync(`/proc/${pid}/statm`, "utf8").split(" ").map(Number);
  } catch {
    return undefined;
  }
}

/** Resident memory of a process in bytes; undefined where the system does not tell (not Linux, process gone). */
export function residentBytes(pid: number): number | undefined {
  const pages = statm(pid)?.[1];
  return pages === undefined ? undefined : pages * PAGE_BYTES;
}

const TICK_MS = 10;

/** Processor time a process has used, in milliseconds; undefined where the system does not tell. */
export function processorMs(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * TICK_MS : undefined;
  } catch {
    return undefined;
  }
}

let libc: Libc | null | undefined;

/** Keeps a child from reserving memory without end: some buffers count for no limit of V8. Works only without
 * a JIT, which would reserve its code range up front. Best effort; the memory watch stands behind it. */
export function limitAddressSpace(pid: number): void {
  const pages = statm(pid)?.[0];
  const number = PRLIMIT64[process.arch];
  if (pages === undefined || number === undefined) return;
  if (libc === undefined) {
    try {
      libc = openLibc();
    } catch {
      libc = null;
    }
  }
  const limit = BigInt(pages * PAGE_BYTES + ROOM_BYTES);
  const pair = new BigUint64Array([limit, limit]);
  libc?.syscall(number, pid, RLIMIT_AS, addressOf(pair), 0);
}
