// How the first signal of a person ends a run of a loop: the stage under way gets a moment to finish.
import type { CommandContext } from "./context.ts";

/** After the first signal a stage under way has this long to finish, so that a reply that is about to be whole is
 * kept whole; then it is ended, what came of a reply is stored, and the last checkpoint stands. Ctrl-C is to take
 * no more than a second. */
const FINISH_MS = 600;

/** Signals for a run: `pause` at once, `signal` a moment later. Undone when the command ends. */
export function stopSignals(context: CommandContext): { signal: AbortSignal; pause: AbortSignal } {
  const end = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = (): void => {
    timer = setTimeout(() => end.abort(context.signal.reason), FINISH_MS);
    timer.unref();
  };
  if (context.signal.aborted) pause();
  else context.signal.addEventListener("abort", pause, { once: true });
  context.onCleanup(() => clearTimeout(timer));
  return { signal: end.signal, pause: context.signal };
}
