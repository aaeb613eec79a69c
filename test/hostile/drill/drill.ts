// The escape drill: starts the jailed runtime with programs of an attacker instead of the sandbox program, at
// every level, and reports what they could do. Used by the test and by the script that writes the table.
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JailPart } from "../../../sandbox/jail/order.ts";
import { jailedLaunch, NODE_FLAGS, prepareRuntime } from "../../../sandbox/runtime/launch.ts";
import { bytesOf, proberProgram, type RawAttempt } from "./prober.ts";

/** What each attempt came to: "possible", or "denied" with the reason. */
export type DrillResult = Record<string, string>;

export const LEVELS: { name: string; without: JailPart[] }[] = [
  { name: "full", without: [] },
  { name: "partial (Landlock only)", without: ["seccomp"] },
  { name: "partial (seccomp only)", without: ["landlock"] },
  { name: "process", without: ["landlock", "seccomp"] },
];

/** Possible at `full`: neither Landlock nor a filter of system calls can tell these paths from those of the runtime.
 * Names, sizes and owners of files leak; nothing of what is in them. */
export const LEFT_OPEN = [
  "size and owner of a file (stat)",
  "existence of a file (access)",
  "target of a link (readlink)",
];

/** Names of all attempts, as the program and the prober know them. */
export function attemptNames(): string[] {
  const program = readFileSync(join(import.meta.dirname, "program.cjs"), "utf8");
  const named = [...program.matchAll(/^ {2}"([^"]+)": \(\) =>/gm)].map((match) => match[1] ?? "");
  return [...named, ...rawAttempts("/").map((attempt) => attempt.name)];
}

/** Runs all attempts behind one jail. */
export async function runDrill(without: JailPart[]): Promise<DrillResult> {
  const folder = mkdtempSync(join(tmpdir(), "atomsmith-drill-"));
  const server = createServer((socket) => socket.end());
  const unixServer = createServer((socket) => socket.end());
  const abstractServer = createServer((socket) => socket.end());
  try {
    chmodSync(folder, 0o755);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await new Promise<void>((resolve) => unixServer.listen(join(folder, "server.sock"), resolve));
    const abstract = `\0atomsmith-drill-${process.pid}-${Date.now()}`;
    await new Promise<void>((resolve) => abstractServer.listen(abstract, resolve));
    const address = server.address();
    const aim = {
      parent: process.pid,
      folder,
      secret: join(folder, "secret.txt"),
      victim: join(folder, "victim.txt"),
      link: join(folder, "link"),
      socket: join(folder, "server.sock"),
      abstract,
      port: typeof address === "object" && address !== null ? address.port : 0,
    };
    writeFileSync(aim.secret, "secret");
    writeFileSync(aim.victim, "victim");
    symlinkSync(aim.secret, aim.link);
    const program = join(folder, "program.cjs");
    writeFileSync(program, await Bun.file(join(import.meta.dirname, "program.cjs")).bytes());
    return { ...(await runNodeProgram(program, aim, without)), ...(await runProber(folder, without)) };
  } finally {
    server.close();
    unixServer.close();
    abstractServer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runNodeProgram(program: string, aim: object, without: JailPart[]): Promise<DrillResult> {
  const files = await prepareRuntime(() => {});
  const launch = jailedLaunch(files, [program, JSON.stringify(aim)], without, NODE_FLAGS);
  if (launch === undefined) throw new Error("there is no jail on this system");
  const output = await run(launch.command, launch.env);
  const line = output.toString("latin1").split("\nDRILL ")[1];
  if (line === undefined) throw new Error(`the drill program said nothing: ${output.toString("latin1")}`);
  return JSON.parse(line) as DrillResult;
}

async function runProber(folder: string, without: JailPart[]): Promise<DrillResult> {
  if (process.arch !== "x64") return {};
  const attempts = rawAttempts(folder);
  writeFileSync(join(folder, "stub"), "no program", { mode: 0o755 });
  const path = join(folder, "prober");
  writeFileSync(path, proberProgram(attempts), { mode: 0o755 });
  const files = await prepareRuntime(() => {});
  const launch = jailedLaunch({ ...files, node: path }, [], without, []);
  if (launch === undefined) throw new Error("there is no jail on this system");
  const output = await run(launch.command, launch.env);
  const size = attempts.length * 8;
  if (output.byteLength < size) throw new Error(`the prober ended early: ${output.byteLength} bytes`);
  const results = output.subarray(output.byteLength - size);
  return Object.fromEntries(
    attempts.map((attempt, i) => [attempt.name, verdict(results.readBigInt64LE(8 * i))]),
  );
}

/** EPERM, EACCES and ENOSYS are refusals; any other error means that the call was reached. */
function verdict(result: bigint): string {
  const errno = Number(-result);
  if (errno === 1) return "denied EPERM";
  if (errno === 13) return "denied EACCES";
  return errno === 38 ? "denied ENOSYS" : "possible";
}

async function run(command: string[], env: Record<string, string>): Promise<Buffer> {
  const child = Bun.spawn(command, { env, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
  const [bytes, errors] = await Promise.all([
    new Response(child.stdout).bytes(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  if (errors !== "") throw new Error(`the drill ended with ${child.signalCode ?? child.exitCode}: ${errors}`);
  return Buffer.from(bytes);
}

/** x86-64 numbers. Harmless where they are possible: nothing is attached to, mounted or stopped. */
function rawAttempts(folder: string): RawAttempt[] {
  const room = new Uint8Array(256);
  const parent = process.pid;
  const anonymous = 0x22;
  return [
    { name: "raw open of /etc/passwd", number: 2, args: [bytesOf("/etc/passwd"), 0, 0] },
    { name: "raw open of / to list it", number: 2, args: [bytesOf("/"), 0o200000, 0] },
    { name: "raw openat2", number: 437, args: [-100, bytesOf("/etc/passwd"), room, 24] },
    { name: "socket TCP", number: 41, args: [2, 1, 0] },
    { name: "socket UDP", number: 41, args: [2, 2, 0] },
    { name: "socket Unix", number: 41, args: [1, 1, 0] },
    { name: "socket netlink", number: 41, args: [16, 3, 0] },
    { name: "socketpair", number: 53, args: [1, 1, 0, room] },
    { name: "fork", number: 57, args: [], forks: true },
    { name: "clone of a process", number: 56, args: [17, 0, 0, 0, 0], forks: true },
    { name: "clone3", number: 435, args: [room, 0] },
    // Executable, but no program: whoever gets past the checks is told ENOEXEC and goes on.
    { name: "become another program (execve)", number: 59, args: [bytesOf(join(folder, "stub")), 0, 0] },
    { name: "kill of the parent", number: 62, args: [parent, 0] },
    { name: "tgkill of the parent", number: 234, args: [parent, parent, 0] },
    { name: "pidfd_open of the parent", number: 434, args: [parent, 0] },
    { name: "ptrace of the parent", number: 101, args: [2, parent, 0, 0] },
    { name: "process_vm_readv of the parent", number: 310, args: [parent, room, 1, room, 1, 0] },
    { name: "prlimit of the parent", number: 302, args: [parent, 7, 0, room] },
    { name: "mount", number: 165, args: [bytesOf("x"), bytesOf("/nowhere"), bytesOf("tmpfs"), 0, 0] },
    { name: "chroot", number: 161, args: [bytesOf("/")] },
    { name: "unshare of a user namespace", number: 272, args: [0x10000000] },
    { name: "setns", number: 308, args: [-1, 0] },
    { name: "io_uring_setup", number: 425, args: [1, room] },
    { name: "keyctl", number: 250, args: [0, -3, 0] },
    { name: "add_key", number: 248, args: [bytesOf("user"), bytesOf("drill"), room, 4, -3] },
    { name: "memfd_create", number: 319, args: [bytesOf("drill"), 0] },
    { name: "bpf", number: 321, args: [0, room, 48] },
    { name: "perf_event_open", number: 298, args: [room, 0, -1, -1, 0] },
    { name: "userfaultfd", number: 323, args: [1] },
    { name: "personality", number: 135, args: [0x0040000] },
    { name: "map writable executable memory", number: 9, args: [0, 4096, 7, anonymous, -1, 0] },
    { name: "map executable memory", number: 9, args: [0, 4096, 5, anonymous, -1, 0] },
    { name: "make memory executable", number: 10, args: [0x400000, 4096, 7] },
    { name: "truncate a file", number: 76, args: [bytesOf("/dev/null/x"), 0] },
    { name: "rename", number: 82, args: [bytesOf("/nowhere/a"), bytesOf("/nowhere/b")] },
    { name: "shared memory (shmget)", number: 29, args: [0, 4096, 0o1600] },
    { name: "message queue (msgget)", number: 68, args: [0, 0o1600] },
    { name: "setuid", number: 105, args: [0] },
    { name: "capset", number: 126, args: [room, room] },
  ];
}
