// The wall clock and the memory watch of one call: whatever happens inside the child, a call ends when its time is up.
import type { RunRequest } from "../protocol.ts";
import type { ChildLimits } from "./child-limits.ts";
import { type ExitReason, memoryMessage } from "./exit-reason.ts";
import { processorMs } from "./process-info.ts";

/** Time beyond the limit of a call before its child is killed: transport, compilation, garbage collection. */
const GRACE_MS = 600;
/** A child that got less than this share of its time limit as CPU time was delayed by other work of the machine. */
const STARVED_SHARE = 0.5;
const MAX_EXTENSIONS = 4;
/** Assumed transport rate, for the time limit of large requests. */
const TRANSPORT_BYTES_PER_SECOND = 50 * 1024 * 1024;
const WATCH_MS = 100;
const SHORT_MS = 10 * WATCH_MS;

export class CallClock {
  private readonly pid: number;
  private readonly limits: ChildLimits;
  private readonly request: RunRequest;
  private readonly bytes: number;
  private readonly onExceeded: (reason: ExitReason) => void;
  private readonly watch: ReturnType<typeof setInterval>;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  /** When the clock was started, and the child's CPU time then; undefined until the first sample. */
  private start: { at: number; cpuMs: number | undefined } = { at: 0, cpuMs: undefined };

  /** Starts the clock of a request with `bytes` of arguments.
   * @param onExceeded called when the time or memory limit is exceeded */
  constructor(
    pid: number,
    limits: ChildLimits,
    request: RunRequest,
    bytes: number,
    onExceeded: (reason: ExitReason) => void,
  ) {
    this.pid = pid;
    this.limits = limits;
    this.request = request;
    this.bytes = bytes;
    this.onExceeded = onExceeded;
    this.watch = setInterval(() => this.sample(), WATCH_MS);
    limits.limitMemory(request, bytes);
    this.restart((bytes / TRANSPORT_BYTES_PER_SECOND) * 1000);
  }

  /** Restarts the wall clock for the next outcome. A child that got hardly any CPU time gets a bounded number of
   * extensions; a child that computes gets none. */
  restart(extraMs = 0, extensions = 0): void {
    clearTimeout(this.deadline);
    const { timeoutMs } = this.request.limits;
    const ms = timeoutMs + GRACE_MS + extraMs;
    this.limits.extendCpuTime(ms);
    // With a short limit, the time until the first sample would be too large a share of it.
    const cpuMs = timeoutMs < SHORT_MS ? processorMs(this.pid) : undefined;
    this.start = { at: performance.now(), cpuMs };
    this.deadline = setTimeout(() => this.onDeadline(extensions), ms);
  }

  stop(): void {
    clearTimeout(this.deadline);
    clearInterval(this.watch);
  }

  private onDeadline(extensions: number): void {
    const { timeoutMs } = this.request.limits;
    const cpuMs = processorMs(this.pid);
    const before = this.start.cpuMs;
    const isStarved =
      before !== undefined && cpuMs !== undefined && cpuMs - before < timeoutMs * STARVED_SHARE;
    if (isStarved && extensions < MAX_EXTENSIONS) {
      this.restart(0, extensions + 1);
      return;
    }
    const message = `no result within ${timeoutMs} ms; the child was killed`;
    this.onExceeded({ kind: "timeout", message, external: false });
  }

  /** Samples CPU time and memory of the child. Most calls end before the first sample. */
  private sample(): void {
    if (this.start.cpuMs === undefined) {
      // The CPU time used so far is unknown; assume the maximum, all of the elapsed time.
      const cpuMs = processorMs(this.pid);
      if (cpuMs !== undefined) this.start.cpuMs = cpuMs - (performance.now() - this.start.at);
    }
    if (!this.limits.exceedsMemory(this.request, this.bytes)) return;
    const message = memoryMessage(this.request.limits.memoryMb);
    this.onExceeded({ kind: "memory", message, external: false });
  }
}
