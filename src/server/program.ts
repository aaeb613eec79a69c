// This program as a process of its own: whatever the server does to items is a command, with the same flags, locks,
// limits and results as at a terminal, and nothing that goes wrong in it can end the server.
import { dirname } from "node:path";
import { AtomsmithError } from "../core/errors.ts";

export interface ProgramOptions {
  program: readonly string[];
  /** Flags of every command, and those that only the commands over items have. */
  flags: { global: readonly string[]; items: readonly string[] };
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

export interface ProgramResult {
  exit: number;
  /** The document of --json; undefined when there was none. */
  document: unknown;
}

/** Longest document that is read back. */
const MAX_DOCUMENT_BYTES = 64 * 2 ** 20;

/** No started program gets the token. */
const TOKEN_VARIABLE = "ATOMSMITH_TOKEN";

export class ProgramRunner {
  private readonly options: ProgramOptions;

  constructor(options: ProgramOptions) {
    this.options = options;
  }

  /** The whole command line of a command over items. */
  private commandLine(args: readonly string[], global: readonly string[]): string[] {
    const { program, flags } = this.options;
    const [command = "", ...rest] = args;
    return [...program, ...global, ...flags.global, command, ...flags.items, ...rest];
  }

  /** Starts a command over items whose output goes to files. */
  spawn(
    args: readonly string[],
    files: { stdout: string; stderr: string; events: string },
  ): Bun.Subprocess<"ignore"> {
    return Bun.spawn(this.commandLine(args, ["--json", "--no-color", `--events=${files.events}`]), {
      cwd: this.options.cwd,
      env: this.environment(),
      stdin: "ignore",
      stdout: Bun.file(files.stdout),
      stderr: Bun.file(files.stderr),
    });
  }

  /** Runs a command with --json and reads its document. Throws kind `limit` after `timeoutMs`.
   * @param options.plain a command that is not over items, e.g. `spec lint` */
  async document(
    args: readonly string[],
    { timeoutMs, signal, plain = false }: { timeoutMs: number; signal?: AbortSignal; plain?: boolean },
  ): Promise<ProgramResult> {
    const { program, flags } = this.options;
    const quiet = ["--json", "--quiet"];
    const command = plain ? [...program, ...quiet, ...flags.global, ...args] : this.commandLine(args, quiet);
    const child = Bun.spawn(command, {
      cwd: this.options.cwd,
      env: this.environment(),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    const end = (): void => child.kill("SIGTERM");
    const timer = setTimeout(end, timeoutMs);
    signal?.addEventListener("abort", end, { once: true });
    const started = performance.now();
    try {
      const text = await readBounded(child.stdout, () => child.kill("SIGKILL"));
      const exit = await child.exited;
      if (exit === 130 && performance.now() - started >= timeoutMs) {
        throw new AtomsmithError("limit", `the command took more than ${timeoutMs / 1000} s and was stopped`);
      }
      return { exit, document: parse(text) };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    }
  }

  private environment(): Record<string, string | undefined> {
    return { ...this.options.env, [TOKEN_VARIABLE]: undefined };
  }
}

/** The command line that starts this program again: the executable, or Bun with the sources of a checkout. */
export function ownProgram(): string[] {
  const script = Bun.main;
  const bundled = script.startsWith("/$bunfs/") || script.includes("~BUN");
  return bundled ? [process.execPath] : [process.execPath, `${dirname(import.meta.dirname)}/main.ts`];
}

async function readBounded(stream: ReadableStream<Uint8Array>, stop: () => void): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > MAX_DOCUMENT_BYTES) {
      stop();
      throw new AtomsmithError(
        "limit",
        `the result of the command is larger than ${MAX_DOCUMENT_BYTES} bytes`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
