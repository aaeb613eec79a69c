// What a supervisor is asked to do with a command, and what it reports. Both travel as files in a private folder:
// arguments of a process can be read by everybody on the machine.
import type { Captured } from "./capture.ts";
import type { JailNotice, JailOrder, JailRefusal } from "./order.ts";

/** Limits of a command. Each ends the whole process tree when it is reached, but for `fileBytes` and `outputBytes`. */
export interface CommandLimits {
  timeMs: number;
  /** What is kept of each stream: half from its beginning, half from its end. */
  outputBytes: number;
  /** More than this in one stream ends the command; default: 64 times `outputBytes`, and at
   * least 64 MiB. */
  stopBytes?: number;
  /** Memory of all processes together that is not shared with a file, in MiB. */
  memoryMb?: number;
  /** Processes at the same time; default 512. */
  processes?: number;
  /** Size of any one file that the command writes. */
  fileBytes?: number;
}

/** Why the supervisor ended a command. */
export type StopReason = "timeout" | "output" | "memory" | "processes" | "cancelled";

export interface SupervisorOrder {
  /** The order for the launcher; its `parent` and `noticeFd` are the supervisor's. */
  jail: JailOrder;
  /** How the launcher is started with the file that holds its order; empty: there is none on this system. */
  launcher: string[];
  /** Where the launcher finds its order. */
  launcherOrder: string;
  /** Continue without a launcher when it cannot start. */
  plainAllowed: boolean;
  limits: Required<Omit<CommandLimits, "memoryMb" | "fileBytes">> & Pick<CommandLimits, "memoryMb">;
  stdout: string;
  stderr: string;
  /** File that is the standard input; without it the input is empty. */
  stdin?: string;
  report: string;
  /** Removed when the command is over. */
  temporary: string[];
  /** Removed too when the parent is gone. */
  orphaned: string[];
}

export interface SupervisorReport {
  stopped: StopReason | null;
  code: number | null;
  signal: string | null;
  notice: JailNotice | null;
  refused: JailRefusal | null;
  /** Descendants are inherited by the supervisor, so that none can get away. */
  subreaper: boolean;
  /** Processes that were still there after the command had ended by itself. */
  leftBehind: number;
  stdout: Captured;
  stderr: Captured;
  durationMs: number;
}
