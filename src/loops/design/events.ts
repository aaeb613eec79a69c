// The events that only design projects have, and whose they are.
import { z } from "zod";
import type { EventBus } from "../../core/event-bus.ts";
import type { Emit, EventBody } from "../../core/events.ts";

/** Name of the loop in the envelope of its events. */
export const DESIGN_LOOP = "design";

/** Events of the design loop beside those of core/events.ts, without the envelope. */
export const designEventBodySchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("design_state"), state: z.string(), turn: z.number().int() }),
  z.object({ type: z.literal("design_patch"), patch_id: z.string(), status: z.string() }),
  z.object({ type: z.literal("design_run"), run_id: z.string(), status: z.string() }),
]);
export type DesignEventBody = z.infer<typeof designEventBodySchema> | EventBody;

/** The emit of one project; its subject is the project's name. */
export function designEmit(bus: EventBus, name: string): Emit<DesignEventBody> {
  return bus.scope<z.infer<typeof designEventBodySchema>>({ loop: DESIGN_LOOP, subject: name });
}
