// The bus of one run. Apart from the schemas, so that a start that needs no schema does not load them.
import type { Emit, Event, EventBody } from "./events.ts";

/** Whose events they are: a loop and what it works on. Further members stand in the loop's events as they are. */
export interface Scope {
  loop: string;
  subject: string;
  [member: string]: string;
}

type Listener = (event: Event) => void;

/** Numbers the events of one run and hands each to every listener in the order of subscription. */
export class EventBus {
  private readonly listeners = new Set<Listener>();
  private seq = 0;
  readonly run: string;

  constructor(run: string) {
    this.run = run;
  }

  /** Emits events of the run itself: `loop` and `subject` are null. */
  readonly emit: Emit = (body) => this.send({ loop: null, subject: null }, body);

  /** An emit that says in every event whose it is. `Own`: the members that only this loop has. */
  scope<Own extends { type: string } = never>(scope: Scope): Emit<EventBody | Own> {
    return (body) => this.send(scope, body);
  }

  /** Returns the function that ends the subscription. `E`: the union of the events the listener knows; others come
   * too, and it must pass over them. */
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
    // First for the order of a line, and last because it is not the body's to say.
    const event = { ...envelope, ...rest, ...envelope };
    for (const listener of this.listeners) listener(event);
  }
}
