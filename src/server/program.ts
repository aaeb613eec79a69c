// Runs this program as a child process: every change that the server makes is a command, with the same flags, locks,
// limits and results as in a terminal, and no error in it can end the server.
import { dirname } from "node:path";
import { errorDocumentSchema } from "../contract/documents.ts";
import { AtomsmithError } from "../core/errors.ts";

export interface ProgramOptions {
  program: readonly string[];
  /** Flags of every command, those of commands over items only, and those that replace the configuration file in
   * commands with another --config. */
  flags: { global: readonly string[]; items: readonly string[]; settings: readonly string[] };
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** Which flags a command accepts: those of commands over items, the global ones, or those of commands with another
 * --config. */
export type CommandFlags = "items" | "program" | "settings";

interface Call {
  flags?: CommandFlags;
  /** Environment in addition to that of the server. */
  env?: Readonly<Record<string, string>>;
}

export interface ProgramResult {
  exit: number;
  /** The document of --json; undefined when it is missing. */
  document: unknown;
}

/** Maximum size of a document that is read. */
const MAX_DOCUMENT_BYTES = 64 * 2 ** 20;

/** Time limit of a command whose result is awaited by a request. */
const ACT_MS = 90_000;

/** Not passed on to child processes. */
const TOKEN_VARIABLE = "ATOMSMITH_TOKEN";

export class ProgramRunner {
  private readonly options: ProgramOptions;

  constructor(options: ProgramOptions) {
    this.options = options;
  }

  private commandLine(args: readonly string[], global: readonly string[], kind: CommandFlags): string[] {
    const { program, flags } = this.options;
    if (kind === "settings") return [...program, ...global, ...flags.settings, ...args];
    const [command = "", ...rest] = args;
    const own = kind === "items" ? flags.items : [];
    return [...program, ...global, ...flags.global, command, ...own, ...rest];
  }

  /** Starts a command whose output goes to files. */
  spawn(
    args: readonly string[],
    files: { stdout: string; stderr: string; events: string },
    { flags = "items", env = {} }: Call = {},
  ): Bun.Subprocess<"ignore"> {
    return Bun.spawn(this.commandLine(args, ["--json", "--no-color", `--events=${files.events}`], flags), {
      cwd: this.options.cwd,
      env: { ...this.environment(), ...env },
      stdin: "ignore",
      stdout: Bun.file(files.stdout),
      stderr: Bun.file(files.stderr),
    });
  }

  /** Runs a command with --json and reads its document. Throws kind `limit` after `timeoutMs`. */
  async document(
    args: readonly string[],
    {
      timeoutMs,
      signal,
      stdin,
      flags = "items",
      env = {},
    }: Call & { timeoutMs: number; signal?: AbortSignal; stdin?: string },
  ): Promise<ProgramResult> {
    const child = Bun.spawn(this.commandLine(args, ["--json", "--quiet"], flags), {
      cwd: this.options.cwd,
      env: { ...this.environment(), ...env },
      stdin: stdin === undefined ? "ignore" : Buffer.from(stdin),
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

  /** Runs a short command and returns its document; its error becomes the answer. */
  async act(
    args: readonly string[],
    call: Call & { signal?: AbortSignal; stdin?: string },
  ): Promise<unknown> {
    const { exit, document } = await this.document(args, { ...call, timeoutMs: ACT_MS });
    const failed = errorDocumentSchema.safeParse(document).data?.error;
    if (failed !== undefined) {
      const { kind, message, hint } = failed;
      throw new AtomsmithError(kind, message, { status: 409, ...(hint === undefined ? {} : { hint }) });
    }
    if (document !== undefined) return document;
    throw new AtomsmithError(
      "internal",
      `${args.join(" ")} ended with exit code ${exit} and without a document`,
    );
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
