// A full-screen view and its keys, for interactive commands. Drawn on stderr, so that stdout is free for the result,
// and on the alternate screen, so that the previous content is restored.
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

  /** Columns and rows of the drawing area. */
  get size(): { columns: number; rows: number } {
    const { columns, rows } = this.io.stderr;
    return { columns: Math.max(columns, 20), rows: Math.max(rows, 8) };
  }

  /** Draws lines from the top; each is truncated to the width, and its control characters become spaces. */
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

/** Pressed keys, in order. */
export class KeyQueue {
  private readonly keys: Key[] = [];
  private wake: (() => void) | undefined;
  private readonly stop: () => void;

  /** Undefined when standard input is not a terminal. */
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

  /** Whether there are unread keys. */
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

/** Reverse video: used also when colours are off. */
export function reverse(text: string): string {
  return `\x1b[7m${text}\x1b[27m`;
}
