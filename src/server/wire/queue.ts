// Response of `GET /api/queue`.
import type { z } from "zod";
import { fleetOverviewSchema, queueDocumentSchema } from "../../contract/queue.ts";

export const queueSchema = queueDocumentSchema.extend(fleetOverviewSchema.shape).meta({ id: "Queue" });
export type QueueWire = z.infer<typeof queueSchema>;
