// Detects changes by other processes: marks that are cheap to read are compared every few seconds, and a difference is
// published as an event. Requests always read the current state, so a watch only decides when views reload.
import { statSync } from "node:fs";
import type { Marks, ServerContext, Watch } from "./types.ts";

const EVERY_MS = 1_500;
/** A slow watch pauses this multiple of its own duration, so that polling does not load a database. */
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
    // Views reload once after a time without polling.
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
    return new Map(); // unreadable: requests report the error
  }
}
