// Runs one command of a user's repository or pipeline: without a shell, in the jail if the machine supports it, with output
// captured to files and every resource limited. The whole process tree ends with the command. See docs/sandbox.md.
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { AtomsmithError } from "../src/core/errors.ts";
import { completeLimits, supervisorOrder } from "./command/order.ts";
import type { CommandExit, CommandLevel, CommandOptions, CommandResult } from "./command/types.ts";
import type { Captured } from "./jail/capture.ts";
import { SUPERVISE_FLAG } from "./jail/entry.ts";
import { PROTECTIONS, type Protection } from "./jail/order.ts";
import type { CommandLimits, StopReason, SupervisorReport } from "./jail/supervision.ts";
import { hasJail, jailCommand } from "./runtime/jail-command.ts";

export type { CommandLevel, CommandOptions, CommandResult } from "./command/types.ts";

/** Time for start, kill and report beyond the command's own limit; after it the supervisor counts as hung. */
const GRACE_MS = 20_000;
const ENOEXEC = 8;
const EACCES = 13;

/** Runs a command. Resolves however the command ends; throws AtomsmithError of kind `usage` for invalid options, and
 * of kind `sandbox` when the jail is required but not available, or the supervisor fails. */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  const request = checkOptions(options);
  const base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-run-")));
  try {
    const order = supervisorOrder(request, base);
    if ("reason" in order) return unstartedResult(request, order.reason);
    const file = join(base, "order.json");
    writeFileSync(file, JSON.stringify(order), { mode: 0o600 });
    if (options.stdin !== undefined && order.stdin !== undefined) {
      writeFileSync(order.stdin, options.stdin, { mode: 0o600 });
    }
    return resultOf(request, await runSupervisor(request, file, order.report));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Checks the options and resolves their paths. */
function checkOptions(options: CommandOptions): CommandOptions {
  const { argv, env = {}, jail } = options;
  const texts = [...argv, ...Object.keys(env), ...Object.values(env)];
  if (argv.length === 0 || argv[0] === "") throw usage("the command names no program", "argv");
  if (texts.some((text) => text.includes("\0")))
    throw usage("the command or its environment contains a NUL character", "argv");
  if (jail === "required" && !hasJail())
    throw jailUnavailable(`none for ${process.platform}-${process.arch}`);
  const real = (paths: readonly string[]): string[] => paths.map(realPath);
  const writable = real(options.writable);
  for (const path of [options.stdout, options.stderr]) {
    const folder = realPath(dirname(path)) + sep;
    if (writable.some((root) => folder.startsWith(root + sep))) {
      throw usage(`the output file is inside a directory that the command may write: ${path}`, path);
    }
  }
  return {
    ...options,
    cwd: realPath(options.cwd),
    writable,
    readOnly: real(options.readOnly ?? []),
    hidden: options.hidden ?? [],
    readable: options.readable === "system" ? "system" : real(options.readable),
  };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw usage(`the path cannot be resolved: ${path}`, path, error);
  }
}

function usage(message: string, where: string, cause?: unknown): AtomsmithError {
  return new AtomsmithError("usage", message, { where, cause });
}

function jailUnavailable(reason: string): AtomsmithError {
  return new AtomsmithError("sandbox", `the jail for commands is required and not available: ${reason}`, {
    hint: "Run on Linux with Landlock 3 (kernel 6.2) and seccomp, or allow commands without the jail.",
  });
}

function unstartedResult(options: CommandOptions, reason: "not_found" | "not_executable"): CommandResult {
  const empty = (path: string): Captured => {
    writeFileSync(path, "", { mode: 0o600 });
    return { path, totalBytes: 0, truncated: false };
  };
  return {
    exit: { reason, message: startMessage(options, reason) },
    stdout: empty(options.stdout),
    stderr: empty(options.stderr),
    durationMs: 0,
    level: "none",
    held: [],
    missing: [],
    leftBehind: 0,
  };
}

function startMessage({ argv }: CommandOptions, reason: "not_found" | "not_executable"): string {
  const [name] = argv;
  return reason === "not_found" ? `program not found: ${name}` : `not an executable program: ${name}`;
}

/** Starts the supervisor and waits for its report. */
async function runSupervisor(
  { signal, limits }: CommandOptions,
  order: string,
  report: string,
): Promise<SupervisorReport> {
  const supervisor = Bun.spawn(jailCommand(SUPERVISE_FLAG, order), {
    env: {},
    // Not the directory of the repository, where Bun would read a bunfig.toml.
    cwd: dirname(order),
    stdin: "pipe",
    stdout: "ignore",
    stderr: "pipe",
  });
  const cancel = (): void => {
    supervisor.stdin.write("x");
    void supervisor.stdin.flush();
  };
  if (signal?.aborted === true) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  const watchdog = setTimeout(() => supervisor.kill("SIGKILL"), limits.timeMs + GRACE_MS);
  const [errorOutput] = await Promise.all([new Response(supervisor.stderr).text(), supervisor.exited]);
  clearTimeout(watchdog);
  signal?.removeEventListener("abort", cancel);
  if (statSync(report, { throwIfNoEntry: false }) === undefined) {
    const how = supervisor.signalCode ?? `code ${supervisor.exitCode}`;
    throw new AtomsmithError(
      "sandbox",
      `the supervisor of a command ended with ${how}: ${errorOutput.trim()}`,
    );
  }
  return JSON.parse(readFileSync(report, "utf8")) as SupervisorReport;
}

function resultOf(options: CommandOptions, report: SupervisorReport): CommandResult {
  const { notice, refused, stdout, stderr, durationMs, leftBehind } = report;
  if (options.jail === "required" && report.stopped === null) {
    if (refused !== null && refused.what !== "exec") {
      throw jailUnavailable([refused.message, ...(notice?.missing ?? [])].join("; "));
    }
    if (notice === null) throw jailUnavailable("the launcher did not start");
  }
  const held: Protection[] = [
    ...(notice?.held ?? []),
    ...(report.subreaper ? ["process_tree" as const] : []),
  ];
  return {
    exit: exitOf(options, report),
    stdout,
    stderr,
    durationMs,
    level: levelOfCommand(held, options.network),
    held,
    missing: missingOf(options, report),
    leftBehind,
  };
}

function missingOf({ jail }: CommandOptions, { notice, refused, subreaper }: SupervisorReport): string[] {
  const missing = jail === "off" ? ["the jail was switched off"] : [...(notice?.missing ?? [])];
  if (jail !== "off" && !hasJail()) missing.push(`no jail for ${process.platform}-${process.arch}`);
  else if (notice === null) missing.push(`the launcher did not start: ${refused?.message ?? "no notice"}`);
  if (!subreaper) missing.push("processes that leave the session of the command cannot be found");
  return missing;
}

function exitOf(options: CommandOptions, report: SupervisorReport): CommandExit {
  const { stopped, refused, code, signal } = report;
  if (stopped !== null) return { reason: stopped, message: stopMessage(stopped, options.limits) };
  if (refused?.what === "exec") {
    const reason = [ENOEXEC, EACCES].includes(refused.errno) ? "not_executable" : "not_found";
    return { reason, message: startMessage(options, reason) };
  }
  return signal === null ? { code: code ?? -1 } : { signal };
}

function stopMessage(reason: StopReason, commandLimits: CommandLimits): string {
  const limits = completeLimits(commandLimits);
  const messages: Record<StopReason, string> = {
    timeout: `not finished within ${limits.timeMs} ms`,
    output: `more than ${limits.stopBytes} bytes of output`,
    memory: `more than ${limits.memoryMb} MiB of memory`,
    processes: `more than ${limits.processes} processes`,
    cancelled: "cancelled",
  };
  return messages[reason];
}

/** The jail level for a set of protections in force. */
export function levelOfCommand(held: readonly Protection[], network: boolean): CommandLevel {
  const extra: Protection[] = ["read_only_mounts", ...(network ? (["network"] as const) : [])];
  if (PROTECTIONS.every((protection) => held.includes(protection) || extra.includes(protection)))
    return "full";
  return held.includes("files") || held.includes("system_calls") ? "partial" : "none";
}
