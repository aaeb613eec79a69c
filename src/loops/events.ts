// The union of all events: the common ones and those of each loop, for `schema events` and for listeners. A loop adds
// its members with one line in the schema and one in the type.
import { z } from "zod";
import { type AgentEventBody, agentEventBodySchema } from "../contract/agent-events.ts";
import { type DesignEventBody, designEventBodySchema } from "../contract/design-events.ts";
import { type FactoryEventBody, factoryEventBodySchema } from "../contract/factory-events.ts";
import { type ItemEventBody, itemEventBodySchema } from "../contract/item-events.ts";
import { type Envelope, type EventBody, envelopeSchema, eventBodySchema } from "../core/events.ts";

/** One line of `--events`. */
export const eventSchema = z.intersection(
  envelopeSchema.extend({
    item: z.string().optional().describe("in events of the item loop: the subject, under its older name"),
  }),
  z.discriminatedUnion("type", [
    ...eventBodySchema.options,
    ...itemEventBodySchema.options,
    ...factoryEventBodySchema.options,
    ...agentEventBodySchema.options,
    ...designEventBodySchema.options,
  ]),
);

export type AnyEventBody = EventBody | ItemEventBody | FactoryEventBody | AgentEventBody | DesignEventBody;
/** An event of any loop, as listeners see it. */
export type AnyEvent = Envelope & AnyEventBody;
