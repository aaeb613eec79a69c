// The bus of one run. Apart from the schemas, so that a start that needs no schema does not load them.
import type { Emit, Event, Listener } from "./events.ts";

/** Numbers the events of one run and hands each to every listener in the order of subscription. */
export class EventBus {
  private readonly listeners = new Set<Listener>();
  private seq = 0;
  readonly run: string;

  constructor(run: string) {
    this.run = run;
  }

  readonly emit: Emit = (body) => {
    this.seq += 1;
    const event = { seq: this.seq, at: new Date().toISOString(), run: this.run, ...body } as Event;
    for (const listener of this.listeners) listener(event);
  };

  /** Returns the function that ends the subscription. */
  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
