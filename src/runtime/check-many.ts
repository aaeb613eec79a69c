// Runs several atom sets in parallel with one sandbox and one reader; results are in the order of the request.
import { checkAtomSet } from "./check-set.ts";
import type { CheckedSet, CheckOptions, CheckServices } from "./check-types.ts";
import { SessionCache } from "./session-cache.ts";

/** Runs all sets, `parallel` at a time. Stops at the first thrown error (interrupted, sandbox, bug); a set that cannot be
 * judged is a result. `onDone` is called after each set. */
export async function checkAtomSets(
  dirs: readonly string[],
  parallel: number,
  options: CheckOptions,
  services: CheckServices,
  onDone: (checked: CheckedSet) => Promise<void> = async () => {},
): Promise<CheckedSet[]> {
  const sessions = new SessionCache(services.sandbox);
  const results = new Map<string, CheckedSet>();
  let next = 0;
  services.emit({ type: "progress", what: "items", done: 0, total: dirs.length });
  let failed = false;
  const worker = async () => {
    for (let dir = dirs[next]; dir !== undefined && !failed; dir = dirs[next]) {
      next += 1;
      services.signal.throwIfAborted();
      try {
        const checked = await checkAtomSet(dir, options, { ...services, sessions });
        await onDone(checked);
        results.set(dir, checked);
        services.emit({
          type: "progress",
          what: "items",
          done: results.size,
          total: dirs.length,
        });
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(parallel, dirs.length) }, worker));
  } finally {
    await sessions.close();
  }
  return dirs.flatMap((dir) => results.get(dir) ?? []);
}
