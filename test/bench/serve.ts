// `npm run bench -- serve`: the server with 10,000 items: time until it answers, requests a second on the list, first
// paint in Chromium, memory with 200 clients on the event stream.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { loadPage } from "../../src/server/pages.ts";
import { startChromium } from "../support/chromium.ts";
import { serveFixtures } from "../support/serve.ts";

const ITEMS = 10_000;
const SECONDS = 5;
const CLIENTS = 200;

const files = await loadPage();
const size = (texts: string[]): number =>
  texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0);
console.log(`page compressed: ${size(Object.values(files))} bytes`);

const dir = mkdtempSync(join(tmpdir(), "atomsmith-bench-"));
const made = await serveFixtures({ items: ["STA-03"] });
await made.job("batch");
await made.close();
mkdirSync(join(dir, "items"));
mkdirSync(join(dir, "logs"));
for (let i = 0; i < ITEMS; i += 1) {
  const id = `ITEM-${String(i).padStart(5, "0")}`;
  cpSync(join(made.dir, "output/STA-03"), join(dir, "output", id), { recursive: true });
  cpSync(
    join(made.dir, "cache/item/STA-03/checkpoint_latest.json"),
    join(dir, "cache/item", id, "checkpoint_latest.json"),
  );
  writeFileSync(join(dir, "items", `${id}_ItemSpec.md`), `# ItemSpec: ${id}\n`);
}

let begin = performance.now();
const server = await serveFixtures({ dir });
console.log(`answers after ${Math.round(performance.now() - begin)} ms`);
begin = performance.now();
await fetch(new URL("/api/items", server.url)).then((response) => response.arrayBuffer());
console.log(`first list after ${Math.round(performance.now() - begin)} ms, while states are read`);
await server.context.items.settled();
console.log(`all states read after ${Math.round(performance.now() - begin)} ms more`);

const times: number[] = [];
const until = performance.now() + SECONDS * 1000;
await Promise.all(
  Array.from({ length: 16 }, async () => {
    while (performance.now() < until) {
      const sent = performance.now();
      await fetch(new URL("/api/items?limit=100&offset=5000", server.url)).then((response) =>
        response.arrayBuffer(),
      );
      times.push(performance.now() - sent);
    }
  }),
);
times.sort((a, b) => a - b);
const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
console.log(
  `lists of 100: ${Math.round(times.length / SECONDS)} requests/s, p99 ${p99.toFixed(1)} ms (client in the same process)`,
);

const browser = await startChromium();
for (const view of ["", "items"]) {
  const page = await browser.newPage();
  const start = performance.now();
  await page.goto(`${server.url}#/${view}`);
  await page.waitForSelector(view === "" ? "ul.counts" : ".rows li a");
  const paint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  );
  console.log(
    `/${view}: first paint ${Math.round(paint)} ms, filled ${Math.round(performance.now() - start)} ms`,
  );
  await page.close();
}
await browser.close();

const before = process.memoryUsage.rss();
const control = new AbortController();
const streams = await Promise.all(
  Array.from({ length: CLIENTS }, () =>
    fetch(new URL("/api/events", server.url), { signal: control.signal }),
  ),
);
for (let i = 0; i < 200_000; i += 1) {
  server.context.hub.publish({ type: "log", level: "info", message: `event ${i} ${"x".repeat(150)}` });
  if (i % 1000 === 0) await Bun.sleep(1);
}
const grown = (process.memoryUsage.rss() - before) / 1e6;
console.log(`${streams.length} clients that read nothing, 200,000 events: ${grown.toFixed(0)} MB more`);
control.abort();
await server.drop();
rmSync(made.dir, { recursive: true, force: true });
process.exit(0);
