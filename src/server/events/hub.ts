// Events of everything that the server runs, in one ring buffer that all clients share: a client is only a cursor, so a
// slow one costs nothing. A client that reconnects with its last event id gets the events it missed that are still held.
import { randomHex } from "../../core/random.ts";

/** Maximum size of the ring, in events and bytes. */
const LIMITS = { events: 20_000, bytes: 16 * 2 ** 20 };

export interface HubEvent {
  id: number;
  data: string;
}

export class Hub {
  /** Changes with every start of the server: numbers of an earlier start are not comparable. */
  readonly epoch = randomHex(4);
  private ring: HubEvent[] = [];
  private bytes = 0;
  private last = 0;
  private readonly waiting = new Set<() => void>();
  private ended = false;

  publish(event: object): void {
    if (this.ended) return;
    this.last += 1;
    const data = JSON.stringify(event);
    this.ring.push({ id: this.last, data });
    this.bytes += data.length;
    if (this.ring.length > 2 * LIMITS.events || this.bytes > LIMITS.bytes) this.trim();
    this.notify();
  }

  /** Ends all streams. */
  end(): void {
    this.ended = true;
    this.notify();
  }

  get isEnded(): boolean {
    return this.ended;
  }

  /** True while a client waits for the next event. */
  get isFollowed(): boolean {
    return this.waiting.size > 0;
  }

  /** Number of the newest event. */
  get newest(): number {
    return this.last;
  }

  /** Events after a number; `gap`: some of them were discarded. */
  after(id: number, most: number): { events: HubEvent[]; gap: boolean } {
    const first = this.ring[0]?.id ?? this.last + 1;
    const from = Math.max(0, id + 1 - first);
    return { events: this.ring.slice(from, from + most), gap: id + 1 < first };
  }

  /** Resolves when something was published after `id`, at the end, or after `ms`. */
  async changed(id: number, ms: number): Promise<void> {
    if (this.last > id || this.ended) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.waiting.add(done);
    });
  }

  private notify(): void {
    for (const done of [...this.waiting]) done();
  }

  private trim(): void {
    let keep = this.ring.slice(-LIMITS.events);
    let bytes = keep.reduce((sum, { data }) => sum + data.length, 0);
    // Drop half of the bytes, so that a full ring is not copied with every event.
    if (bytes > LIMITS.bytes) {
      let drop = 0;
      while (bytes > LIMITS.bytes / 2 && drop < keep.length - 1) bytes -= keep[drop++]?.data.length ?? 0;
      keep = keep.slice(drop);
    }
    this.ring = keep;
    this.bytes = bytes;
  }
}
