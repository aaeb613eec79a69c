// `GET /api/events`: server-sent events of everything, of one job, or of one run of the store.
import { z } from "zod";
import { RunReader } from "../../store/index.ts";
import { filePieces, hubPieces, type Streams } from "../events/stream.ts";
import { refusal } from "../http/problem.ts";
import { route, type ServerModule } from "../types.ts";

export function eventsModule(streams: Streams): ServerModule {
  return {
    routes: [
      route({
        method: "get",
        path: "/api/events",
        summary: "live events; with Last-Event-ID, missed events come first",
        tag: "events",
        query: z.object({
          job: z.string().max(100).optional().describe("all events of one job"),
          run: z
            .string()
            .regex(/^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/)
            .optional()
            .describe("the journal of one run: LOOP/SUBJECT, e.g. item/STA-03"),
          after: z.string().max(40).optional().describe("as the header Last-Event-ID"),
        }),
        answer: {
          mediaType: "text/event-stream",
          description: "one event of the program as JSON in each message",
        },
        handle: ({ query, raw }, { hub, jobs, options }) => {
          if (streams.isFull) throw refusal(503, "too many event streams are open");
          const last = raw.headers.get("last-event-id") ?? query.after ?? null;
          const { job, run } = query;
          if (job !== undefined) {
            const path = jobs.eventsPath(job);
            return streams.respond(
              filePieces(hub, path, last, () => jobs.isOver(job)),
              raw.signal,
            );
          }
          if (run !== undefined) {
            const [loop = "", id = ""] = run.split("/");
            const { journalPath } = new RunReader(options.config.paths.cache_dir, { loop, id });
            return streams.respond(
              filePieces(hub, journalPath, last, () => false),
              raw.signal,
            );
          }
          return streams.respond(hubPieces(hub, last), raw.signal);
        },
      }),
    ],
  };
}
