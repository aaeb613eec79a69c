// Puts this process into the jail and becomes the runtime. Runs in a process of its own that the program starts
// from itself; entry.ts loads this file then, and only then. Order matters: the parent-death signal and
// no_new_privs first, then capabilities, Landlock, seccomp, closed descriptors, execve with an empty environment.
import { existsSync, writeSync } from "node:fs";
import { encodeFrame, type JailNotice } from "../protocol.ts";
import { type AllowedFile, applyLandlock } from "./landlock.ts";
import { addressOf, type Libc, openLibc } from "./libc.ts";
import { type Arch, seccompProgram } from "./seccomp.ts";

/** What the parent asks for, as JSON in the argument after JAIL_FLAG. */
export interface JailOrder {
  /** The runtime and its arguments. */
  command: string[];
  env: Record<string, string>;
  /** Files of the runtime that it reads; `command[0]` may be executed too. */
  files: string[];
  /** Process id of the parent: when it is gone already, so is the child. */
  parent: number;
  /** Leave out a part, for the drill that shows what each level denies. */
  without?: ("landlock" | "seccomp")[];
}

const NUMBERS: Record<
  Arch,
  { prctl: number; capset: number; seccomp: number; prlimit64: number; closeRange: number }
> = {
  x64: { prctl: 157, capset: 126, seccomp: 317, prlimit64: 302, closeRange: 436 },
  arm64: { prctl: 167, capset: 91, seccomp: 277, prlimit64: 261, closeRange: 436 },
};
const PR_SET_PDEATHSIG = 1;
const PR_CAPBSET_DROP = 24;
const PR_SET_NO_NEW_PRIVS = 38;
const PR_CAP_AMBIENT = 47;
const PR_CAP_AMBIENT_CLEAR_ALL = 4;
const SIGKILL = 9;
const LAST_CAPABILITY = 63;
const CAPABILITY_VERSION_3 = 0x20080522;
const SECCOMP_SET_MODE_FILTER = 1;
const RLIMIT_CORE = 4;
const RLIMIT_NOFILE = 7;
const OPEN_FILES = 64;
const CLOSE_RANGE_CLOEXEC = 4;
const EXIT_CANNOT_START = 71;

/** Libraries that Node and isolated-vm are linked with, and where distributions keep them. */
const LIBRARIES = [
  "libc.so.6",
  "libm.so.6",
  "libdl.so.2",
  "libpthread.so.0",
  "librt.so.1",
  "libgcc_s.so.1",
  "libstdc++.so.6",
  "libatomic.so.1",
  "ld-linux-x86-64.so.2",
  "ld-linux-aarch64.so.1",
];
const LIBRARY_FOLDERS: Record<Arch, string[]> = {
  x64: ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"],
  arm64: ["/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"],
};

/** Never returns: becomes the runtime, or ends with a message on standard error. */
function becomeChild(orderText: string): never {
  try {
    const order = JSON.parse(orderText) as JailOrder;
    const arch = process.arch;
    if (arch !== "x64" && arch !== "arm64") throw new Error(`no jail for processor ${arch}`);
    const libc = openLibc();
    const notice = applyJail(libc, arch, order);
    for (const chunk of encodeFrame(notice)) writeSync(1, chunk);
    const [path = ""] = order.command;
    const error = libc.execve(path, order.command, order.env);
    throw new Error(`cannot execute ${path} (error ${-error})`);
  } catch (error) {
    writeSync(2, `jail: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(EXIT_CANNOT_START);
  }
}

function applyJail(libc: Libc, arch: Arch, order: JailOrder): JailNotice {
  const { syscall } = libc;
  const number = NUMBERS[arch];
  const missing: string[] = [];
  const without = new Set(order.without);
  syscall(number.prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (process.ppid !== order.parent) throw new Error("the parent is gone");
  const privileges = syscall(number.prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (privileges < 0) missing.push(`no_new_privs was refused (error ${-privileges})`);
  missing.push(...dropCapabilities(libc, arch));
  limit(libc, arch, RLIMIT_CORE, 0n);
  limit(libc, arch, RLIMIT_NOFILE, BigInt(OPEN_FILES));
  const landlock = without.has("landlock")
    ? { version: 0, applied: false, missing: ["Landlock was left out on request"] }
    : applyLandlock(syscall, allowedFiles(arch, order));
  missing.push(...landlock.missing);
  // Descriptors close on execve; the rules above need theirs until then.
  syscall(number.closeRange, 3, 0xffffffff, CLOSE_RANGE_CLOEXEC);
  const seccomp = without.has("seccomp") ? "seccomp was left out on request" : applySeccomp(libc, arch);
  if (seccomp !== undefined) missing.push(seccomp);
  return {
    type: "jail",
    landlock: landlock.applied ? landlock.version : 0,
    seccomp: seccomp === undefined,
    missing,
  };
}

function dropCapabilities(libc: Libc, arch: Arch): string[] {
  const { prctl, capset } = NUMBERS[arch];
  for (let capability = 0; capability <= LAST_CAPABILITY; capability++) {
    // Fails for an ordinary user, who has none to drop, and past the last one the kernel knows.
    libc.syscall(prctl, PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  libc.syscall(prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  const header = new Uint32Array([CAPABILITY_VERSION_3, 0]);
  const none = new Uint32Array(6);
  const done = libc.syscall(capset, addressOf(header), addressOf(none));
  return done < 0 ? [`capabilities could not be dropped (error ${-done})`] : [];
}

function limit(libc: Libc, arch: Arch, resource: number, value: bigint): void {
  const pair = new BigUint64Array([value, value]);
  libc.syscall(NUMBERS[arch].prlimit64, 0, resource, addressOf(pair), 0);
}

function applySeccomp(libc: Libc, arch: Arch): string | undefined {
  const program = seccompProgram(arch, process.pid);
  const header = new DataView(new ArrayBuffer(16));
  header.setUint16(0, program.byteLength / 8, true);
  header.setBigUint64(8, BigInt(addressOf(program)), true);
  const done = libc.syscall(NUMBERS[arch].seccomp, SECCOMP_SET_MODE_FILTER, 0, addressOf(header));
  return done < 0 ? `seccomp was refused (error ${-done})` : undefined;
}

function allowedFiles(arch: Arch, order: JailOrder): AllowedFile[] {
  const [node = ""] = order.command;
  const allowed: AllowedFile[] = [{ path: node, execute: true }];
  for (const path of order.files) allowed.push({ path, execute: false });
  allowed.push({ path: "/etc/ld.so.cache", execute: false });
  for (const folder of LIBRARY_FOLDERS[arch]) {
    for (const name of LIBRARIES) {
      const path = `${folder}/${name}`;
      if (existsSync(path)) allowed.push({ path, execute: true });
    }
  }
  return allowed;
}

becomeChild(process.argv[3] ?? "");
