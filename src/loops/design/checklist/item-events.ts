// Events of the items that a design project checks: emitted as events of the item loop.
import type { ItemEmit, ItemEventBody } from "../../../contract/item-events.ts";
import type { EventBus } from "../../../core/event-bus.ts";

export function itemEmitOf(bus: EventBus): (id: string) => ItemEmit {
  return (id) => bus.scope<ItemEventBody>({ loop: "item", subject: id, item: id });
}
