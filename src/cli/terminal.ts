// A full screen on the terminal and its keys, for commands that a person works in. The screen is drawn on stderr, so
// that stdout stays free for the result; it is a second screen, and what stood on the first one comes back.
import type { Io, Key } from "./io.ts";
import type { LiveArea } from "./output.ts";
import { fit } from "./progress/live.ts";

const ENTER = "\x1b[?1049h\x1b[?25l\x1b[?7l";
const LEAVE = "\x1b[?7h\x1b[?25h\x1b[?1049l";

export class FullScreen implements LiveArea {
  private readonly io: Io;
  private entered = false;

  constructor(io: Io) {
    this.io = io;
  }

  /** Columns and rows that may be drawn on. */
  get size(): { columns: number; rows: number } {
    const { columns, rows } = this.io.stderr;
    return { columns: Math.max(columns, 20), rows: Math.max(rows, 8) };
  }

  /** Draws lines from the top; each is cut to the width, and control characters in it become spaces. */
  draw(lines: readonly string[]): void {
    const { columns, rows } = this.size;
    const shown = Array.from(
      { length: rows },
      (_, row) => `\x1b[${row + 1};1H${fit(lines[row] ?? "", columns)}\x1b[0m\x1b[K`,
    );
    this.io.stderr.write((this.entered ? "" : ENTER) + shown.join(""));
    this.entered = true;
  }

  interrupt(write: () => void): void {
    this.stop();
    write();
  }

  stop(): void {
    if (this.entered) this.io.stderr.write(LEAVE);
    this.entered = false;
  }
}

/** Keys of a person, in order. */
export class KeyQueue {
  private readonly keys: Key[] = [];
  private wake: (() => void) | undefined;
  private readonly stop: () => void;

  /** Undefined when nobody sits at a keyboard. */
  static open(io: Io, signal: AbortSignal): KeyQueue | undefined {
    const queue = new KeyQueue(io, signal);
    return queue.isOpen ? queue : undefined;
  }

  private readonly isOpen: boolean;
  private readonly signal: AbortSignal;

  private constructor(io: Io, signal: AbortSignal) {
    this.signal = signal;
    const notify = (): void => this.wake?.();
    const close = io.onKey((key) => {
      this.keys.push(key);
      notify();
    });
    this.isOpen = close !== undefined;
    signal.addEventListener("abort", notify);
    this.stop = () => {
      signal.removeEventListener("abort", notify);
      close?.();
    };
  }

  /** Are there keys that were not read yet? */
  get waiting(): boolean {
    return this.keys.length > 0;
  }

  /** The next key. Throws the signal's reason. */
  async next(): Promise<Key> {
    for (;;) {
      this.signal.throwIfAborted();
      const key = this.keys.shift();
      if (key !== undefined) return key;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  close(): void {
    this.stop();
  }
}

/** Reverse video: no colour, so it is also there without colours. */
export function reverse(text: string): string {
  return `\x1b[7m${text}\x1b[27m`;
}
