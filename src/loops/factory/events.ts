// The emitter of the factory. Its events are defined in src/contract/factory-events.ts.
import type { FactoryEventBody } from "../../contract/factory-events.ts";
import type { EventBus } from "../../core/event-bus.ts";
import type { Emit, EventBody } from "../../core/events.ts";

export const FACTORY_LOOP = "factory";

export type FactoryEmit = Emit<EventBody | FactoryEventBody>;

/** The emit function of one work order. */
export function factoryEmit(bus: EventBus, subject: string): FactoryEmit {
  return bus.scope<FactoryEventBody>({ loop: FACTORY_LOOP, subject });
}
