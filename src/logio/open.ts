// Opens a log safely: only regular files, without blocking on a FIFO or opening a device. Records the identity of the file,
// so that changes while it is read can be detected.
import type { BigIntStats } from "node:fs";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { isAbsolute } from "node:path";
import type { Diagnostic } from "../contract/results.ts";

/** The state of a file at one moment; equal identities mean equal content as far as the system can tell. */
export interface FileIdentity {
  dev: bigint;
  ino: bigint;
  /** Bytes. */
  size: number;
  /** Nanoseconds since 1970. */
  mtimeNs: bigint;
}

export type OpenResult = { ok: true; file: OpenedLog } | { ok: false; diagnostic: Diagnostic };

const KINDS: [(s: BigIntStats) => boolean, string][] = [
  [(s) => s.isDirectory(), "a directory"],
  [(s) => s.isFIFO(), "a named pipe"],
  [(s) => s.isSocket(), "a socket"],
  [(s) => s.isCharacterDevice() || s.isBlockDevice(), "a device"],
];

/** May the file with this path, links resolved, be read? */
export type MayRead = (realPath: string) => boolean;

/** Opens a log for reading. Never throws and never blocks; anything but a readable regular file is a diagnostic
 * (`input_missing`, `input_unreadable`, `input_not_regular`, `input_link_loop`). `mayRead` is asked about the file that is
 * open (`input_outside_root`): its name may have led elsewhere when it was checked. */
export function openLog(path: string, mayRead?: MayRead): OpenResult {
  let fd: number | undefined;
  try {
    // Check before opening: opening a device can already have effects.
    const before = statSync(path, { bigint: true });
    if (!before.isFile()) return refuse(path, before);
    // O_NONBLOCK: the name may have become a FIFO since the check.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0));
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile()) {
      closeSync(fd);
      return refuse(path, stats);
    }
    const real = pathOfOpen(fd, path, stats);
    if (real === undefined) {
      closeSync(fd);
      return { ok: false, diagnostic: changed(path, "its path refers to another file now") };
    }
    if (mayRead?.(real) === false) {
      closeSync(fd);
      const message = "This path leads to a file that must not be read.";
      return { ok: false, diagnostic: problem("input_outside_root", path, message) };
    }
    return { ok: true, file: new OpenedLog(real, fd, identityOf(stats)) };
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    return { ok: false, diagnostic: openProblem(path, error) };
  }
}

/** The path of the open file, links resolved. The name may refer to another file by now: on Linux the path comes from the
 * descriptor; elsewhere device and inode must be those of the open file, otherwise undefined. */
function pathOfOpen(fd: number, name: string, open: BigIntStats): string | undefined {
  try {
    const real = readlinkSync(`/proc/self/fd/${fd}`);
    if (isAbsolute(real)) return open.nlink === 0n ? real.replace(/ \(deleted\)$/, "") : real;
  } catch {
    // Not Linux, or no /proc.
  }
  const real = realpathSync(name);
  const stats = lstatSync(real, { bigint: true });
  return stats.dev === open.dev && stats.ino === open.ino ? real : undefined;
}

/** An open regular file; must be closed. */
export class OpenedLog {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly identity: FileIdentity;
  private readonly fd: number;
  private closed = false;

  constructor(path: string, fd: number, identity: FileIdentity) {
    this.path = path;
    this.fd = fd;
    this.identity = identity;
  }

  /** Reads at an absolute position; returns the number of bytes, 0 at the end. Throws errors of the file system. */
  readAt(target: Uint8Array, position: number): number {
    return readSync(this.fd, target, 0, target.byteLength, position);
  }

  /** A diagnostic if the file changed since it was opened, otherwise undefined. */
  change(): Diagnostic | undefined {
    const stats = fstatSync(this.fd, { bigint: true });
    const { size, mtimeNs } = this.identity;
    if (stats.nlink === 0n) return changed(this.path, "it was deleted or replaced");
    if (Number(stats.size) < size) return changed(this.path, `it shrank from ${size} to ${stats.size} bytes`);
    if (Number(stats.size) > size) return changed(this.path, `it grew from ${size} to ${stats.size} bytes`);
    if (stats.mtimeNs !== mtimeNs) return changed(this.path, "it was written to");
    return undefined;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    closeSync(this.fd);
  }
}

export function sameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

/** A diagnostic that makes the outcome of a check `error`. */
export function problem(code: string, path: string, message: string): Diagnostic {
  return { severity: "error", code, message, file: path };
}

function identityOf(stats: BigIntStats): FileIdentity {
  return { dev: stats.dev, ino: stats.ino, size: Number(stats.size), mtimeNs: stats.mtimeNs };
}

function changed(path: string, how: string): Diagnostic {
  return problem(
    "input_changed",
    path,
    `The file changed while it was read: ${how}. Run again when it is complete.`,
  );
}

function refuse(path: string, stats: BigIntStats): OpenResult {
  const kind = KINDS.find(([is]) => is(stats))?.[1] ?? "not a regular file";
  return {
    ok: false,
    diagnostic: problem("input_not_regular", path, `This is ${kind}; only regular files are read.`),
  };
}

const OPEN_PROBLEMS: Record<string, [code: string, message: string]> = {
  ENOENT: ["input_missing", "The file does not exist."],
  ENOTDIR: ["input_missing", "The file does not exist: a part of the path is not a directory."],
  EACCES: ["input_unreadable", "Permission denied. Make the file readable for this user."],
  EPERM: ["input_unreadable", "The system does not permit reading this file."],
  ELOOP: ["input_link_loop", "The path contains a circular symbolic link."],
  ENAMETOOLONG: ["input_missing", "The path is longer than the file system allows."],
  EMFILE: ["input_unreadable", "Too many files are open at once."],
  ENXIO: ["input_not_regular", "This is not a regular file; only regular files are read."],
};

/** The diagnostic for an error of opening or reading a file. */
export function openProblem(path: string, error: unknown): Diagnostic {
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? "") : "";
  const known = OPEN_PROBLEMS[code];
  if (known) return problem(known[0], path, known[1]);
  const why = error instanceof Error ? error.message : String(error);
  // For example a NUL byte in the path.
  if (code === "ERR_INVALID_ARG_VALUE") return problem("input_missing", path, "No file can have this name.");
  return problem("input_unreadable", path, `The file could not be read: ${why}`);
}
