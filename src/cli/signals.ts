// The first signal asks the command to stop and save; the second, or a timeout, ends the process at once. Both
// exit with 130.
import { AtomsmithError, EXIT } from "../core/errors.ts";
import type { Io } from "./io.ts";
import type { Output } from "./output.ts";

/** Time for a command to stop after the first signal. */
export const GRACE_MS = 20_000;

/** Connects signals to the controller; returns a function that disconnects them. `last` runs before a forced exit. */
export function wireSignals(
  io: Io,
  controller: AbortController,
  output: Output,
  last: () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const force = (why: string): void => {
    last();
    output.error(new AtomsmithError("interrupted", why));
    output.writeResult(EXIT.interrupted);
    io.exitNow(EXIT.interrupted);
  };
  const stop = io.onSignal((name) => {
    if (controller.signal.aborted) {
      force("stopped at once; the last checkpoint is kept");
      return;
    }
    output.warn(`\n${name}: stopping and saving; repeat to stop at once`);
    timer = setTimeout(
      () => force(`forced to stop after ${GRACE_MS / 1000} s; the last checkpoint is kept`),
      GRACE_MS,
    );
    timer.unref();
    controller.abort(new AtomsmithError("interrupted", `interrupted by ${name}`));
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
