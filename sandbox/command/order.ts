// Creates the orders for the supervisor and launcher of a command from its options: environment, program, rights, limits.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { JAIL_FLAG } from "../jail/entry.ts";
import type { JailOrder, Protection, ResourceLimit } from "../jail/order.ts";
import type { CommandLimits, SupervisorOrder } from "../jail/supervision.ts";
import { hasJail, jailCommand } from "../runtime/jail-command.ts";
import { commandEnvironment, resolveProgram } from "./environment.ts";
import { commandRules } from "./rights.ts";
import type { CommandOptions } from "./types.ts";

const DEFAULT_PROCESSES = 512;
/** Default amount of output that ends a command: a multiple of what is kept, and at least STOP_BYTES. */
const STOP_FACTOR = 64;
const STOP_BYTES = 64 * 1024 * 1024;
const OPEN_FILES = 1024;

/** The limits with their defaults. */
export function completeLimits(limits: CommandLimits): SupervisorOrder["limits"] {
  return {
    ...limits,
    stopBytes: limits.stopBytes ?? Math.max(STOP_BYTES, STOP_FACTOR * limits.outputBytes),
    processes: limits.processes ?? DEFAULT_PROCESSES,
  };
}

/** The order for the supervisor, or the reason why the program cannot be started. */
export function supervisorOrder(
  options: CommandOptions,
  base: string,
): SupervisorOrder | { reason: "not_found" | "not_executable" } {
  const { argv, cwd, privateTmp, limits, jail } = options;
  const folder = join(base, "private");
  const folders = privateTmp ? { home: join(folder, "home"), tmp: join(folder, "tmp") } : undefined;
  const env = commandEnvironment(process.env, options.env ?? {}, folders);
  const program = resolveProgram(argv[0] ?? "", env["PATH"], cwd);
  if ("reason" in program) return program;
  if (folders !== undefined) for (const path of Object.values(folders)) mkdirSync(path, { recursive: true });
  const writable = [...options.writable, ...(folders === undefined ? [] : [folder])];
  return {
    jail: jailOrder({ ...options, writable }, program.path, env),
    launcher: hasJail() ? jailCommand(JAIL_FLAG, "").slice(0, -1) : [],
    launcherOrder: join(base, "launcher.json"),
    plainAllowed: jail !== "required",
    limits: completeLimits(limits),
    stdout: options.stdout,
    stderr: options.stderr,
    ...(options.stdin === undefined ? {} : { stdin: join(base, "stdin") }),
    report: join(base, "report.json"),
    temporary: [folder],
    orphaned: [base],
  };
}

function jailOrder(options: CommandOptions, program: string, env: Record<string, string>): JailOrder {
  const { argv, cwd, network, jail, limits, writable } = options;
  const fileBytes: ResourceLimit[] =
    limits.fileBytes === undefined
      ? []
      : [{ resource: "file_bytes", soft: limits.fileBytes, hard: limits.fileBytes }];
  const core: Protection[] = ["files", "system_calls", "privileges"];
  return {
    profile: "command",
    program,
    argv: [...argv],
    env,
    cwd,
    rules: jail === "off" ? [] : commandRules(program, options),
    network,
    limits: [
      { resource: "core", soft: 0, hard: 0 },
      { resource: "open_files", soft: OPEN_FILES },
      ...fileBytes,
    ],
    // Both are set by the supervisor.
    parent: 0,
    noticeFd: 0,
    mounts: { writable: [...writable], readOnly: [...(options.readOnly ?? [])] },
    demand: jail === "required" ? [...core, ...(network ? [] : (["network"] as const))] : [],
    without: jail === "off" ? ["landlock", "seccomp", "privileges", "mounts"] : [],
  };
}
