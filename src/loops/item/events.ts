// Emitter of the item loop. Its event types are in src/contract/item-events.ts, because gates and checks emit them
// too.
import type { ItemEmit, ItemEventBody } from "../../contract/item-events.ts";
import type { EventBus } from "../../core/event-bus.ts";

/** Name of the loop in the envelope of its events. */
export const ITEM_LOOP = "item";

/** Emitter for one item: adds loop and subject to each event, and the id again as `item`, which readers of `--events`
 * and of journals use. */
export function createItemEmit(bus: EventBus, itemId: string): ItemEmit {
  return bus.scope<ItemEventBody>({ loop: ITEM_LOOP, subject: itemId, item: itemId });
}
