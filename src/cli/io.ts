// The border to the operating system: streams, environment, signals. Everything above gets an `Io`, so that
// a whole command can run inside a test. Closed pipes are quiet; a full disk behind stdout is not.
import { AtomsmithError } from "../core/errors.ts";

/** One output stream. `write` never throws; what went wrong is told by `problem`. */
export interface Sink {
  write(text: string): void;
  readonly isTTY: boolean;
  /** Width in characters, 80 where unknown. */
  readonly columns: number;
  /** Set when writing failed for another reason than a reader that went away. */
  readonly problem: AtomsmithError | undefined;
  flush(): Promise<void>;
}

export type SignalName = "SIGINT" | "SIGTERM" | "SIGHUP";

export interface Io {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Calls the handler for each of the signals that end the program; returns how to stop listening. */
  onSignal(handler: (signal: SignalName) => void): () => void;
  /** Calls the handler for errors that no code caught. */
  onCrash(handler: (error: unknown) => void): () => void;
  /** Ends the process at once: second signal, crash. */
  exitNow(code: number): never;
  flush(): Promise<void>;
}

class StreamSink implements Sink {
  problem: AtomsmithError | undefined;
  private closed = false;
  private readonly stream: NodeJS.WriteStream;
  private readonly name: string;

  constructor(stream: NodeJS.WriteStream, name: string) {
    this.stream = stream;
    this.name = name;
    stream.on("error", (error: NodeJS.ErrnoException) => this.fail(error));
  }

  get isTTY(): boolean {
    return this.stream.isTTY === true;
  }

  get columns(): number {
    return this.stream.columns || 80;
  }

  write(text: string): void {
    if (this.closed || text === "") return;
    try {
      this.stream.write(text);
    } catch (error) {
      this.fail(error as NodeJS.ErrnoException);
    }
  }

  flush(): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((resolve) => {
      // A reader that stopped reading without closing must not hold the process for ever.
      const limit = setTimeout(resolve, 10_000);
      limit.unref();
      try {
        this.stream.write("", () => {
          clearTimeout(limit);
          resolve();
        });
      } catch (error) {
        this.fail(error as NodeJS.ErrnoException);
        clearTimeout(limit);
        resolve();
      }
    });
  }

  private fail(error: NodeJS.ErrnoException): void {
    this.closed = true;
    if (error.code === "EPIPE" || error.code === "ECONNRESET" || error.code === "ERR_STREAM_DESTROYED")
      return;
    this.problem ??= new AtomsmithError("store", `${this.name} could not be written: ${error.message}`, {
      where: this.name,
      cause: error,
    });
  }
}

/** The `Io` of the real process. */
export function processIo(exitNow: (code: number) => never): Io {
  const stdout = new StreamSink(process.stdout, "standard output");
  const stderr = new StreamSink(process.stderr, "standard error");
  return {
    stdout,
    stderr,
    env: process.env,
    cwd: process.cwd(),
    exitNow,
    onSignal(handler) {
      const signals: SignalName[] = ["SIGINT", "SIGTERM", "SIGHUP"];
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
