// What the parent can see of a child from outside.
import { readFileSync } from "node:fs";

const PAGE_BYTES = 4096;

/** Resident memory of a process in bytes; undefined where the system does not tell (not Linux, process gone). */
export function residentBytes(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
    return Number.isFinite(pages) ? pages * PAGE_BYTES : undefined;
  } catch {
    return undefined;
  }
}
