// Server-sent events with backpressure: a stream produces its next piece only when the previous one was sent, so a
// client that stops reading occupies one piece, and the idle timeout of the server drops it.
import type { Hub } from "./hub.ts";
import { linesAfter } from "./tail.ts";

/** Milliseconds; shorter than the idle timeout of the connection. */
const HEARTBEAT_MS = 10_000;
/** Poll interval for files that other processes write, milliseconds. */
const FILE_POLL_MS = 400;
/** Events sent in one piece. */
const PIECE = 200;

/** The next piece of a stream; "" when nothing happened within `waitMs`, undefined at the end. */
export type NextPiece = (waitMs: number) => Promise<string | undefined>;

export const SSE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
} as const;

export class Streams {
  private open = 0;
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  get count(): number {
    return this.open;
  }

  get isFull(): boolean {
    return this.open >= this.most;
  }

  respond(next: NextPiece, signal: AbortSignal): Response {
    this.open += 1;
    let closed = false;
    const close = (): void => {
      if (!closed) this.open -= 1;
      closed = true;
    };
    signal.addEventListener("abort", close, { once: true });
    let first = true;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const piece = first ? "retry: 2000\n\n" : await next(HEARTBEAT_MS);
          first = false;
          if (closed) return;
          if (piece === undefined) {
            close();
            controller.close();
          } else controller.enqueue(Buffer.from(piece === "" ? ": still here\n\n" : piece));
        },
        cancel: close,
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: SSE_HEADERS });
  }
}

/** Live events of the server; with `last`, those after it first. */
export function hubPieces(hub: Hub, last: string | null): NextPiece {
  const [epoch, number] = (last ?? "").split("-");
  const known = epoch === hub.epoch && /^\d{1,15}$/.test(number ?? "");
  let at = known ? Math.min(Number(number), hub.newest) : hub.newest;
  let gap = last !== null && last !== "" && !known;
  let greeted = false;
  return async (waitMs) => {
    if (!greeted) {
      greeted = true;
      return message(`${hub.epoch}-${at}`, gap ? { type: "gap" } : { type: "hello" });
    }
    if (hub.isEnded) return undefined;
    await hub.changed(at, waitMs);
    const found = hub.after(at, PIECE);
    gap = found.gap;
    // The client fell too far behind: it gets a gap event, then the events that are held.
    const start = gap ? message(`${hub.epoch}-${at}`, { type: "gap" }) : "";
    at = found.events.at(-1)?.id ?? at;
    return start + found.events.map(({ id, data }) => `id: ${hub.epoch}-${id}\ndata: ${data}\n\n`).join("");
  };
}

/** The events of one run from its file, all of them or those after `last`, then new ones.
 * @param isOver nothing more will be written */
export function filePieces(hub: Hub, path: string, last: string | null, isOver: () => boolean): NextPiece {
  let at = /^\d{1,15}$/.test(last ?? "") ? Number(last) : 0;
  return async (waitMs) => {
    const until = performance.now() + waitMs;
    for (;;) {
      const over = isOver();
      const { lines, gap } = await linesAfter(path, at);
      if (gap) at = 0;
      if (lines.length > 0 || gap) {
        at = lines.at(-1)?.end ?? at;
        const start = gap ? message("0", { type: "gap" }) : "";
        const pieces = lines.filter(({ text }) => text !== "");
        return start + pieces.map(({ end, text }) => `id: ${end}\ndata: ${text}\n\n`).join("");
      }
      if (over || hub.isEnded) return undefined;
      if (performance.now() >= until) return "";
      await Bun.sleep(FILE_POLL_MS);
    }
  };
}

function message(id: string, value: object): string {
  return `id: ${id}\ndata: ${JSON.stringify(value)}\n\n`;
}
