// Numbers of the system calls that launcher and supervisor make, and constants for their arguments.
import type { Arch } from "./bpf.ts";

const X64 = {
  close_range: 436,
  fcntl: 72,
  prctl: 157,
  capset: 126,
  seccomp: 317,
  prlimit64: 302,
  unshare: 272,
  mount: 165,
  mount_setattr: 442,
  wait4: 61,
  pipe2: 293,
  kill: 62,
};
export type CallTable = Record<keyof typeof X64, number>;

const ARM64: CallTable = {
  close_range: 436,
  fcntl: 25,
  prctl: 167,
  capset: 91,
  seccomp: 277,
  prlimit64: 261,
  unshare: 97,
  mount: 40,
  mount_setattr: 442,
  wait4: 260,
  pipe2: 59,
  kill: 129,
};

/** The table for this processor. Throws on other platforms. */
export function callTable(): { arch: Arch; numbers: CallTable } {
  if (process.platform === "linux" && process.arch === "x64") return { arch: "x64", numbers: X64 };
  if (process.platform === "linux" && process.arch === "arm64") return { arch: "arm64", numbers: ARM64 };
  throw new Error(`no jail for ${process.platform}-${process.arch}`);
}

export const PR_SET_PDEATHSIG = 1;
export const PR_CAPBSET_DROP = 24;
export const PR_SET_CHILD_SUBREAPER = 36;
export const PR_SET_NO_NEW_PRIVS = 38;
export const PR_CAP_AMBIENT = 47;
export const PR_CAP_AMBIENT_CLEAR_ALL = 4;
export const SIGKILL = 9;
