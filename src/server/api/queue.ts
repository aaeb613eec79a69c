// The queue of the fleet that ATOMSMITH_QUEUE of the server's environment names: its jobs and workers.
import { z } from "zod";
import { queueDocumentSchema } from "../../contract/queue.ts";
import { Database } from "../../store/postgres/database.ts";
import { refusal } from "../http/problem.ts";
import { route, type ServerModule } from "../types.ts";

/** How long an answer waits for a database that is away, milliseconds. */
const PATIENCE_MS = 3_000;

const query = z.object({
  state: z.enum(["waiting", "running", "done", "dead", "cancelled"]).optional(),
  kind: z.enum(["item", "check", "job"]).optional(),
  project: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});

export const queueModule: ServerModule = {
  routes: [
    route({
      method: "get",
      path: "/api/queue",
      summary: "jobs and workers of the queue, the newest jobs first",
      tag: "queue",
      query,
      answer: queueDocumentSchema,
      handle: async ({ query: { state, kind, project, limit } }, { options }) => {
        const url = options.env["ATOMSMITH_QUEUE"];
        if (url === undefined || url === "") throw refusal(404, "no queue is named by ATOMSMITH_QUEUE");
        const { listJobs, listWorkers } = await import("../../queue/index.ts");
        const db = await Database.open(url, {
          connections: 1,
          application: "atomsmith serve",
          patience: PATIENCE_MS,
        });
        try {
          const filter = {
            kinds: kind === undefined ? [] : [kind],
            states: state === undefined ? [] : [state],
            ...(project === undefined ? {} : { project }),
            limit,
          };
          return { ...(await listJobs(db, filter)), workers: await listWorkers(db) };
        } finally {
          await db.close();
        }
      },
    }),
  ],
};
