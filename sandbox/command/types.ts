// What a command is asked to be run with, and what it came to.
import type { Captured } from "../jail/capture.ts";
import type { Protection } from "../jail/order.ts";
import type { CommandLimits, StopReason } from "../jail/supervision.ts";
import type { CommandRights } from "./rights.ts";

export interface CommandOptions extends CommandRights {
  /** The program, looked up in PATH of the command's environment, and its arguments. */
  argv: readonly string[];
  cwd: string;
  /** Paths below a writable root that stay as they are; holds only where `read_only_mounts` is reported. */
  readOnly?: readonly string[];
  /** HOME, the folder for temporary files and caches are private folders that are removed afterwards. */
  privateTmp: boolean;
  /** TCP, UDP and the rest of the internet. Unix sockets are denied in either case. */
  network: boolean;
  /** Added to the few variables that are handed on (PATH, language, time zone, user). */
  env?: Record<string, string>;
  limits: CommandLimits;
  stdin?: string | Uint8Array;
  /** Files for the output, absolute, not below a writable root. Replaced when they exist. */
  stdout: string;
  stderr: string;
  signal?: AbortSignal;
  /** `required`: an error of kind `sandbox` where files, system calls, privileges or the network are not guarded;
   * `preferred`: runs with what there is, and says so; `off`: no jail, but all limits. */
  jail: "required" | "preferred" | "off";
}

/** How a command ended: by itself, by a signal, or for a reason of ours, or it was not started. */
export type CommandExit =
  | { code: number }
  | { signal: string }
  | { reason: StopReason | "not_found" | "not_executable"; message: string };

/** `full`: every protection of PROTECTIONS but the mounts; `none`: neither files nor system calls are guarded. */
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
