// What other processes change is seen here: cheap marks of files, compared every few seconds, become one event for the
// page. Whatever is read for a request is read anew, so a watch decides only when views look again.
import { statSync } from "node:fs";
import type { Config } from "../config/schema.ts";
import type { Hub } from "./events/hub.ts";

const EVERY_MS = 1_500;

export interface Watch {
  /** Type of the event that is published. */
  event: string;
  /** Changes when something that a view shows does; by what it is about. */
  marks(config: Config): ReadonlyMap<string, string>;
}

/** Starts all watches. Returns the function that ends them. */
export function startWatches(watches: readonly Watch[], config: Config, hub: Hub): () => void {
  const known = watches.map((watch) => marksOf(watch, config));
  const timer = setInterval(() => {
    watches.forEach((watch, i) => {
      const now = marksOf(watch, config);
      const before = known[i] ?? new Map<string, string>();
      for (const subject of new Set([...before.keys(), ...now.keys()])) {
        if (before.get(subject) !== now.get(subject)) hub.publish({ type: watch.event, subject });
      }
      known[i] = now;
    });
  }, EVERY_MS);
  return () => clearInterval(timer);
}

/** Time and size of files. */
export function markOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const info = statSync(path, { throwIfNoEntry: false });
      return info === undefined ? "-" : `${info.mtimeMs}:${info.size}`;
    })
    .join(" ");
}

function marksOf(watch: Watch, config: Config): ReadonlyMap<string, string> {
  try {
    return watch.marks(config);
  } catch {
    return new Map(); // a folder that cannot be read: requests say why
  }
}
