// Puts this process into the jail described by an order, then executes the program in its place. Runs in a separate
// process started from this executable; only entry.ts loads this file. The order of steps matters: parent-death
// signal, mounts (they need capabilities), no_new_privs, capabilities, limits, descriptors, Landlock, seccomp, execve.
import { readdirSync, readFileSync, writeSync } from "node:fs";
import { encodeFrame } from "../protocol.ts";
import type { Arch } from "./bpf.ts";
import {
  type CallTable,
  callTable,
  PR_CAP_AMBIENT,
  PR_CAP_AMBIENT_CLEAR_ALL,
  PR_CAPBSET_DROP,
  PR_SET_NO_NEW_PRIVS,
  PR_SET_PDEATHSIG,
  SIGKILL,
} from "./calls.ts";
import { atomsFilter } from "./filter-atoms.ts";
import { commandFilter } from "./filter-command.ts";
import { applyLandlock, type LandlockResult } from "./landlock.ts";
import { addressOf, type Libc, openLibc } from "./libc.ts";
import { mountReadOnly } from "./mounts.ts";
import type { JailNotice, JailOrder, JailRefusal, Protection, ResourceLimit } from "./order.ts";

const LAST_CAPABILITY = 63;
const CAPABILITY_VERSION_3 = 0x20080522;
const SECCOMP_SET_MODE_FILTER = 1;
const CLOSE_RANGE_CLOEXEC = 4;
const F_SETFD = 2;
const FD_CLOEXEC = 1;
const RESOURCES: Record<ResourceLimit["resource"], number> = {
  file_bytes: 1,
  core: 4,
  processes: 6,
  open_files: 7,
};
/** Landlock versions that first cover truncation, and signals and abstract sockets. */
const LANDLOCK_TRUNCATE = 3;
const LANDLOCK_SCOPES = 6;
/** Signals that Bun ignores or handles but programs expect at their default: SIGPIPE, SIGXFSZ. */
const RESET_SIGNALS = [13, 25];
const EXIT_CANNOT_START = 71;
const EBADF = 9;

/** Never returns: executes the program, or exits with a refusal on the notice descriptor or standard error. */
function becomeProgram(argument: string): never {
  let order: JailOrder | undefined;
  try {
    order = JSON.parse(argument.startsWith("/") ? readFileSync(argument, "utf8") : argument) as JailOrder;
    const libc = openLibc();
    const notice = new Jail(libc, order).apply();
    const unmet = order.demand.filter((protection) => !notice.held.includes(protection));
    send(order, notice);
    if (unmet.length > 0) refuse(order, "demand", 0, `not available: ${unmet.join(", ")}`);
    const error = libc.execve(order.program, order.argv, order.env);
    refuse(order, "exec", -error, `cannot execute ${order.program} (error ${-error})`);
  } catch (error) {
    refuse(order, "launcher", 0, error instanceof Error ? error.message : String(error));
  }
}

function send(order: JailOrder, message: JailNotice | JailRefusal): void {
  for (const chunk of encodeFrame(message)) writeSync(order.noticeFd, chunk);
}

function refuse(
  order: JailOrder | undefined,
  what: JailRefusal["what"],
  errno: number,
  message: string,
): never {
  // A sandbox child uses its standard output for frames, so the message goes to standard error.
  if (order !== undefined && order.noticeFd > 2) send(order, { type: "refused", what, errno, message });
  else writeSync(2, `jail: ${message}\n`);
  process.exit(EXIT_CANNOT_START);
}

/** Applies an order to this process and records which protections are in force and which are missing. */
class Jail {
  private readonly libc: Libc;
  private readonly order: JailOrder;
  private readonly arch: Arch;
  private readonly numbers: CallTable;
  private readonly held: Protection[] = [];
  private readonly missing: string[] = [];

  constructor(libc: Libc, order: JailOrder) {
    this.libc = libc;
    this.order = order;
    const { arch, numbers } = callTable();
    this.arch = arch;
    this.numbers = numbers;
  }

  apply(): JailNotice {
    const { order } = this;
    this.bindToParent();
    this.mount();
    this.dropPrivileges();
    for (const limit of order.limits) this.limit(limit);
    if (order.cwd !== undefined) process.chdir(order.cwd);
    // Before Landlock, whose rules hide /proc/self/fd. The descriptors that it opens itself are close-on-exec.
    this.closeOnExec();
    const landlock = this.landlock();
    for (const signal of RESET_SIGNALS) this.libc.resetSignal(signal);
    const seccomp = this.seccomp();
    this.recordFileProtection(landlock, seccomp);
    const version = landlock.applied ? landlock.version : 0;
    return { type: "jail", landlock: version, seccomp, held: this.held, missing: this.missing };
  }

  private call(number: number, ...args: (number | bigint)[]): number {
    return this.libc.syscall(number, ...args);
  }

  /** Records that a protection is in force, or the reason why it is not. */
  private record(protection: Protection, reason: string | undefined): void {
    if (reason === undefined) this.held.push(protection);
    else this.missing.push(reason);
  }

  private bindToParent(): void {
    const done = this.call(this.numbers.prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (process.ppid !== this.order.parent) throw new Error("the parent process has ended");
    this.record(
      "parent_death",
      done < 0 ? `the parent-death signal was refused (error ${-done})` : undefined,
    );
  }

  private mount(): void {
    const { mounts, without } = this.order;
    if (mounts === undefined || without.includes("mounts")) return;
    // Optional: where it is refused, Landlock alone protects the files.
    if (mountReadOnly(this.libc.syscall, this.numbers, mounts)) this.held.push("read_only_mounts");
  }

  private dropPrivileges(): void {
    if (this.order.without.includes("privileges")) return;
    const { prctl, capset } = this.numbers;
    const reasons: string[] = [];
    const privileges = this.call(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (privileges < 0) reasons.push(`no_new_privs was refused (error ${-privileges})`);
    for (let capability = 0; capability <= LAST_CAPABILITY; capability++) {
      // Fails for an ordinary user, who has none to drop, and past the kernel's last capability.
      this.call(prctl, PR_CAPBSET_DROP, capability, 0, 0, 0);
    }
    this.call(prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    const header = new Uint32Array([CAPABILITY_VERSION_3, 0]);
    const none = new Uint32Array(6);
    const done = this.call(capset, addressOf(header), addressOf(none));
    if (done < 0) reasons.push(`capabilities could not be dropped (error ${-done})`);
    this.record("privileges", reasons.length > 0 ? reasons.join("; ") : undefined);
  }

  private limit({ resource, soft, hard }: ResourceLimit): void {
    const number = RESOURCES[resource];
    const pair = new BigUint64Array(2);
    this.call(this.numbers.prlimit64, 0, number, 0, addressOf(pair));
    const ceiling = pair[1] ?? 0n;
    pair[1] = hard === undefined || BigInt(hard) > ceiling ? ceiling : BigInt(hard);
    pair[0] = BigInt(soft) < pair[1] ? BigInt(soft) : pair[1];
    const done = this.call(this.numbers.prlimit64, 0, number, addressOf(pair), 0);
    if (done < 0) this.missing.push(`the limit ${resource} was refused (error ${-done})`);
  }

  private landlock(): LandlockResult {
    const { rules, network, without } = this.order;
    const skipped = { version: 0, applied: false, missing: ["Landlock was left out on request"] };
    const result = without.includes("landlock") ? skipped : applyLandlock(this.libc.syscall, rules, network);
    this.missing.push(...result.missing);
    return result;
  }

  private closeOnExec(): void {
    const { close_range, fcntl } = this.numbers;
    let error = -this.call(close_range, 3, 0xffffffff, CLOSE_RANGE_CLOEXEC);
    // Kernels before 5.11 do not support the flag: set it one by one.
    if (error > 0) {
      error = 0;
      for (const name of readdirSync("/proc/self/fd")) {
        const fd = Number(name);
        // EBADF: the descriptor of the listing itself is closed by now.
        const done = fd > 2 ? this.call(fcntl, fd, F_SETFD, FD_CLOEXEC) : 0;
        if (done < 0 && -done !== EBADF) error = -done;
      }
    }
    this.record(
      "descriptors",
      error > 0 ? `open descriptors could not be closed (error ${error})` : undefined,
    );
  }

  private seccomp(): boolean {
    const { without, profile, network } = this.order;
    if (without.includes("seccomp")) {
      this.missing.push("seccomp was left out on request");
      return false;
    }
    const program =
      profile === "atoms" ? atomsFilter(this.arch, process.pid) : commandFilter(this.arch, network);
    const header = new DataView(new ArrayBuffer(16));
    header.setUint16(0, program.byteLength / 8, true);
    header.setBigUint64(8, BigInt(addressOf(program)), true);
    const done = this.call(this.numbers.seccomp, SECCOMP_SET_MODE_FILTER, 0, addressOf(header));
    this.record("system_calls", done < 0 ? `seccomp was refused (error ${-done})` : undefined);
    return done >= 0;
  }

  /** Records what Landlock and the filter protect together. The filter of atoms also denies what older versions of
   * Landlock do not cover. */
  private recordFileProtection(landlock: LandlockResult, seccomp: boolean): void {
    const strict = seccomp && this.order.profile === "atoms";
    const version = landlock.applied ? landlock.version : 0;
    if (version > 0) {
      const tooOld = `Landlock ${version} does not cover truncation, version ${LANDLOCK_TRUNCATE} does`;
      this.record("files", strict || version >= LANDLOCK_TRUNCATE ? undefined : tooOld);
      const scopes = `Landlock ${version} does not cover signals to other processes, version ${LANDLOCK_SCOPES} does`;
      this.record("signals", strict || version >= LANDLOCK_SCOPES ? undefined : scopes);
    } else if (strict) this.held.push("signals");
    if (seccomp && !this.order.network) this.held.push("network");
  }
}

becomeProgram(process.argv[3] ?? "");
