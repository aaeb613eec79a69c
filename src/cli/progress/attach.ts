// Selects the progress display: a live view on a terminal, heartbeat lines elsewhere, none with --quiet.
import type { EventBus } from "../../core/event-bus.ts";
import type { AnyEvent } from "../../loops/events.ts";
import type { Io } from "../io.ts";
import type { Output } from "../output.ts";
import type { Style } from "../style.ts";
import { startHeartbeat } from "./heartbeat.ts";
import { LiveView } from "./live.ts";
import { duration, ProgressState } from "./state.ts";

/** Delay before the first drawing: a quick command needs no view. */
const FIRST_DRAW_MS = 300;
/** Shortest time between two drawings, and the interval of clock updates. */
const REDRAW_MS = 100;
const CLOCK_MS = 1_000;
/** Items that finish faster are only shown in the command's result. */
const WORTH_TELLING_MS = 2_000;

/** Subscribes the progress display; returns a function that ends it at once, also from a signal handler. */
export function attachProgress(bus: EventBus, output: Output, io: Io): () => void {
  if (output.quiet) return () => {};
  const state = new ProgressState(Date.now());
  const stop = bus.subscribe<AnyEvent>((event) => state.add(event));
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

/** A permanent line above the view. Checks print all results at the end; results of authors take long enough to
 * be printed as they arrive. */
function finishedLine(event: AnyEvent & { type: "item_finished" }, style: Style): string | undefined {
  const time = style.dim(`(${duration(event.duration_ms)})`);
  switch (event.status) {
    case "accepted":
      return `${style.green("accepted")}        ${event.subject} ${time}`;
    case "human_required":
      return `${style.yellow("needs review")}  ${event.subject} ${time}`;
    case "error":
      return `${style.red("error")}           ${event.subject} ${time} ${event.message ?? ""}`.trimEnd();
    default:
      return undefined;
  }
}
