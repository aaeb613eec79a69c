// Runs one command of a person's repository or pipeline: no shell, in the jail where the machine has one, with the
// output in files and limits on everything. The whole process tree ends with the command. Docs: docs/sandbox.md.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { AtomsmithError } from "../src/core/errors.ts";
import { commandEnvironment, resolveProgram } from "./command/environment.ts";
import { type CommandRights, commandRules } from "./command/rights.ts";
import type { Captured } from "./jail/capture.ts";
import { JAIL_FLAG, SUPERVISE_FLAG } from "./jail/entry.ts";
import { type JailOrder, PROTECTIONS, type Protection, type ResourceLimit } from "./jail/order.ts";
import type { CommandLimits, StopReason, SupervisorOrder, SupervisorReport } from "./jail/supervision.ts";
import { hasJail, jailCommand } from "./runtime/jail-command.ts";

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

const DEFAULT_PROCESSES = 512;
/** Output that ends a command, unless the caller says: a multiple of what is kept, and never less than this. */
const STOP_FACTOR = 64;
const STOP_BYTES = 64 * 1024 * 1024;
const OPEN_FILES = 1024;
/** Beyond the limit of the command: start, killing, writing. Then the supervisor itself is broken. */
const GRACE_MS = 20_000;
const ENOEXEC = 8;
const EACCES = 13;

/** Runs a command. Resolves however the command ends; throws AtomsmithError of kind `usage` for options that cannot
 * be met, and of kind `sandbox` when the jail is required and not to be had, or the supervisor fails. */
export async function runCommand(options: CommandOptions): Promise<CommandResult> {
  const request = checkOptions(options);
  const base = realpathSync(mkdtempSync(join(tmpdir(), "atomsmith-run-")));
  try {
    const order = supervisorOrder(request, base);
    if ("reason" in order) return notStarted(request, order.reason);
    const file = join(base, "order.json");
    writeFileSync(file, JSON.stringify(order), { mode: 0o600 });
    if (options.stdin !== undefined && order.stdin !== undefined) {
      writeFileSync(order.stdin, options.stdin, { mode: 0o600 });
    }
    return resultOf(request, await supervised(request, file, order.report));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** The options with real paths. */
function checkOptions(options: CommandOptions): CommandOptions {
  const { argv, env = {}, jail } = options;
  const texts = [...argv, ...Object.keys(env), ...Object.values(env)];
  if (argv.length === 0 || argv[0] === "") throw usage("a command needs a program", "argv");
  if (texts.some((text) => text.includes("\0"))) throw usage("a command holds a NUL character", "argv");
  if (jail === "required" && !hasJail()) throw noJail(`none for ${process.platform}-${process.arch}`);
  const real = (paths: readonly string[]): string[] => paths.map(realPath);
  const writable = real(options.writable);
  for (const path of [options.stdout, options.stderr]) {
    const folder = realPath(dirname(path)) + sep;
    if (writable.some((root) => folder.startsWith(root + sep))) {
      throw usage(`the output file is below a folder that the command may write: ${path}`, path);
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
    throw usage(`not a path that a command could use: ${path}`, path, error);
  }
}

function usage(message: string, where: string, cause?: unknown): AtomsmithError {
  return new AtomsmithError("usage", message, { where, cause });
}

function noJail(reason: string): AtomsmithError {
  return new AtomsmithError("sandbox", `the jail for commands is required and not available: ${reason}`, {
    hint: "Run on a Linux with Landlock 3 (kernel 6.2) and seccomp, or allow commands without the jail.",
  });
}

/** The order for the supervisor, or why the program cannot be started. */
function supervisorOrder(
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
    limits: {
      ...limits,
      stopBytes: stopBytesOf(limits),
      processes: limits.processes ?? DEFAULT_PROCESSES,
    },
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
    // Both are the supervisor's to say.
    parent: 0,
    noticeFd: 0,
    mounts: { writable: [...writable], readOnly: [...(options.readOnly ?? [])] },
    demand: jail === "required" ? [...core, ...(network ? [] : (["network"] as const))] : [],
    without: jail === "off" ? ["landlock", "seccomp", "privileges", "mounts"] : [],
  };
}

function notStarted(options: CommandOptions, reason: "not_found" | "not_executable"): CommandResult {
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
async function supervised(
  { signal, limits }: CommandOptions,
  order: string,
  report: string,
): Promise<SupervisorReport> {
  const supervisor = Bun.spawn(jailCommand(SUPERVISE_FLAG, order), {
    env: {},
    // Not the repository: Bun would read its bunfig.toml there.
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
  const broken = setTimeout(() => supervisor.kill("SIGKILL"), limits.timeMs + GRACE_MS);
  const [said] = await Promise.all([new Response(supervisor.stderr).text(), supervisor.exited]);
  clearTimeout(broken);
  signal?.removeEventListener("abort", cancel);
  if (statSync(report, { throwIfNoEntry: false }) === undefined) {
    const how = supervisor.signalCode ?? `code ${supervisor.exitCode}`;
    throw new AtomsmithError("sandbox", `the supervisor of a command ended with ${how}: ${said.trim()}`);
  }
  return JSON.parse(readFileSync(report, "utf8")) as SupervisorReport;
}

function resultOf(options: CommandOptions, report: SupervisorReport): CommandResult {
  const { notice, refused, stdout, stderr, durationMs, leftBehind } = report;
  if (options.jail === "required" && report.stopped === null) {
    if (refused !== null && refused.what !== "exec") {
      throw noJail([refused.message, ...(notice?.missing ?? [])].join("; "));
    }
    if (notice === null) throw noJail("the launcher did not start");
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
  if (jail !== "off" && !hasJail()) missing.push(`there is no jail for ${process.platform}-${process.arch}`);
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

function stopBytesOf({ stopBytes, outputBytes }: CommandLimits): number {
  return stopBytes ?? Math.max(STOP_BYTES, STOP_FACTOR * outputBytes);
}

function stopMessage(reason: StopReason, limits: CommandLimits): string {
  const messages: Record<StopReason, string> = {
    timeout: `not finished within ${limits.timeMs} ms`,
    output: `more than ${stopBytesOf(limits)} bytes of output`,
    memory: `more than ${limits.memoryMb} MiB of memory`,
    processes: `more than ${limits.processes ?? DEFAULT_PROCESSES} processes`,
    cancelled: "cancelled",
  };
  return messages[reason];
}

/** The level that a set of protections amounts to. */
export function levelOfCommand(held: readonly Protection[], network: boolean): CommandLevel {
  const extra: Protection[] = ["read_only_mounts", ...(network ? (["network"] as const) : [])];
  if (PROTECTIONS.every((protection) => held.includes(protection) || extra.includes(protection)))
    return "full";
  return held.includes("files") || held.includes("system_calls") ? "partial" : "none";
}
