// Stops a run of a loop on the first signal, with a short time for the running stage to finish.
import type { CommandContext } from "./context.ts";

/** Time after the first signal for the running stage to finish, so that a reply that is almost complete is stored.
 * Then the stage is aborted, the partial reply is stored, and the last checkpoint remains valid. Short, because Ctrl-C
 * must take no more than a second. */
const FINISH_MS = 600;

/** Signals for a run: `pause` fires at once, `signal` FINISH_MS later. Removed when the command ends. */
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
