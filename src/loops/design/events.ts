// The emitter of a design project. Its events are defined in src/contract/design-events.ts.
import type { DesignEventBody } from "../../contract/design-events.ts";
import type { EventBus } from "../../core/event-bus.ts";
import type { Emit, EventBody } from "../../core/events.ts";

/** Name of the loop in the envelope of its events. */
export const DESIGN_LOOP = "design";

export type DesignEmit = Emit<EventBody | DesignEventBody>;

/** The emit function of one project; the subject is the project's name. */
export function designEmit(bus: EventBus, name: string): DesignEmit {
  return bus.scope<DesignEventBody>({ loop: DESIGN_LOOP, subject: name });
}
