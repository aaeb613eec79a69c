// Memory and CPU limits of one child, set from outside with prlimit, and samples of its usage. Linux only; on other systems
// nothing is limited or measured. Design: docs/sandbox.md.
import type { RunRequest } from "../protocol.ts";
import { dataBytes, limitData, limitProcessorTime, processorMs, residentBytes } from "./process-info.ts";

const MIB = 1024 * 1024;
/** Private memory of a child beyond that of an idle one, as a multiple of the memory limit of a call; the process then stays
 * below twice the default limit. The part above 1 is for the copying garbage collector and for results being sent. */
const MEMORY_FACTOR = 1.6;
/** Minimum memory beyond the limit of a call: copies and garbage do not shrink with the limit. */
const MIN_ROOM_BYTES = 128 * MIB;
/** Copies of the texts of a request: received, decoded, transferred, in the isolate, and garbage of earlier ones. */
const TEXT_FACTOR = 6;
/** CPUs that the threads of a child can keep busy, and CPU time that it always has in reserve. */
const PROCESSORS = 3;
const CPU_RESERVE_MS = 30_000;

export class ChildLimits {
  private readonly pid: number;
  /** Private and resident memory right after the start. */
  private idle: { data: number; resident: number } | undefined;
  private dataLimit = 0;
  /** The CPU time granted last, and when. */
  private cpuAllowance = { at: 0, ms: 0 };

  constructor(pid: number) {
    this.pid = pid;
  }

  /** Records the size of the idle child; called once, when it is ready. */
  measureIdle(): void {
    const data = dataBytes(this.pid);
    const resident = residentBytes(this.pid);
    if (data !== undefined && resident !== undefined) this.idle = { data, resident };
  }

  /** Limits the private memory of the child for one request with `bytes` of arguments. The kernel enforces the limit at
   * each allocation, so that no burst exceeds it. */
  limitMemory(request: RunRequest, bytes: number): void {
    if (this.idle === undefined) return;
    const limit = this.idle.data + requestBytes(request, bytes);
    if (limit === this.dataLimit) return;
    this.dataLimit = limit;
    limitData(this.pid, limit);
  }

  /** Whether the child uses more memory than a request may need; a backup for the limit of the kernel. */
  exceedsMemory(request: RunRequest, bytes: number): boolean {
    const resident = this.idle === undefined ? undefined : residentBytes(this.pid);
    if (this.idle === undefined || resident === undefined) return false;
    return resident > this.idle.resident + requestBytes(request, bytes);
  }

  /** Raises the CPU limit of the child so that it covers `ms` of wall time. The limit is changed only when the rest of it
   * might not be enough, so most calls need no system call. */
  extendCpuTime(ms: number): void {
    const now = performance.now();
    const wanted = PROCESSORS * ms;
    if (this.cpuAllowance.ms - PROCESSORS * (now - this.cpuAllowance.at) >= wanted) return;
    const used = processorMs(this.pid);
    if (used === undefined) return;
    this.cpuAllowance = { at: now, ms: 2 * wanted + CPU_RESERVE_MS };
    limitProcessorTime(this.pid, used, this.cpuAllowance.ms);
  }
}

/** Memory that a request may add to an idle child, in bytes. */
function requestBytes(request: RunRequest, bytes: number): number {
  const limit = request.limits.memoryMb * MIB;
  return Math.ceil(Math.max(MEMORY_FACTOR * limit, limit + MIN_ROOM_BYTES) + TEXT_FACTOR * bytes);
}
