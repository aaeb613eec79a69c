// What other processes change is seen here: cheap marks, compared every few seconds, become one event for the page.
// Requests always read again, so a watch decides only when views do.
import { statSync } from "node:fs";
import type { Marks, ServerContext, Watch } from "./types.ts";

const EVERY_MS = 1_500;
/** A watch that takes long pauses this many times as long, so that a database is not kept busy by looking. */
const PAUSE = { times: 10, longestMs: 10_000 };

/** Starts all watches. Returns the function that ends them. */
export function startWatches(watches: readonly Watch[], context: ServerContext): () => void {
  const ends = watches.map((watch) => startWatch(watch, context));
  return () => {
    for (const end of ends) end();
  };
}

function startWatch(watch: Watch, context: ServerContext): () => void {
  let known: Marks | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended = false;
  const look = async (): Promise<void> => {
    const began = performance.now();
    const now = await marksOf(watch, context);
    if (ended) return;
    if (known !== undefined && now !== undefined) {
      for (const subject of changedIn(known, now)) context.hub.publish({ type: watch.event, subject });
    }
    // After a time without looking views read again in any case.
    known = now ?? new Map();
    timer = setTimeout(look, pauseAfter(performance.now() - began));
  };
  void look();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

function pauseAfter(ms: number): number {
  return Math.max(EVERY_MS, Math.min(PAUSE.longestMs, PAUSE.times * ms));
}

function changedIn(before: Marks, now: Marks): string[] {
  const subjects = new Set([...before.keys(), ...now.keys()]);
  return [...subjects].filter((subject) => before.get(subject) !== now.get(subject));
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

async function marksOf(watch: Watch, context: ServerContext): Promise<Marks | undefined> {
  try {
    return await watch.marks(context);
  } catch {
    return new Map(); // what cannot be read: requests say why
  }
}
