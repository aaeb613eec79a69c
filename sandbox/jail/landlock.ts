// Landlock: which files the process may still touch. Everything the kernel's version knows is handled and thus
// denied; only the given files get back reading, or reading and executing. Nothing gets listing or writing.
import type { SystemCall } from "./libc.ts";
import { addressOf, text } from "./libc.ts";

const CREATE_RULESET = 444;
const ADD_RULE = 445;
const RESTRICT_SELF = 446;
const VERSION_FLAG = 1;
const RULE_PATH_BENEATH = 1;
const OPENAT: Record<string, number> = { x64: 257, arm64: 56 };
const AT_FDCWD = -100;
const O_PATH_CLOEXEC = 0o10000000 | 0o2000000;

const EXECUTE = 1n << 0n;
const READ_FILE = 1n << 2n;
/** Number of file system rights that each version of the interface knows, from version 1 on. */
const RIGHTS_BY_VERSION = [13, 14, 15, 15, 16];

export interface LandlockResult {
  /** Version of the kernel's interface; 0: not there. */
  version: number;
  applied: boolean;
  missing: string[];
}

export interface AllowedFile {
  path: string;
  execute: boolean;
}

/** Restricts this process and what it becomes. Needs no_new_privs. */
export function applyLandlock(syscall: SystemCall, allowed: AllowedFile[]): LandlockResult {
  const version = syscall(CREATE_RULESET, 0, 0, VERSION_FLAG);
  if (version < 1) {
    return { version: 0, applied: false, missing: [`Landlock is not available (error ${-version})`] };
  }
  const rights = RIGHTS_BY_VERSION[Math.min(version, RIGHTS_BY_VERSION.length) - 1] ?? 13;
  const handled = (1n << BigInt(rights)) - 1n;
  const attributes = new BigUint64Array([handled, 0b11n, 0b11n]);
  const size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const ruleset = syscall(CREATE_RULESET, addressOf(attributes), size, 0);
  if (ruleset < 0) {
    return { version, applied: false, missing: [`Landlock refused the rules (error ${-ruleset})`] };
  }
  const keep: Uint8Array[] = [];
  for (const file of allowed) {
    const fd = syscall(
      OPENAT[process.arch] ?? 56,
      AT_FDCWD,
      addressOf(text(file.path, keep)),
      O_PATH_CLOEXEC,
      0,
    );
    if (fd < 0) continue;
    const rule = new DataView(new ArrayBuffer(12));
    rule.setBigUint64(0, file.execute ? READ_FILE | EXECUTE : READ_FILE, true);
    rule.setInt32(8, fd, true);
    const added = syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, addressOf(rule), 0);
    if (added < 0) {
      return { version, applied: false, missing: [`Landlock refused ${file.path} (error ${-added})`] };
    }
  }
  const done = syscall(RESTRICT_SELF, ruleset, 0);
  if (done < 0) return { version, applied: false, missing: [`Landlock was not applied (error ${-done})`] };
  return { version, applied: true, missing: [] };
}
