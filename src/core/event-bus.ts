// The event bus of one run. Separate from the schemas, so that commands without them start faster.
import type { Emit, Event, EventBody } from "./events.ts";

/** The loop and subject of events. Further members are copied into the loop's events. */
export interface Scope {
  loop: string;
  subject: string;
  [member: string]: string;
}

type Listener = (event: Event) => void;

/** Numbers the events of one run and passes each to every listener in the order of subscription. */
export class EventBus {
  private readonly listeners = new Set<Listener>();
  private seq = 0;
  readonly run: string;

  constructor(run: string) {
    this.run = run;
  }

  /** Emits events of the run itself: `loop` and `subject` are null. */
  readonly emit: Emit = (body) => this.send({ loop: null, subject: null }, body);

  /** An emit that adds the scope to every event. `Own`: the events that only this loop has. */
  scope<Own extends { type: string } = never>(scope: Scope): Emit<EventBody | Own> {
    return (body) => this.send(scope, body);
  }

  /** Returns the function that ends the subscription. `E`: the events that the listener handles; it receives others too
   * and must ignore them. */
  subscribe<E extends Event = Event>(listener: (event: E) => void): () => void {
    const added = listener as Listener;
    this.listeners.add(added);
    return () => this.listeners.delete(added);
  }

  private send(scope: Scope | { loop: null; subject: null }, body: { type: string }): void {
    this.seq += 1;
    const { seq, run } = this;
    const { type, ...rest } = body;
    const envelope = { seq, at: new Date().toISOString(), run, type, ...scope };
    // First for the order of members, and last so that the body cannot override it.
    const event = { ...envelope, ...rest, ...envelope };
    for (const listener of this.listeners) listener(event);
  }
}
