// Writes the events of one work order to the journal of its run.
import type { EventBus } from "../../core/event-bus.ts";
import type { RunStore } from "../../store/index.ts";
import { FACTORY_LOOP } from "./events.ts";

/** Writes the events of a subject to its journal. A write error must not reach the emitter: the next checkpoint
 * throws it. */
export function keepJournal(bus: EventBus, subject: string, store: RunStore) {
  let failure: unknown;
  const stop = bus.subscribe((event) => {
    if (event.loop !== FACTORY_LOOP || event.subject !== subject) return;
    if (event.type === "model_delta" || failure !== undefined) return;
    try {
      store.record(event);
    } catch (error) {
      failure = error;
    }
  });
  return {
    stop,
    throwIfFailed(): void {
      if (failure !== undefined) throw failure;
    },
  };
}
