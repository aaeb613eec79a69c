// Chooses how progress is shown: a live view on a terminal, a heartbeat line elsewhere, nothing when quiet.
import type { EventBus } from "../../core/event-bus.ts";
import type { AnyEvent } from "../../loops/events.ts";
import type { Io } from "../io.ts";
import type { Output } from "../output.ts";
import type { Style } from "../style.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { LiveView } from "./live.ts";
import { duration, ProgressState } from "./state.ts";

/** Nothing is drawn before: a command that is quick needs no view. */
const FIRST_DRAW_MS = 300;
/** Shortest time between two drawings, and the beat of the clocks in them. */
const REDRAW_MS = 100;
const CLOCK_MS = 1_000;
/** Items that are quicker stand in the command's own table soon enough. */
const WORTH_TELLING_MS = 2_000;

/** Subscribes the progress display; returns how to end it (at once, also from a signal handler). */
export function attachProgress(bus: EventBus, output: Output, io: Io): () => void {
  if (output.quiet) return () => {};
  const state = new ProgressState(Date.now());
  const stop = bus.subscribe<AnyEvent>((event) => state.take(event));
  const live = io.stderr.isTTY && io.env["TERM"] !== "dumb";
  const end = live ? startLive(bus, state, output, io) : startHeartbeat(state, (line) => output.note(line));
  return () => {
    end();
    stop();
  };
}

function startLive(bus: EventBus, state: ProgressState, output: Output, io: Io): () => void {
  const view = new LiveView(state, io.stderr, output.errorStyle);
  output.setLive(view);
  let lastDrawn = 0;
  const started = Date.now();
  let due: ReturnType<typeof setTimeout> | undefined;
  const draw = () => {
    due = undefined;
    lastDrawn = Date.now();
    view.draw(lastDrawn);
  };
  const ask = () => {
    const now = Date.now();
    const wait = Math.max(lastDrawn + REDRAW_MS - now, started + FIRST_DRAW_MS - now, 0);
    due ??= setTimeout(draw, wait).unref();
  };
  const clock = setInterval(ask, CLOCK_MS).unref();
  const stop = bus.subscribe<AnyEvent>((event) => {
    if (event.type === "item_finished" && event.duration_ms >= WORTH_TELLING_MS) {
      const line = finishedLine(event, output.errorStyle);
      if (line !== undefined) output.note(line);
    }
    ask();
  });
  return () => {
    stop();
    clearInterval(clock);
    clearTimeout(due);
    view.stop();
    output.setLive(undefined);
  };
}

/** A line that stays above the view. Checks tell all their results at the end; an author's work takes long
 * enough to be told as it comes. */
function finishedLine(event: AnyEvent & { type: "item_finished" }, style: Style): string | undefined {
  const time = style.dim(`(${duration(event.duration_ms)})`);
  switch (event.status) {
    case "accepted":
      return `${style.green("accepted")}        ${event.subject} ${time}`;
    case "human_required":
      return `${style.yellow("needs a person")}  ${event.subject} ${time}`;
    case "error":
      return `${style.red("error")}           ${event.subject} ${time} ${event.message ?? ""}`.trimEnd();
    default:
      return undefined;
  }
}
