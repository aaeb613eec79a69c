// Starts this program in another role as a separate process, whose crash affects nothing else: its command line and the
// paths it must read. Run by `runCommand`.
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { embeddedRuntime } from "./runtime/embedded.ts";
import { ownExecutable } from "./runtime/own-executable.ts";

export interface OwnRole {
  /** First argument, which selects the role in src/main.ts. */
  flag: string;
  /** Absolute path of the module that is started instead in a checkout. */
  source: string;
}

/** System paths that the process needs: libraries, and information of the kernel for the runtime. */
const SYSTEM = ["/usr", "/lib", "/lib64", "/proc", "/sys/fs/cgroup", "/etc/ld.so.cache"];

/** The command line and readable paths for the executable or, in a checkout, for the sources. */
export function ownProcess({ flag, source }: OwnRole): { argv: string[]; readable: string[] } {
  const isBuilt = embeddedRuntime() !== undefined;
  const sources = isBuilt ? [] : [realpathSync(join(import.meta.dirname, ".."))];
  return {
    argv: [ownExecutable(), ...(isBuilt ? [] : [source]), flag],
    readable: [...SYSTEM, ...sources].filter(
      (path) => statSync(path, { throwIfNoEntry: false }) !== undefined,
    ),
  };
}
