// Lets other work of the process run during long computations: timers, signals, other items.

/** Resolves after the event loop has run everything that was waiting. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Milliseconds of work between two yields. */
const SLICE_MS = 40;

/** For loops of many short steps: yields to the event loop at regular intervals. */
export class TimeSlicer {
  private lastYield = performance.now();

  /** Yields when the time slice is used up. Returns true if it did: the caller then checks whether to continue. */
  async yieldIfDue(): Promise<boolean> {
    if (performance.now() - this.lastYield < SLICE_MS) return false;
    await yieldToEventLoop();
    this.lastYield = performance.now();
    return true;
  }
}
