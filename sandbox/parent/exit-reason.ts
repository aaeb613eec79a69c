// Why a child ended, derived from its exit status and its standard error.
import type { FailureKind } from "../types.ts";

/** Why a child ended. `external`: killed by a signal that the parent did not send. */
export interface ExitReason {
  kind: Extract<FailureKind, "timeout" | "memory" | "crashed" | "protocol" | "unavailable">;
  message: string;
  external: boolean;
}

export interface ExitStatus {
  signalCode: string | number | null;
  exitCode: number | null;
  stderr: string;
  /** Memory limit of the running call, if there is one. */
  memoryMb: number | undefined;
  /** The child has sent its hello frame. */
  isStarted: boolean;
}

const OUT_OF_MEMORY =
  /out of memory|allocation fail|failed to allocate|is_heap_oom|bad_alloc|system_error|memory limit/i;

/** Classifies the end of a child that the parent did not end itself. */
export function exitReasonOf({ signalCode, exitCode, stderr, memoryMb, isStarted }: ExitStatus): ExitReason {
  if (OUT_OF_MEMORY.test(stderr)) {
    const message = memoryMb === undefined ? "the child ran out of memory" : memoryMessage(memoryMb);
    return { kind: "memory", message, external: false };
  }
  if (signalCode === "SIGXCPU") {
    return { kind: "timeout", message: "the child used up its processor time", external: false };
  }
  const status = signalCode === null ? `ended with code ${exitCode}` : `was ended by ${signalCode}`;
  const external = signalCode === "SIGKILL" || signalCode === "SIGTERM" || signalCode === "SIGINT";
  const kind = isStarted ? "crashed" : "unavailable";
  return { kind, message: withStderr(`the child ${status}`, stderr), external };
}

export function memoryMessage(memoryMb: number): string {
  return `more than ${memoryMb} MiB of memory; the child was ended`;
}

/** Appends the first lines of the child's standard error to a message. */
export function withStderr(message: string, stderr: string): string {
  const lines = stderr.trim().split("\n").slice(0, 6).join(" | ");
  return lines === "" ? message : `${message}: ${lines.slice(0, 600)}`;
}
