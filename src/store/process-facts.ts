// What the kernel says of processes (Linux): null where it is unknown.
import { readFileSync, readlinkSync } from "node:fs";

/** Start time of a process (field 22 of /proc/PID/stat, clock ticks since boot); null for a zombie process. */
export function processStart(pid: number): string | null {
  const fields = statFields(pid);
  return fields[0] === "Z" ? null : (fields[19] ?? null);
}

/** Is the process stopped by a signal or a debugger? */
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

/** From the state of the process on; none for a process that has ended. */
function statFields(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name may hold spaces and parentheses; fields are counted after the last one.
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
