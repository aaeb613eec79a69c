// Long readings let other work of the process run now and then: timers, signals, other items.

/** Ends when everything that was waiting in the event loop had its turn. */
export function takeTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
