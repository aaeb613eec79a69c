// Whose events the item loop's are. Its members are in src/contract/item-events.ts, where gates and checks see them.
import type { ItemEmit, ItemEventBody } from "../../contract/item-events.ts";
import type { EventBus } from "../../core/event-bus.ts";

/** Name of the loop in the envelope of its events. */
export const ITEM_LOOP = "item";

/** The emit of one item: each event says its loop and subject, and the id again as `item`, which readers of
 * `--events` and of journals look for. */
export function itemEmit(bus: EventBus, itemId: string): ItemEmit {
  return bus.scope<ItemEventBody>({ loop: ITEM_LOOP, subject: itemId, item: itemId });
}
