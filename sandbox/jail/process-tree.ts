// All processes that a supervisor is responsible for. As the subreaper of its descendants it inherits processes whose
// parent has ended, whatever session they moved to: once it has no child, no process of the command is left.
import { existsSync, readdirSync, readFileSync } from "node:fs";

const PAGE_BYTES = 4096;

/** Ids of all descendants of a process; empty on systems other than Linux. `onFound` is called for each process as soon
 * as its children are known, before the rest of the tree is read. */
export function descendants(root: number, onFound: (pid: number) => void = () => {}): number[] {
  if (process.platform !== "linux") return [];
  const childrenOf = existsSync(`/proc/self/task/${process.pid}/children`)
    ? listedChildren
    : scannedChildren();
  const found = new Set<number>();
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const child of childrenOf(pid)) {
      if (!found.has(child)) open.push(child);
      found.add(child);
    }
    if (pid !== root) onFound(pid);
  }
  return [...found];
}

/** The kernel's list of children, one file per thread. */
function listedChildren(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
    );
  } catch {
    // The process ended meanwhile.
    return [];
  }
}

/** Derived from the parent id of every process, for kernels without that list. */
function scannedChildren(): (pid: number) => number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    const parent = Number.isInteger(pid) ? Number(statFields(pid)?.[1]) : Number.NaN;
    if (Number.isInteger(parent)) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  return (pid) => children.get(pid) ?? [];
}

/** Fields of /proc/PID/stat from the state on; undefined when the process has ended. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** Memory of processes that is not file-backed, in bytes. */
export function privateBytes(pids: number[]): number {
  let pages = 0;
  for (const pid of pids) {
    try {
      const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ").map(Number);
      pages += resident - shared;
    } catch {
      // The process ended meanwhile.
    }
  }
  return pages * PAGE_BYTES;
}
