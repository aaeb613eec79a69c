// Long readings let other work of the process run now and then: timers, signals, other items.

/** Ends when everything that was waiting in the event loop had its turn. */
export function takeTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Milliseconds of work after which others get their turn. */
const SLICE = 40;

/** For loops of many short steps: gives others their turn when enough time has passed. */
export class Turns {
  private last = performance.now();

  /** True when others had their turn; look then whether to go on. */
  async take(): Promise<boolean> {
    if (performance.now() - this.last < SLICE) return false;
    await takeTurns();
    this.last = performance.now();
    return true;
  }
}
