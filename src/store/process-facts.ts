// Facts about processes from the Linux kernel; null where they are unknown.
import { readFileSync, readlinkSync } from "node:fs";

/** Start time of a process (field 22 of /proc/PID/stat, clock ticks since boot); null for a zombie process. */
export function processStart(pid: number): string | null {
  const fields = statFields(pid);
  return fields[0] === "Z" ? null : (fields[19] ?? null);
}

/** True if the process is stopped by a signal or a debugger. */
export function isStopped(pid: number): boolean {
  return /^[Tt]$/.test(statFields(pid)[0] ?? "");
}

export function pidNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null;
  }
}

/** Id of the current boot of the machine. */
export function bootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}

/** The fields from the state of the process on; empty for a process that has ended. */
function statFields(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name can contain spaces and parentheses: fields are counted after the last parenthesis.
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
