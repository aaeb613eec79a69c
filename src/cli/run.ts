// Runs a command line: finds the command, checks its flags, creates its context, runs it, and turns the outcome
// into one message, one document and one exit code. Does not end the process (main.ts does).
import { resolve } from "node:path";
import { runCommand } from "citty";
import type { LoadedConfig } from "../config/load.ts";
import { AtomsmithError, EXIT, type ExitCode, toAtomsmithError } from "../core/errors.ts";
import { EventBus } from "../core/event-bus.ts";
import { randomHex } from "../core/random.ts";
import { VERSION } from "../core/version.ts";
import type { Command, CommandData } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { type EventSink, openEventSink } from "./event-file.ts";
import { renderCommandHelp, renderGroupHelp, renderMainHelp } from "./help.ts";
import type { Io } from "./io.ts";
import type { Log } from "./log.ts";
import { Output } from "./output.ts";
import { type CommandLine, readCommandLine } from "./request.ts";
import { createMask, queueSecrets } from "./secrets.ts";
import { wireSignals } from "./signals.ts";

/** Runs one command line and returns the exit code. Never throws. */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitCode> {
  const request = await readCommandLine(argv);
  const globals = request.globals;
  const output = new Output(io, {
    json: globals["json"] === true,
    quiet: globals["quiet"] === true,
    noColor: globals["no-color"] === true,
    eventsOnStdout: globals["events"] === "-",
    secrets: queueSecrets(argv, io.env),
  });
  const run = new Run(request, output, io);
  const stopCrash = io.onCrash((error) => run.crash(error));
  try {
    return await run.execute();
  } finally {
    stopCrash();
  }
}

/** One run of one command. */
class Run {
  private readonly bus = new EventBus(randomHex(6));
  private readonly controller = new AbortController();
  private readonly cleanups: (() => void | Promise<void>)[] = [];
  private readonly totals: Record<string, number> = {};
  private readonly started = Date.now();
  private sink: EventSink | undefined;
  private log: Log | undefined;
  private endProgress: () => void = () => {};
  private readonly request: CommandLine;
  private readonly output: Output;
  private readonly io: Io;

  constructor(request: CommandLine, output: Output, io: Io) {
    this.request = request;
    this.output = output;
    this.io = io;
  }

  async execute(): Promise<ExitCode> {
    const stopSignals = wireSignals(this.io, this.controller, this.output, () => {
      this.endProgress();
      this.emitFinished(EXIT.interrupted);
    });
    let code: ExitCode;
    try {
      code = await this.answer();
    } catch (error) {
      code = this.failed(error);
    }
    this.output.writeResult(code);
    code = await this.cleanUp(code);
    code = await this.finish(this.controller.signal.aborted ? EXIT.interrupted : code);
    stopSignals();
    return this.controller.signal.aborted ? EXIT.interrupted : code;
  }

  /** Handles an uncaught error, which is a bug. Ends the process. */
  crash(error: unknown): void {
    // Errors after an interruption are not bugs and must not stop the command from saving.
    if (this.controller.signal.aborted && isInterruption(error)) return;
    this.endProgress();
    const code = this.failed(error instanceof AtomsmithError ? error : asBug(error));
    this.output.writeResult(code);
    this.emitFinished(code);
    this.io.exitNow(code);
  }

  private async answer(): Promise<ExitCode> {
    const { request, output } = this;
    const { globals } = request;
    const target = globals["events"];
    if (target === "-" && output.json) {
      throw new AtomsmithError("usage", "--json and --events - both write to stdout", {
        hint: "write the events to a file: --events events.jsonl",
      });
    }
    if (typeof target === "string") this.openEvents(target);
    this.bus.emit({ type: "run_started", command: commandName(request), version: VERSION, items: null });
    if (request.error) throw request.error;
    if (globals["version"] === true) {
      output.result({ version: VERSION }, () => `atomsmith ${VERSION}`);
      return EXIT.ok;
    }
    if (request.help || request.node === undefined || request.node.kind === "group") return this.help();
    return this.runCommand(request.node);
  }

  private help(): ExitCode {
    const { node, path, help } = this.request;
    const render = (style: Output["style"]) => {
      if (node === undefined) return renderMainHelp(style);
      return node.kind === "group"
        ? renderGroupHelp(path, node, style)
        : renderCommandHelp(path, node, style);
    };
    if (help) {
      this.output.result({ help: render(this.output.style) }, render);
      return EXIT.ok;
    }
    if (!this.output.json) this.output.warn(render(this.output.errorStyle));
    throw new AtomsmithError("usage", `${path}: missing command`, { hint: `see: ${path} --help` });
  }

  private async runCommand(command: Command): Promise<ExitCode> {
    const loaded = command.config ? await this.loadConfig(command) : undefined;
    if (loaded) {
      const { config } = loaded;
      this.output.mask = createMask(this.io.env, { config, secrets: this.output.secrets });
      this.output.stored = createMask(this.io.env, {
        config,
        secrets: this.output.secrets,
        shapes: config.llm.redact,
      });
      const { attachLog } = await import("./log.ts");
      const { attachProgress } = await import("./progress/attach.ts");
      this.log = attachLog(this.bus, this.output, loaded.config.logging);
      this.endProgress = attachProgress(this.bus, this.output, this.io);
      this.cleanups.push(this.endProgress);
    }
    const data: CommandData = {
      values: this.request.values,
      context: this.createContext(command, loaded),
    };
    const { result } = await runCommand(
      { meta: { name: command.name }, run: command.run } as Parameters<typeof runCommand>[0],
      { rawArgs: [], data },
    );
    return result as ExitCode;
  }

  private async loadConfig(command: Command): Promise<LoadedConfig> {
    const { loadConfig } = await import("../config/load.ts");
    const { globals, values } = this.request;
    const flags: { key: string; value: unknown; flag: string }[] = [];
    for (const [name, arg] of Object.entries(command.args)) {
      const value = values[name];
      if (!arg.sets || value === undefined || value === false) continue;
      for (const key of arg.sets) flags.push({ key, value, flag: `--${name}` });
    }
    // A command may define its own --config; the program's file is then atomsmith.yaml, if it exists.
    const file = "config" in command.args ? undefined : globals["config"];
    return loadConfig({
      cwd: this.io.cwd,
      env: this.io.env,
      ...(typeof file === "string" ? { file } : {}),
      settings: (globals["c"] ?? []) as string[],
      flags,
    });
  }

  private createContext(command: Command, loaded: LoadedConfig | undefined): CommandContext {
    const need = (): LoadedConfig => {
      if (loaded) return loaded;
      throw new AtomsmithError("internal", `${command.name} runs without a configuration`);
    };
    const { io, bus, output, totals, cleanups } = this;
    return {
      get config() {
        return need().config;
      },
      get loaded() {
        return need();
      },
      loadConfig: () => this.loadConfig(command),
      bus,
      emit: bus.emit,
      signal: this.controller.signal,
      output,
      io,
      env: io.env,
      cwd: io.cwd,
      json: output.json,
      totals,
      onCleanup: (clean) => {
        cleanups.push(clean);
      },
      ownFiles: this.ownFiles(loaded),
      endProgress: () => this.endProgress(),
      resolve: (path) => resolve(io.cwd, path),
    };
  }

  private ownFiles(loaded: LoadedConfig | undefined): string[] {
    const events = this.request.globals["events"];
    const eventFile = typeof events === "string" && events !== "-" ? resolve(this.io.cwd, events) : undefined;
    const files = [eventFile, loaded?.config.logging.log_file, loaded?.file ?? undefined];
    return files.filter((file) => file !== undefined);
  }

  private openEvents(target: string): void {
    const sink = openEventSink(target, this.io, (text) => this.output.stored(text));
    this.sink = sink;
    this.bus.subscribe((event) => sink.write(event));
  }

  private failed(thrown: unknown): ExitCode {
    const aborted = this.controller.signal.aborted;
    const error = aborted ? interruption(this.controller.signal, thrown) : toAtomsmithError(thrown);
    this.output.error(error);
    if (error.kind === "internal") this.reportBug(thrown);
    return error.exitCode;
  }

  private reportBug(thrown: unknown): void {
    const stack = thrown instanceof Error ? (thrown.stack ?? "") : "";
    this.output.warn(
      `This is a bug in atomsmith ${VERSION}. Stored results are not affected. Please report it with the lines below.`,
    );
    if (stack !== "") this.output.warn(stack);
  }

  private async cleanUp(code: ExitCode): Promise<ExitCode> {
    let result = code;
    for (const clean of this.cleanups.splice(0).reverse()) {
      try {
        await clean();
      } catch (error) {
        const failure = this.failed(error);
        if (result === EXIT.ok) result = failure;
      }
    }
    return result;
  }

  /** Emits the end of the run, closes the events, and reports output that could not be written. */
  private async finish(code: ExitCode): Promise<ExitCode> {
    this.emitFinished(code);
    await this.io.stdout.flush();
    const problem = this.sink?.problem ?? this.log?.close() ?? this.io.stdout.problem;
    if (problem === undefined) return code;
    this.output.warn(`${this.output.errorStyle.red("error:")} ${problem.message}`);
    return code === EXIT.ok ? problem.exitCode : code;
  }

  private emitFinished(code: ExitCode): void {
    this.bus.emit({
      type: "run_finished",
      exit_code: code,
      totals: { ...this.totals },
      duration_ms: Date.now() - this.started,
    });
    this.sink?.close();
  }
}

function commandName(request: CommandLine): string {
  return request.path.replace(/^atomsmith ?/, "") || "help";
}

function interruption(signal: AbortSignal, thrown: unknown): AtomsmithError {
  if (thrown instanceof AtomsmithError && thrown.kind === "interrupted") return thrown;
  return signal.reason instanceof AtomsmithError
    ? signal.reason
    : new AtomsmithError("interrupted", "interrupted");
}

function isInterruption(error: unknown): boolean {
  if (error instanceof AtomsmithError) return error.kind === "interrupted";
  return error instanceof Error && error.name === "AbortError";
}

function asBug(error: unknown): AtomsmithError {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return new AtomsmithError("internal", message, { cause: error });
}
