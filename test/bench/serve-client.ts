// Clients of `npm run bench -- serve`, in processes of their own. The first argument says which; a line of JSON is the
// answer.
import { connect } from "node:net";

const [role = "", url = "", ...rest] = process.argv.slice(2);
const LIST = new URL("/api/items?limit=100&offset=5000", url).href;

const tell = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const at = (times: number[], part: number): number =>
  Math.round(10 * (times.sort((a, b) => a - b)[Math.floor(times.length * part)] ?? 0)) / 10;

/** Requests sent when they are due, whatever became of those before; a time counts from when it was due. */
async function steady(perSecond: number, seconds: number): Promise<void> {
  const times: number[] = [];
  const open: Promise<void>[] = [];
  const began = performance.now();
  for (let i = 0; i < perSecond * seconds; i += 1) {
    const due = began + (1000 * i) / perSecond;
    while (performance.now() < due) await Bun.sleep(1);
    open.push(
      fetch(LIST)
        .then((response) => response.arrayBuffer())
        .then(() => void times.push(performance.now() - due)),
    );
  }
  const sent = (performance.now() - began) / 1000;
  await Promise.all(open);
  tell({
    requests: times.length,
    per_second: Math.round(times.length / sent),
    p50: at(times, 0.5),
    p99: at(times, 0.99),
  });
}

/** As many requests as 16 clients get through. */
async function most(seconds: number): Promise<void> {
  const times: number[] = [];
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (performance.now() < until) {
        const sent = performance.now();
        await fetch(LIST).then((response) => response.arrayBuffer());
        times.push(performance.now() - sent);
      }
    }),
  );
  tell({ per_second: Math.round(times.length / seconds), p50: at(times, 0.5), p99: at(times, 0.99) });
}

/** Clients on the event stream that read everything; ends when each has the last event. */
async function readers(clients: number, last: number): Promise<void> {
  let ready = 0;
  const counts = await Promise.all(
    Array.from({ length: clients }, async () => {
      const response = await fetch(new URL("/api/events", url));
      let count = 0;
      let text = "";
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        const parts = text.split("\n\n");
        text = parts.pop() ?? "";
        if (count === 0 && parts.some((part) => part.includes('"hello"'))) {
          ready += 1;
          if (ready === clients) tell({ ready });
        }
        count += parts.filter((part) => part.includes('"type":"log"')).length;
        if (parts.some((part) => part.includes(`"n":${last},`))) break;
      }
      return count;
    }),
  );
  tell({ least: Math.min(...counts), most: Math.max(...counts) });
  process.exit(0);
}

/** Clients that ask for the event stream and never read a byte. */
function silent(clients: number): void {
  const { hostname, port } = new URL(url);
  let open = 0;
  for (let i = 0; i < clients; i += 1) {
    const socket = connect(Number(port), hostname, () => {
      socket.pause();
      socket.write(`GET /api/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
      open += 1;
      if (open === clients) tell({ ready: open });
    });
    socket.on("error", () => undefined);
  }
}

const numbers = rest.map(Number);
switch (role) {
  case "steady":
    await steady(numbers[0] ?? 1, numbers[1] ?? 1);
    break;
  case "most":
    await most(numbers[0] ?? 1);
    break;
  case "readers":
    await readers(numbers[0] ?? 1, numbers[1] ?? 0);
    break;
  default:
    silent(numbers[0] ?? 1);
}
