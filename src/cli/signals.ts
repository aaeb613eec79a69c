// The first signal asks the command to stop and save; the second, or a command that does not stop in time,
// ends the process at once. Both with 130.
import { AtomsmithError, EXIT } from "../core/errors.ts";
import type { Io } from "./io.ts";
import type { Output } from "./output.ts";

/** Time a command has to stop after the first signal. */
export const GRACE_MS = 20_000;

/** Wires signals to the controller; returns how to undo that. `last` runs before a forced end. */
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
    output.warn(`\n${name}: stopping and saving. Once more to stop at once.`);
    timer = setTimeout(
      () => force(`not stopped after ${GRACE_MS / 1000} s, so ended; the last checkpoint is kept`),
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
