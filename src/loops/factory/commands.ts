// Runs commands of the repository: without a shell, in the jail if it is available, with a time limit. Their output is
// masked and stored in files of the attempt.
import { existsSync } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { type CommandResult, runCommand } from "../../../sandbox/command.ts";
import type { Redact } from "../../core/redact/index.ts";
import { writeFileAtomic } from "../../store/atomic.ts";
import { Artifacts } from "./artifacts.ts";
import type { FactoryEmit } from "./events.ts";
import { lastChars } from "./prompt.ts";
import type { CmdResult, JailLevel } from "./schemas.ts";

const MAX_LOG_BYTES = 64 * 1024 * 1024;
const SHOWN_LINES = 200;
const SHOWN_CHARS = 8_000;

export interface CommandOptions {
  /** Absolute. */
  root: string;
  runDir: string;
  timeoutSeconds: number;
  /** `required`: less than the full jail throws kind `sandbox`; `preferred`: use what is available. */
  jail: "required" | "preferred" | "off";
  network: boolean;
  redact: Redact;
  emit: FactoryEmit;
}

export class CommandRunner {
  private readonly options: CommandOptions;
  /** The weakest jail of the run's commands; null before the first one. */
  private weakest: JailLevel | null = null;

  constructor(options: CommandOptions) {
    this.options = options;
  }

  get level(): JailLevel {
    return this.weakest ?? "none";
  }

  /** Restores the level of a resumed run. */
  noteLevel(level: JailLevel): void {
    const order: JailLevel[] = ["none", "partial", "full"];
    if (this.weakest === null || order.indexOf(level) < order.indexOf(this.weakest)) this.weakest = level;
  }

  /** Runs one command and returns its result, also on failure; an aborted signal ends it and throws its reason.
   * @param name name of the log files, such as `verify_1` */
  async run(argv: readonly string[], attempt: number, name: string, signal: AbortSignal): Promise<CmdResult> {
    const { root, runDir, emit, timeoutSeconds } = this.options;
    const command = argv.join(" ");
    const raw = join(runDir, ".raw");
    await mkdir(raw, { recursive: true, mode: 0o700 });
    emit({ type: "command_started", attempt, command });
    try {
      const done = await runCommand({
        argv,
        cwd: root,
        readable: "system",
        writable: [root],
        readOnly: existsSync(join(root, ".git")) ? [join(root, ".git")] : [],
        privateTmp: true,
        network: this.options.network,
        env: { PYTHONDONTWRITEBYTECODE: "1" },
        limits: { timeMs: timeoutSeconds * 1000, outputBytes: MAX_LOG_BYTES },
        stdin: "",
        stdout: join(raw, "stdout"),
        stderr: join(raw, "stderr"),
        signal,
        jail: this.options.jail,
      });
      signal.throwIfAborted();
      const result = await this.keep(argv, done, Artifacts.inAttempt(attempt, name));
      const duration_ms = Math.round(done.durationMs);
      emit({ type: "command_finished", attempt, command, exit_code: result.exit_code, duration_ms });
      return result;
    } finally {
      await rm(raw, { recursive: true, force: true });
    }
  }

  private async keep(argv: readonly string[], done: CommandResult, path: string): Promise<CmdResult> {
    const { redact } = this.options;
    if (!("reason" in done.exit && done.exit.reason.startsWith("not_"))) this.noteLevel(done.level);
    const note = "reason" in done.exit ? `${done.exit.message}\n` : "";
    const stdout = await this.maskFile(done.stdout.path, `${path}_stdout.txt`, "");
    const stderr = await this.maskFile(done.stderr.path, `${path}_stderr.txt`, note);
    return {
      command: argv.map(redact),
      exit_code: exitCode(done.exit),
      stdout_trunc: stdout,
      stderr_trunc: stderr,
      stdout_path: `${path}_stdout.txt`,
      stderr_path: `${path}_stderr.txt`,
      duration_seconds: Math.round(done.durationMs) / 1000,
    };
  }

  /** Copies a log to the folder of the run and masks it, in pieces of whole lines. Returns its end.
   * @param appended a note of the program */
  private async maskFile(from: string, to: string, appended: string): Promise<string> {
    const { redact, runDir } = this.options;
    const parts: string[] = [];
    for await (const piece of textPieces(from)) parts.push(redact(piece));
    const last = parts.at(-1) ?? "";
    if (appended !== "" && last !== "" && !last.endsWith("\n")) parts.push("\n");
    parts.push(appended);
    await writeFileAtomic(join(runDir, to), parts.join(""), { flush: false });
    const tail = lastChars(parts.slice(-4).join(""), 2 * SHOWN_CHARS + SHOWN_LINES);
    return lastChars(lastLines(tail, SHOWN_LINES), SHOWN_CHARS);
  }
}

const PIECE_BYTES = 1024 * 1024;

/** The text of a file in pieces that end at a line end, unless a line is longer than a piece. */
async function* textPieces(path: string): AsyncGenerator<string> {
  const handle = await open(path, "r");
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const buffer = new Uint8Array(PIECE_BYTES);
  let rest = "";
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, PIECE_BYTES);
      if (bytesRead === 0) break;
      const text = rest + decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
      const end = text.lastIndexOf("\n") + 1;
      rest = end === 0 && text.length > 4 * PIECE_BYTES ? "" : text.slice(end);
      yield rest === "" ? text : text.slice(0, end);
    }
    yield rest + decoder.decode();
  } finally {
    await handle.close();
  }
}

function lastLines(text: string, count: number): string {
  const lines = text.split("\n");
  const keep = text.endsWith("\n") ? count + 1 : count;
  return lines.slice(-keep).join("\n");
}

function exitCode(exit: CommandResult["exit"]): number {
  if ("code" in exit) return exit.code;
  if ("signal" in exit) return SIGNAL_BASE + (SIGNALS[exit.signal] ?? 0);
  if (exit.reason === "not_found" || exit.reason === "not_executable") return -1;
  return -2;
}

/** Exit codes of signals, as in a shell. */
const SIGNAL_BASE = 128;
const SIGNALS: Readonly<Record<string, number>> = constants.signals;
