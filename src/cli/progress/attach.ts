// Chooses how progress is shown: a live view on a terminal, a heartbeat line elsewhere, nothing when quiet.
import type { EventBus } from "../../core/events.ts";
import type { Io } from "../io.ts";
import type { Output } from "../output.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { ProgressState } from "./state.ts";

/** Subscribes the progress display; returns how to end it. */
export function attachProgress(bus: EventBus, output: Output, _io: Io): () => void {
  if (output.quiet) return () => {};
  const state = new ProgressState(Date.now());
  const stop = bus.subscribe((event) => state.take(event));
  const end = startHeartbeat(state, (line) => output.note(line));
  return () => {
    end();
    stop();
  };
}
