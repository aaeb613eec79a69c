// The server of `npm run bench -- serve`, a process of its own: publishes events and tells its memory when asked.
import { serveFixtures } from "../support/serve.ts";

const [dir = ""] = process.argv.slice(2);
const server = await serveFixtures({ dir });
process.send?.({ url: server.url });

/** Sent over IPC: how many events, and how many a second. */
interface Order {
  publish?: { count: number; perSecond: number };
}

process.on("message", async ({ publish }: Order) => {
  if (publish !== undefined) {
    const began = performance.now();
    for (let i = 0; i < publish.count; i += 1) {
      server.context.hub.publish({ type: "log", level: "info", n: i, message: "x".repeat(150) });
      const due = began + (1000 * i) / publish.perSecond;
      if (i % 20 === 0 && performance.now() < due) await Bun.sleep(Math.max(1, due - performance.now()));
      else if (i % 500 === 0) await Bun.sleep(0);
    }
  }
  Bun.gc(true);
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ memory: { rss, heap: heapUsed }, streams: server.context.hub.newest });
});
process.on("SIGTERM", async () => {
  await server.close();
  process.exit(0);
});
