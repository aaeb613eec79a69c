// Landlock: restricts the files a process may use. Every right that the kernel's version supports is handled and thus
// denied; the rules grant rights on paths. TCP is denied unless the network is allowed; signals and abstract sockets
// are confined to the jail.
import { statSync } from "node:fs";
import type { SystemCall } from "./libc.ts";
import { addressOf, text } from "./libc.ts";
import type { PathAccess, PathRule } from "./order.ts";

const CREATE_RULESET = 444;
const ADD_RULE = 445;
const RESTRICT_SELF = 446;
const VERSION_FLAG = 1;
const RULE_PATH_BENEATH = 1;
const OPENAT: Record<string, number> = { x64: 257, arm64: 56 };
const CLOSE: Record<string, number> = { x64: 3, arm64: 57 };
const AT_FDCWD = -100;
const O_PATH_CLOEXEC = 0o10000000 | 0o2000000;

const bits = (...numbers: number[]): bigint => numbers.reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n);
const EXECUTE = 0;
const WRITE_FILE = 1;
const READ_FILE = 2;
const READ_DIR = 3;
const MAKE_CHAR = 6;
const MAKE_BLOCK = 11;
const TRUNCATE = 14;
const IOCTL_DEV = 15;
const ALL = (1n << 16n) - 1n;
/** Rights that are valid in a rule for a file. */
const OF_FILES = bits(EXECUTE, WRITE_FILE, READ_FILE, TRUNCATE, IOCTL_DEV);
const RIGHTS: Record<PathAccess, bigint> = {
  file: bits(READ_FILE),
  program: bits(READ_FILE, EXECUTE),
  list: bits(READ_DIR),
  read: bits(READ_FILE, READ_DIR, EXECUTE),
  write: ALL & ~bits(MAKE_CHAR, MAKE_BLOCK, IOCTL_DEV),
  device: bits(READ_FILE, WRITE_FILE, TRUNCATE),
};
/** Number of file system rights in each version of the interface, from version 1 on. */
const RIGHTS_BY_VERSION = [13, 14, 15, 15, 16];
/** Bind and connect of TCP; abstract Unix sockets and signals. */
const NETWORK = 0b11n;
const SCOPED = 0b11n;

export interface LandlockResult {
  /** Version of the kernel's interface; 0: not available. */
  version: number;
  applied: boolean;
  missing: string[];
}

/** Restricts this thread and the program it executes. Needs no_new_privs. Rules for missing paths are skipped. */
export function applyLandlock(syscall: SystemCall, rules: PathRule[], network: boolean): LandlockResult {
  const version = syscall(CREATE_RULESET, 0, 0, VERSION_FLAG);
  if (version < 1) return failed(0, `Landlock is not available (error ${-version})`);
  const rights = RIGHTS_BY_VERSION[Math.min(version, RIGHTS_BY_VERSION.length) - 1] ?? 13;
  const handled = (1n << BigInt(rights)) - 1n;
  const attributes = new BigUint64Array([handled, network ? 0n : NETWORK, SCOPED]);
  const size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const ruleset = syscall(CREATE_RULESET, addressOf(attributes), size, 0);
  if (ruleset < 0) return failed(version, `Landlock refused the rules (error ${-ruleset})`);
  for (const rule of rules) {
    const error = addRule(syscall, ruleset, rule, handled);
    if (error !== 0) return failed(version, `Landlock refused ${rule.path} (error ${error})`);
  }
  const done = syscall(RESTRICT_SELF, ruleset, 0);
  if (done < 0) return failed(version, `Landlock was not applied (error ${-done})`);
  return { version, applied: true, missing: [] };
}

function failed(version: number, reason: string): LandlockResult {
  return { version, applied: false, missing: [reason] };
}

/** Adds one rule; returns errno, or 0. */
function addRule(syscall: SystemCall, ruleset: number, rule: PathRule, handled: bigint): number {
  const keep: Uint8Array[] = [];
  const path = addressOf(text(rule.path, keep));
  const fd = syscall(OPENAT[process.arch] ?? 56, AT_FDCWD, path, O_PATH_CLOEXEC, 0);
  if (fd < 0) return 0;
  const isDirectory = statSync(rule.path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const rights = RIGHTS[rule.access] & handled & (isDirectory ? ALL : OF_FILES);
  const bytes = new DataView(new ArrayBuffer(12));
  bytes.setBigUint64(0, rights, true);
  bytes.setInt32(8, fd, true);
  // Landlock rejects a rule without rights, and a `list` rule for a file has none.
  const added = rights === 0n ? 0 : syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, addressOf(bytes), 0);
  syscall(CLOSE[process.arch] ?? 57, fd);
  return added < 0 ? -added : 0;
}
