// The order for a supervisor and its report. Both are files in a private directory: process arguments are visible to
// every user of the machine.
import type { Captured } from "./capture.ts";
import type { JailNotice, JailOrder, JailRefusal } from "./order.ts";

/** Limits of a command. Reaching one ends the whole process tree, except for `fileBytes` and `outputBytes`. */
export interface CommandLimits {
  timeMs: number;
  /** Bytes kept of each stream: half from its beginning, half from its end. */
  outputBytes: number;
  /** More bytes than this in one stream end the command; default: 64 times `outputBytes`, at least 64 MiB. */
  stopBytes?: number;
  /** Memory of all processes together that is not file-backed, in MiB. */
  memoryMb?: number;
  /** Processes at the same time; default 512. */
  processes?: number;
  /** Maximum size of each file that the command writes. */
  fileBytes?: number;
}

/** Why the supervisor ended a command. */
export type StopReason = "timeout" | "output" | "memory" | "processes" | "cancelled";

export interface SupervisorOrder {
  /** The order for the launcher; the supervisor sets `parent` and `noticeFd`. */
  jail: JailOrder;
  /** Command line of the launcher, to which the path of its order is appended; empty where there is no jail. */
  launcher: string[];
  /** Path of the launcher's order. */
  launcherOrder: string;
  /** Run without a jail when the launcher cannot start. */
  plainAllowed: boolean;
  limits: Required<Omit<CommandLimits, "memoryMb" | "fileBytes">> & Pick<CommandLimits, "memoryMb">;
  stdout: string;
  stderr: string;
  /** File used as standard input; default: empty input. */
  stdin?: string;
  report: string;
  /** Removed when the command has ended. */
  temporary: string[];
  /** Removed in addition when the parent has ended. */
  orphaned: string[];
}

export interface SupervisorReport {
  stopped: StopReason | null;
  code: number | null;
  signal: string | null;
  notice: JailNotice | null;
  refused: JailRefusal | null;
  /** The supervisor inherits orphaned descendants, so that none can escape. */
  subreaper: boolean;
  /** Processes still running after the command ended by itself. */
  leftBehind: number;
  stdout: Captured;
  stderr: Captured;
  durationMs: number;
}
