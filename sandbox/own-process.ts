// This program in another role, as a process of its own that may die of what it is given: its command line, and what it
// needs to read. Run by `runCommand`.
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { embeddedRuntime } from "./runtime/embedded.ts";

export interface OwnRole {
  /** First argument, by which src/main.ts knows the role. */
  flag: string;
  /** Absolute path of the module that is started instead in a checkout. */
  source: string;
}

/** What the process needs of the system: libraries, and what the runtime asks of the kernel. */
const SYSTEM = ["/usr", "/lib", "/lib64", "/proc", "/sys/fs/cgroup", "/etc/ld.so.cache"];

/** The executable, or the sources of a checkout. */
export function ownProcess({ flag, source }: OwnRole): { argv: string[]; readable: string[] } {
  const isBuilt = embeddedRuntime() !== undefined;
  const sources = isBuilt ? [] : [realpathSync(join(import.meta.dirname, ".."))];
  return {
    argv: [process.execPath, ...(isBuilt ? [] : [source]), flag],
    readable: [...SYSTEM, ...sources].filter(
      (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
    ),
  };
}
