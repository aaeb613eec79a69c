// Memory and CPU time of a child as seen from outside, and the limits that the parent sets on it.
import { readFileSync } from "node:fs";
import { addressOf, type Libc, openLibc } from "../jail/libc.ts";

const PAGE_BYTES = 4096;
const PRLIMIT64: Partial<Record<string, number>> = { x64: 302, arm64: 261 };
const RLIMIT_CPU = 0;
const RLIMIT_DATA = 2;
const RLIMIT_AS = 9;
/** Address space beyond that of the started runtime: isolates, buffers, texts. */
const ADDRESS_SPACE_BYTES = 6 * 1024 * 1024 * 1024;

function statm(pid: number): number[] | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readFileSync(`/proc/${pid}/statm`, "utf8").split(" ").map(Number);
  } catch {
    return undefined;
  }
}

/** Resident memory of a process in bytes; undefined on systems other than Linux and when the process has ended. */
export function residentBytes(pid: number): number | undefined {
  const pages = statm(pid)?.[1];
  return pages === undefined ? undefined : pages * PAGE_BYTES;
}

/** Private writable memory of a process in bytes, touched or not; undefined like `residentBytes`. */
export function dataBytes(pid: number): number | undefined {
  const pages = statm(pid)?.[5];
  return pages === undefined ? undefined : pages * PAGE_BYTES;
}

const TICK_MS = 10;

/** CPU time of a process in milliseconds; undefined like `residentBytes`. */
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

/** Reads a limit of another process into `old`, or sets it from `wanted`. False if that is not possible. */
function prlimit(pid: number, resource: number, wanted?: BigUint64Array, old?: BigUint64Array): boolean {
  const number = PRLIMIT64[process.arch];
  if (process.platform !== "linux" || number === undefined) return false;
  if (libc === undefined) {
    try {
      libc = openLibc();
    } catch {
      libc = null;
    }
  }
  const address = (pair: BigUint64Array | undefined) => (pair === undefined ? 0 : addressOf(pair));
  return libc !== null && libc.syscall(number, pid, resource, address(wanted), address(old)) >= 0;
}

/** Limits the address space of a process to its current size plus `roomBytes`, since some buffers count towards no limit
 * of the engine. An engine with a JIT must have started, because it reserves its code range up front. Best effort; the
 * memory watch is the backup. */
export function limitAddressSpace(pid: number, roomBytes = ADDRESS_SPACE_BYTES): void {
  const pages = statm(pid)?.[0];
  if (pages === undefined) return;
  const limit = BigInt(pages * PAGE_BYTES + roomBytes);
  prlimit(pid, RLIMIT_AS, new BigUint64Array([limit, limit]));
}

/** Limits the private writable memory of a process: an allocation beyond it fails. Best effort; the memory watch is the
 * backup. */
export function limitData(pid: number, bytes: number): void {
  limitSoftly(pid, RLIMIT_DATA, bytes);
}

/** Allows a child `ms` of CPU time beyond the `usedMs` it has used; then the system ends it with SIGXCPU. Best effort: a
 * backup for the wall clock in case the parent is stopped or too busy to run its timers. */
export function limitProcessorTime(pid: number, usedMs: number, ms: number): void {
  limitSoftly(pid, RLIMIT_CPU, Math.ceil((usedMs + ms) / 1000));
}

/** Changes only the soft limit, since a hard one could not be raised again. */
function limitSoftly(pid: number, resource: number, limit: number): void {
  const old = new BigUint64Array(2);
  if (!prlimit(pid, resource, undefined, old)) return;
  const [, hard = 0n] = old;
  const soft = BigInt(limit);
  prlimit(pid, resource, new BigUint64Array([soft < hard ? soft : hard, hard]));
}
