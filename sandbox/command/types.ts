// Options and result of a command.
import type { Captured } from "../jail/capture.ts";
import type { Protection } from "../jail/order.ts";
import type { CommandLimits, StopReason } from "../jail/supervision.ts";
import type { CommandRights } from "./rights.ts";

export interface CommandOptions extends CommandRights {
  /** The program, looked up in PATH of the command's environment, and its arguments. */
  argv: readonly string[];
  cwd: string;
  /** Paths below a writable root that stay read-only; enforced only where `read_only_mounts` is reported. */
  readOnly?: readonly string[];
  /** Gives the command private directories for HOME, temporary files and caches, removed afterwards. */
  privateTmp: boolean;
  /** Allows internet sockets. Unix sockets are always denied. */
  network: boolean;
  /** Added to the few inherited variables (PATH, language, time zone, user). */
  env?: Record<string, string>;
  limits: CommandLimits;
  stdin?: string | Uint8Array;
  /** Files for the output, absolute, not below a writable root. Replaced when they exist. */
  stdout: string;
  stderr: string;
  signal?: AbortSignal;
  /** `required`: an error of kind `sandbox` unless files, system calls, privileges and the network are protected;
   * `preferred`: runs with the protections available and reports them; `off`: no jail, but all limits. */
  jail: "required" | "preferred" | "off";
}

/** How a command ended: with an exit code, by a signal, stopped by the supervisor, or never started. */
export type CommandExit =
  | { code: number }
  | { signal: string }
  | { reason: StopReason | "not_found" | "not_executable"; message: string };

/** `full`: every protection of PROTECTIONS except the mounts; `none`: neither files nor system calls are protected. */
export type CommandLevel = "full" | "partial" | "none";

export interface CommandResult {
  exit: CommandExit;
  stdout: Captured;
  stderr: Captured;
  durationMs: number;
  level: CommandLevel;
  held: Protection[];
  /** What could not be applied, one sentence each, with the reason. */
  missing: string[];
  /** Processes that outlived the command and were killed. */
  leftBehind: number;
}
