// Runs a whole command line inside the test, with streams kept in memory. Tests that need a real process (signals,
// pipes, terminals, the executable) are in test/e2e.
import type { Io, Key, SignalName, Sink } from "../../src/cli/io.ts";
import { runCli } from "../../src/cli/run.ts";

export interface CliRun {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  stdin?: string;
  /** Keys typed at a terminal, one after the other. */
  keys?: readonly Key[];
  /** Both streams are terminals. */
  tty?: boolean;
  columns?: number;
  /** Receives a function that sends a signal to the run. */
  onReady?: (send: (signal: SignalName) => void) => void;
  /** An uncaught error, thrown while the command is loaded. */
  crash?: unknown;
  /** A signal sent right before the crash. */
  signal?: SignalName;
}

class MemorySink implements Sink {
  text = "";
  readonly problem = undefined;
  readonly isTTY: boolean;
  readonly columns: number;
  readonly rows = 24;

  constructor(options: CliOptions) {
    this.isTTY = options.tty ?? false;
    this.columns = options.columns ?? 80;
  }

  /** Ignores further writes, as after the end of the process. */
  sealed = false;

  write(text: string): void {
    if (!this.sealed) this.text += text;
  }

  async flush(): Promise<void> {}
}

/** Runs `atomsmith ARGV` with an empty environment unless one is given. */
export async function cli(argv: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const stdout = new MemorySink(options);
  const stderr = new MemorySink(options);
  const handlers = new Set<(signal: SignalName) => void>();
  const crashes = new Set<(error: unknown) => void>();
  let ended: number | undefined;
  const io: Io = {
    stdout,
    stderr,
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    stdinIsTTY: false,
    readStdin: async () => Buffer.from(options.stdin ?? ""),
    onKey: (handler) => {
      if (options.keys === undefined) return undefined;
      const remaining = [...options.keys];
      const timer = setInterval(() => {
        const key = remaining.shift();
        if (key === undefined) clearInterval(timer);
        else handler(key);
      }, 1);
      return () => clearInterval(timer);
    },
    onSignal: (handler) => {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    onCrash: (handler) => {
      crashes.add(handler);
      return () => crashes.delete(handler);
    },
    exitNow: (code) => {
      ended ??= code;
      stdout.sealed = true;
      stderr.sealed = true;
    },
    get ended() {
      return ended;
    },
    flush: async () => {},
  };
  options.onReady?.((signal) => {
    for (const handler of handlers) handler(signal);
  });
  const running = runCli(argv, io);
  if ("crash" in options) {
    while (crashes.size === 0) await Promise.resolve();
    if (options.signal) for (const handler of handlers) handler(options.signal);
    for (const handler of crashes) handler(options.crash);
  }
  const code = await running;
  return { code: ended ?? code, stdout: stdout.text, stderr: stderr.text };
}

/** Runs with --json and parses the one document. */
export async function cliJson(
  argv: readonly string[],
  options: CliOptions = {},
): Promise<{ code: number; document: unknown; stderr: string }> {
  const run = await cli([...argv, "--json"], options);
  return { code: run.code, document: JSON.parse(run.stdout), stderr: run.stderr };
}
