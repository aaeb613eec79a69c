// `npm run bench -- serve`: the server with 10,000 items in a process of its own, and its clients in others: time until
// it answers, item lists at a steady rate, first paint in Chromium, memory over many events and with clients that do
// not read, a log of 1 GB.
import { cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { loadPage } from "../../src/server/pages.ts";
import { startChromium } from "../support/chromium.ts";
import { serveFixtures } from "../support/serve.ts";

const ITEMS = 10_000;
const CLIENTS = 200;
/** An hour of a busy team: 20 events a second. */
const HOUR = 72_000;
const GIGABYTE = 2 ** 30;

const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`;
const say = (text: string): void => console.log(`${text} (${load()})`);
const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

const page = Object.values(await loadPage());
say(`page compressed: ${page.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0)} bytes`);

const dir = mkdtempSync(join(tmpdir(), "atomsmith-bench-"));
const made = await serveFixtures({ items: ["STA-03"] });
await made.job("batch");
await made.close();
mkdirSync(join(dir, "items"));
cpSync(join(made.dir, "logs"), join(dir, "logs"), { recursive: true });
for (let i = 0; i < ITEMS; i += 1) {
  const id = `ITEM-${String(i).padStart(5, "0")}`;
  cpSync(join(made.dir, "output/STA-03"), join(dir, "output", id), { recursive: true });
  const checkpoint = "checkpoint_latest.json";
  cpSync(join(made.dir, "cache/item/STA-03", checkpoint), join(dir, "cache/item", id, checkpoint));
  writeFileSync(join(dir, "items", `${id}_ItemSpec.md`), `# ItemSpec: ${id}\n`);
}

interface Said {
  url?: string;
  memory?: { rss: number; heap: number };
}
const heard: ((said: Said) => void)[] = [];
const next = (): Promise<Said> => new Promise((resolve) => heard.push(resolve));
let begin = performance.now();
const server = Bun.spawn([process.execPath, join(import.meta.dir, "serve-server.ts"), dir], {
  ipc: (said: Said) => heard.shift()?.(said),
  stdio: ["ignore", "inherit", "inherit"],
});
const { url = "" } = await next();
say(`${ITEMS} items: answers after ${Math.round(performance.now() - begin)} ms`);
const memory = async (publish?: { count: number; perSecond: number }): Promise<number> => {
  const answer = next();
  server.send({ publish });
  return (await answer).memory?.rss ?? Number.NaN;
};
const get = async <T>(path: string): Promise<T> => (await fetch(new URL(path, url))).json() as Promise<T>;
begin = performance.now();
while (((await get<{ items: { reading?: number } }>("/status")).items.reading ?? 0) > 0) await Bun.sleep(200);
say(`all states read after ${Math.round(performance.now() - begin)} ms more`);

/** A client in a process of its own; the lines that it says, one after the other. */
function client(...args: (string | number)[]) {
  const [role = "", ...rest] = args.map(String);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "serve-client.ts"), role, url, ...rest], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = (async function* () {
    let text = "";
    for await (const chunk of child.stdout) {
      text += Buffer.from(chunk).toString();
      const parts = text.split("\n");
      text = parts.pop() ?? "";
      yield* parts;
    }
  })();
  return { line: async () => (await lines.next()).value, end: () => child.kill("SIGKILL") };
}

// Three times: on a machine with other work the slowest hundredth is mostly that work.
for (let i = 0; i < 3; i += 1) {
  say(`lists of 100, 1,000 requests/s for 10 s: ${await client("steady", 1000, 10).line()}`);
}
say(`lists of 100, 16 clients, as fast as they can: ${await client("most", 5).line()}`);

const browser = await startChromium();
for (const view of ["", "items"]) {
  const tab = await browser.newPage();
  const start = performance.now();
  await tab.goto(`${url}#/${view}`);
  await tab.waitForSelector(view === "" ? "ul.counts" : ".rows li a");
  const paint = await tab.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  );
  say(`/${view}: first paint ${Math.round(paint)} ms, filled ${Math.round(performance.now() - start)} ms`);
  await tab.close();
}
await browser.close();

let before = await memory();
const readers = client("readers", CLIENTS, HOUR - 1);
await readers.line();
const half = await memory({ count: HOUR / 2, perSecond: 2_000 });
const rest = next();
// The second half counts on, so that the last event is the one that the readers wait for.
server.send({ publish: { count: HOUR, perSecond: 4_000 } });
const received = await readers.line();
const end = (await rest).memory?.rss ?? Number.NaN;
say(
  `${CLIENTS} clients that read, 1.5 hours of events: each got ${received}; server ${mb(before)} before, ${mb(half)} after half an hour, ${mb(end)} at the end`,
);

before = await memory();
const silent = client("silent", CLIENTS);
await silent.line();
await Bun.sleep(500);
const opened = await memory();
const after = await memory({ count: 200_000, perSecond: 20_000 });
say(
  `${CLIENTS} clients that read nothing, 200,000 events: server ${mb(before)} before, ${mb(opened)} with them, ${mb(after)} after the events`,
);
silent.end();
await Bun.sleep(2_000);
say(`after they left: ${mb(await memory())}`);

const log = join(dir, "logs/sta/func_ss.log");
const file = openSync(log, "w");
const block = Array.from(
  { length: 20_000 },
  (_, i) => `Info: step ${i} of the run, nothing to see here\n`,
).join("");
let written = 0;
while (written < GIGABYTE) written += writeSync(file, block);
before = await memory();
const lines = "/api/items/ITEM-00000/logs/lines?file=sta/func_ss.log&count=200";
const timed = async (path: string): Promise<number> => {
  const start = performance.now();
  await get(path);
  return Math.round(performance.now() - start);
};
const first = await timed(`${lines}&from=1`);
const counted = await timed("/api/items/ITEM-00000/logs/count?file=sta/func_ss.log");
const total = (await get<{ total_lines: number }>(`${lines}&from=1`)).total_lines;
const jumps: number[] = [];
for (let i = 0; i < 100; i += 1)
  jumps.push(await timed(`${lines}&from=${1 + Math.floor((total / 100) * i)}`));
jumps.sort((a, b) => a - b);
say(
  `log of ${mb(written)}, ${total} lines: first lines ${first} ms, all counted ${counted} ms, then any range ${jumps[50]} ms, slowest ${jumps[99]} ms; server ${mb(before)} before, ${mb(await memory())} after`,
);

server.kill("SIGTERM");
await server.exited;
rmSync(made.dir, { recursive: true, force: true });
rmSync(dir, { recursive: true, force: true });
process.exit(0);
