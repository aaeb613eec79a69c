// Without a terminal: one line every 30 seconds, so that a build log shows that a long run is alive.
import type { ProgressState } from "./state.ts";
import { countsText, doneText } from "./state.ts";

export const HEARTBEAT_MS = 30_000;

/** Starts the heartbeat; returns a function that ends it. Silent until the first item is known. */
export function startHeartbeat(
  state: ProgressState,
  write: (line: string) => void,
  everyMs = HEARTBEAT_MS,
): () => void {
  const timer = setInterval(() => {
    if (state.items.size > 0) write(heartbeatLine(state, Date.now()));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** The summary in one line. */
export function heartbeatLine(state: ProgressState, now: number): string {
  return `${doneText(state, now)}: ${countsText(state, now)}`;
}
