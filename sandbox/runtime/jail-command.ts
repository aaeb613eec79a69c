// Command lines that start this program as launcher or supervisor, from the executable or from a checkout.
import { join } from "node:path";
import type { JAIL_FLAG, SUPERVISE_FLAG } from "../jail/entry.ts";
import { embeddedRuntime } from "./embedded.ts";
import { ownExecutable } from "./own-executable.ts";

/** Whether there is a jail for this platform. The launcher reports which of its protections are in force. */
export function hasJail(): boolean {
  return process.platform === "linux" && (process.arch === "x64" || process.arch === "arm64");
}

/** The command line of a launcher or supervisor. */
export function jailCommand(flag: typeof JAIL_FLAG | typeof SUPERVISE_FLAG, argument: string): string[] {
  const entry = embeddedRuntime() === undefined ? [join(import.meta.dirname, "../jail/entry.ts")] : [];
  return [ownExecutable(), ...entry, flag, argument];
}
