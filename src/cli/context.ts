// What a command gets: configuration, events, output, the signal that ends it. Nothing here ends the process.
import type { LoadedConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import type { EventBus } from "../core/event-bus.ts";
import type { Emit } from "../core/events.ts";
import type { Io } from "./io.ts";
import type { Output } from "./output.ts";

export interface CommandContext {
  /** The configuration after all layers; paths in it are absolute. Throws `internal` in a command that was
   * declared with `config: false`. */
  readonly config: Config;
  /** The same with where each value came from. */
  readonly loaded: LoadedConfig;
  /** Loads the configuration in a command with `config: false`; throws its `config` error. */
  loadConfig(): Promise<LoadedConfig>;
  readonly bus: EventBus;
  readonly emit: Emit;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, with an `interrupted` AtomsmithError as its reason. The
   * command stops what it does and throws that reason (or returns): the exit code is 130 either way. */
  readonly signal: AbortSignal;
  readonly output: Output;
  readonly io: Io;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder the program was started in. */
  readonly cwd: string;
  readonly json: boolean;
  /** Counts that stand in the `run_finished` event; a command fills them in. */
  readonly totals: Record<string, number>;
  /** Files that the program itself reads or writes in this run (events, log, configuration, reports). They may lie
   * below the search root and are no logs. A command adds its own. */
  readonly ownFiles: string[];
  /** Runs after the command, in reverse order, whatever its end; also when it was interrupted. */
  onCleanup(clean: () => void | Promise<void>): void;
  /** Takes the progress display away, for a command that shows a person its own. */
  endProgress(): void;
  /** Absolute path of what a person wrote on the command line. */
  resolve(path: string): string;
}
