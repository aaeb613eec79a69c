// Services that a command receives: configuration, events, output, abort signal. A command never ends the process.
import type { LoadedConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import type { EventBus } from "../core/event-bus.ts";
import type { Emit } from "../core/events.ts";
import type { Io } from "./io.ts";
import type { Output } from "./output.ts";

export interface CommandContext {
  /** The merged configuration; its paths are absolute. Throws `internal` in a command declared with
   * `config: false`. */
  readonly config: Config;
  /** The configuration with the origin of each value. */
  readonly loaded: LoadedConfig;
  /** Loads the configuration in a command with `config: false`; throws its `config` error. */
  loadConfig(): Promise<LoadedConfig>;
  readonly bus: EventBus;
  readonly emit: Emit;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, with an `interrupted` AtomsmithError as its reason. The
   * command stops and throws that reason (or returns); the exit code is 130 in both cases. */
  readonly signal: AbortSignal;
  readonly output: Output;
  readonly io: Io;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Working directory at the start of the program. */
  readonly cwd: string;
  readonly json: boolean;
  /** Counts for the `run_finished` event; the command sets them. */
  readonly totals: Record<string, number>;
  /** Files that the program reads or writes in this run (events, log, configuration, reports). They may be below
   * the search root and are not logs. A command adds its own. */
  readonly ownFiles: string[];
  /** Registers a function that runs after the command, also after a failure or interruption; in reverse order. */
  onCleanup(clean: () => void | Promise<void>): void;
  /** Removes the progress display, for a command with its own display. */
  endProgress(): void;
  /** Absolute path of a path on the command line. */
  resolve(path: string): string;
}
