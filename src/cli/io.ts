// Interface to the operating system: streams, environment, signals. All other code receives an `Io`, so that
// a whole command can run inside a test. A closed pipe is not an error; a full disk behind stdout is.
import { fstatSync, readFileSync, write } from "node:fs";
import { AtomsmithError, toAtomsmithError } from "../core/errors.ts";

/** One output stream. `write` never throws; `problem` holds the error. */
export interface Sink {
  write(text: string): void;
  readonly isTTY: boolean;
  /** Width in characters, 80 where unknown. */
  readonly columns: number;
  /** Height in lines, 24 where unknown. */
  readonly rows: number;
  /** Set when writing failed, unless the reader closed the pipe. */
  readonly problem: AtomsmithError | undefined;
  flush(): Promise<void>;
}

export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP";

/** A key that was pressed. */
export interface Key {
  /** `up`, `return`, `a`, …; `resize` when the terminal size changed. */
  name: string;
  /** The typed text; empty for cursor and control keys. */
  text: string;
  ctrl: boolean;
  shift: boolean;
}

export interface Io {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** True when standard input is a terminal. */
  readonly stdinIsTTY: boolean;
  /** All of standard input. */
  readStdin(): Promise<Uint8Array>;
  /** Calls the handler for every key; returns a function that stops listening. Undefined when standard input is not a
   * terminal. Ctrl-C still sends SIGINT. */
  onKey(handler: (key: Key) => void): (() => void) | undefined;
  /** Calls the handler for each signal that ends the program; returns a function that stops listening. */
  onSignal(handler: (signal: SignalName) => void): () => void;
  /** Calls the handler for uncaught errors. */
  onCrash(handler: (error: unknown) => void): () => void;
  /** Ends the process once pending output is flushed (second signal, crash). Later output is dropped; the first
   * code counts. */
  exitNow(code: number): void;
  /** The exit code passed to `exitNow`. */
  readonly ended: number | undefined;
  flush(): Promise<void>;
}

/** Time to flush output when the process is ended at once, milliseconds. */
const FLUSH_MS = 1_000;
/** Errors of a closed pipe or stream, which are not reported. */
const QUIET_CODES = new Set(["EPIPE", "EBADF", "ECONNRESET"]);

interface Chunk {
  sink: DescriptorSink;
  bytes: Uint8Array;
}

/** Writes chunks in order, off the main thread. Does not use `process.stdout`: in Bun 1.4 its flush ends early,
 * so that an exit loses what a slow reader has not read, and a full disk is not reported. */
class Pump {
  private readonly queue: Chunk[] = [];
  private pumping: Promise<void> | undefined;

  push(chunk: Chunk): void {
    this.queue.push(chunk);
    this.pumping ??= this.run().finally(() => {
      this.pumping = undefined;
    });
  }

  async flush(): Promise<void> {
    while (this.pumping) await this.pumping;
  }

  private async run(): Promise<void> {
    for (let chunk = this.queue[0]; chunk !== undefined; chunk = this.queue[0]) {
      const { sink, bytes } = chunk;
      let at = 0;
      while (at < bytes.byteLength && !sink.closed) {
        try {
          at += await writeSome(sink.fd, bytes, at);
        } catch (error) {
          // EAGAIN: another process made the pipe non-blocking, and it is full.
          if ((error as NodeJS.ErrnoException).code === "EAGAIN") await Bun.sleep(5);
          else sink.fail(error as NodeJS.ErrnoException);
        }
      }
      this.queue.shift();
    }
  }
}

class DescriptorSink implements Sink {
  problem: AtomsmithError | undefined;
  closed = false;
  /** Accepts no more text; queued chunks are still written. */
  sealed = false;
  readonly fd: 1 | 2;
  readonly isTTY: boolean;
  private readonly pump: Pump;

  constructor(fd: 1 | 2, pump: Pump) {
    this.fd = fd;
    this.pump = pump;
    this.isTTY = isTerminal(fd);
  }

  get columns(): number {
    return (this.isTTY && this.stream.columns) || 80;
  }

  get rows(): number {
    return (this.isTTY && this.stream.rows) || 24;
  }

  write(text: string): void {
    if (!this.closed && !this.sealed && text !== "") this.pump.push({ sink: this, bytes: Buffer.from(text) });
  }

  flush(): Promise<void> {
    return this.pump.flush();
  }

  fail(error: NodeJS.ErrnoException): void {
    this.closed = true;
    if (QUIET_CODES.has(error.code ?? "") || (this.isTTY && error.code === "EIO")) return;
    const name = this.fd === 1 ? "standard output" : "standard error";
    const reason = toAtomsmithError(error).message;
    this.problem = new AtomsmithError("store", `cannot write to ${name}: ${reason}`, {
      where: name,
      cause: error,
    });
  }

  /** Used only for the size of a terminal, never for writing. */
  private get stream(): NodeJS.WriteStream {
    return this.fd === 1 ? process.stdout : process.stderr;
  }
}

function writeSome(fd: number, chunk: Uint8Array, at: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(fd, chunk, at, chunk.byteLength - at, null, (error, written) => {
      if (error) reject(error);
      else resolve(written);
    });
  });
}

/** Whether the program was started with `nohup`: then a closed terminal must not end the run. (SIGINT is handled even
 * if ignored: scripts start background jobs that way and still interrupt them.) Detected on Linux only. */
function hangUpIgnored(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return ignored !== undefined && (BigInt(`0x${ignored}`) & 1n) === 1n;
  } catch {
    return false;
  }
}

/** Only devices can be terminals; node:tty, which loads Node's streams, is loaded only for those. */
function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    const stats = fstatSync(fd);
    if (!stats.isCharacterDevice()) return false;
    // Major number 1 of Linux: the memory devices, /dev/null among them.
    if (process.platform === "linux" && stats.rdev >> 8 === 1) return false;
  } catch {
    // A closed descriptor, or a system without this information: let node:tty decide.
  }
  return process.getBuiltinModule("node:tty").isatty(fd);
}

function listenToKeys(handler: (key: Key) => void): (() => void) | undefined {
  if (!process.getBuiltinModule("node:tty").isatty(0)) return undefined;
  const { stdin } = process;
  process.getBuiltinModule("node:readline").emitKeypressEvents(stdin);
  const onPress = (
    typed: string | undefined,
    key: { name?: string; ctrl?: boolean; meta?: boolean; shift?: boolean },
  ) => {
    if (key.ctrl === true && key.name === "c") process.kill(process.pid, "SIGINT");
    const isText =
      typed !== undefined && key.ctrl !== true && key.meta !== true && !/[\x00-\x1f\x7f]/.test(typed);
    handler({
      name: key.name ?? typed ?? "",
      text: isText ? typed : "",
      ctrl: key.ctrl === true,
      shift: key.shift === true,
    });
  };
  const onResize = (): void => handler({ name: "resize", text: "", ctrl: false, shift: false });
  stdin.setRawMode(true);
  stdin.on("keypress", onPress);
  process.on("SIGWINCH", onResize);
  stdin.resume();
  return () => {
    process.off("SIGWINCH", onResize);
    stdin.off("keypress", onPress);
    stdin.setRawMode(false);
    stdin.pause();
    stdin.unref();
  };
}

/** The `Io` of the real process. */
export function processIo(exit: (code: number) => never): Io {
  let ended: number | undefined;
  // On one terminal, the order between the two streams matters; otherwise a slow reader of one must not block the other.
  const first = new Pump();
  const second = isTerminal(1) && isTerminal(2) ? first : new Pump();
  const stdout = new DescriptorSink(1, first);
  const stderr = new DescriptorSink(2, second);
  return {
    stdout,
    stderr,
    env: process.env,
    cwd: process.cwd(),
    stdinIsTTY: isTerminal(0),
    readStdin: () => Bun.stdin.bytes(),
    onKey: listenToKeys,
    exitNow: (code) => {
      if (ended !== undefined) return;
      ended = code;
      stdout.sealed = true;
      stderr.sealed = true;
      const flushed = Promise.all([first.flush(), second.flush()]);
      void Promise.race([flushed, Bun.sleep(FLUSH_MS)]).then(() => exit(code));
    },
    get ended() {
      return ended;
    },
    onSignal(handler) {
      const signals: SignalName[] = ["SIGINT", "SIGTERM"];
      if (!hangUpIgnored()) signals.push("SIGHUP");
      const off = signals.map((signal) => {
        const listener = () => handler(signal);
        process.on(signal, listener);
        return () => process.off(signal, listener);
      });
      return () => {
        for (const stop of off) stop();
      };
    },
    onCrash(handler) {
      process.on("uncaughtException", handler);
      process.on("unhandledRejection", handler);
      return () => {
        process.off("uncaughtException", handler);
        process.off("unhandledRejection", handler);
      };
    },
    async flush() {
      await stdout.flush();
      await stderr.flush();
    },
  };
}
