// Unpacks the embedded runtime once per user and version into a directory that only this user can write, and checks it
// before every use. Safe when many processes start at once; repairs damaged files; when a location is unusable
// (read-only, full, noexec), the next is tried, and the error names them all.
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { AtomsmithError } from "../../src/core/errors.ts";
import { sha256 } from "../../src/core/hash.ts";
import { randomHex } from "../../src/core/random.ts";
import { waitForLock } from "../../src/store/index.ts";
import type { EmbeddedFile, EmbeddedRuntime } from "./embedded.ts";
import type { RuntimeFiles } from "./files.ts";
import { filterX86 } from "./x86-filter.ts";

const STAMP = "checked.json";
const LOCK = "lock";
const WAIT_MS = 20_000;
const OPENSSL = "openssl.cnf";
/** Leftovers of interrupted unpacking are removed after this time. */
const LEFTOVER_MS = 60 * 60 * 1000;
const windows = process.platform === "win32";

export interface UnpackOptions {
  /** Directories to try, in this order. */
  locations?: string[];
  /** Called after the runtime was unpacked. */
  onUnpacked?: (dir: string, ms: number) => void;
}

/** Candidate directories for the runtime: the user's cache, then the directory for temporary files. */
export function runtimeLocations(env: NodeJS.ProcessEnv = process.env): string[] {
  const locations: string[] = [];
  const xdg = env["XDG_CACHE_HOME"];
  if (xdg !== undefined && isAbsolute(xdg)) locations.push(join(xdg, "atomsmith"));
  if (windows && env["LOCALAPPDATA"] !== undefined) locations.push(join(env["LOCALAPPDATA"], "atomsmith"));
  const home = homeDirectory();
  if (home !== undefined) {
    locations.push(join(home, process.platform === "darwin" ? "Library/Caches" : ".cache", "atomsmith"));
  }
  locations.push(join(tmpdir(), `atomsmith-${process.getuid?.() ?? "user"}`));
  return [...new Set(locations)];
}

function homeDirectory(): string | undefined {
  try {
    const home = homedir();
    return isAbsolute(home) && home !== "/" ? home : undefined;
  } catch {
    return undefined;
  }
}

/** Unpacks the runtime if needed. Throws a `sandbox` error that states for each location why it is unusable. */
export async function unpackRuntime(
  embedded: EmbeddedRuntime,
  options: UnpackOptions = {},
): Promise<RuntimeFiles> {
  const reasons: string[] = [];
  for (const location of options.locations ?? runtimeLocations()) {
    try {
      return await unpackIn(location, embedded, options.onUnpacked ?? (() => {}));
    } catch (error) {
      reasons.push(`${location}: ${reasonOf(error)}`);
    }
  }
  throw new AtomsmithError("sandbox", `the sandbox runtime could not be unpacked: ${reasons.join("; ")}`, {
    hint: "Set XDG_CACHE_HOME to a directory of yours with 130 MB free on a file system that allows execution.",
  });
}

class UnpackError extends Error {}

function reasonOf(error: unknown): string {
  if (error instanceof UnpackError) return error.message;
  const cause = error instanceof AtomsmithError ? error.cause : error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const words: Record<string, string> = {
    ENOSPC: "no space left on the disk",
    EDQUOT: "the disk quota is used up",
    EROFS: "the file system is read-only",
    EACCES: "permission denied",
    EPERM: "operation not permitted",
    ENOTDIR: "not a directory",
    ENOENT: "cannot be created",
    EEXIST: "not a directory",
  };
  return (
    (code === undefined ? undefined : words[code]) ?? (error instanceof Error ? error.message : String(error))
  );
}

async function unpackIn(
  location: string,
  embedded: EmbeddedRuntime,
  onUnpacked: (dir: string, ms: number) => void,
): Promise<RuntimeFiles> {
  ensurePrivateDirectory(location);
  const id = sha256(embedded.files.map((file) => `${file.name} ${file.sha256}`).join("\n")).slice(0, 16);
  const dir = join(location, `runtime-${id}`);
  if (!isIntact(dir, embedded)) {
    // One process at a time, so that they do not all write 110 MB. After the wait limit a process unpacks without the
    // lock, which is wasteful but safe.
    const lock = await waitForLock(join(location, LOCK), { timeoutMs: WAIT_MS });
    try {
      // Another process may have unpacked it meanwhile.
      if (!isIntact(dir, embedded)) {
        const started = performance.now();
        removeLeftovers(location);
        unpackTo(location, dir, embedded);
        onUnpacked(dir, performance.now() - started);
      }
    } finally {
      await lock?.release();
    }
  }
  const files = {
    dir,
    node: join(dir, nodeName()),
    addon: join(dir, "isolated_vm.node"),
    child: join(dir, "child.cjs"),
    openssl: join(dir, OPENSSL),
  };
  try {
    // Also fails on a file system mounted noexec.
    accessSync(files.node, constants.X_OK);
  } catch {
    throw new UnpackError("programs cannot be executed there (mounted noexec?)");
  }
  return files;
}

function nodeName(): string {
  return windows ? "node.exe" : "node";
}

function fileName(name: string): string {
  return name === "node" ? nodeName() : name;
}

/** Ensures that a directory exists, belongs to this user and is writable by no other user. */
function ensurePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stats = lstatSync(path);
  if (!stats.isDirectory()) throw new UnpackError("not a directory");
  const fault = ownershipFault(stats);
  if (fault !== undefined) throw new UnpackError(`the directory ${fault}`);
}

/** The reason why a file or directory cannot be trusted: another user owns it or can write it. */
function ownershipFault(stats: Stats): string | undefined {
  if (windows) return undefined;
  if (stats.uid !== process.getuid?.()) return `belongs to another user (${stats.uid})`;
  if ((stats.mode & 0o022) !== 0) return "is writable by other users";
  return undefined;
}

interface Stamp {
  [name: string]: { ino: number; ctimeMs: number; mtimeMs: number; size: number };
}

/** Whether all files exist, belong to this user, have the right size and are unchanged since their last check. */
function isIntact(dir: string, embedded: EmbeddedRuntime): boolean {
  try {
    if (ownershipFault(lstatSync(dir)) !== undefined) return false;
    const stamp = JSON.parse(readFileSync(join(dir, STAMP), "utf8")) as Stamp;
    let unchanged = true;
    for (const file of embedded.files) {
      const stats = lstatSync(join(dir, fileName(file.name)));
      if (!stats.isFile() || stats.size !== file.bytes || ownershipFault(stats) !== undefined) return false;
      const known = stamp[file.name];
      unchanged &&=
        known?.ino === stats.ino && known.ctimeMs === stats.ctimeMs && known.mtimeMs === stats.mtimeMs;
    }
    if (lstatSync(join(dir, OPENSSL)).size !== 0) return false;
    if (unchanged) return true;
    // Touched, copied or replaced since: compare the content.
    for (const file of embedded.files) {
      if (sha256(readFileSync(join(dir, fileName(file.name)))) !== file.sha256) return false;
    }
    writeStamp(dir, embedded);
    return true;
  } catch {
    return false;
  }
}

function writeStamp(dir: string, embedded: EmbeddedRuntime): void {
  const stamp: Stamp = {};
  for (const file of embedded.files) {
    const { ino, ctimeMs, mtimeMs, size } = lstatSync(join(dir, fileName(file.name)));
    stamp[file.name] = { ino, ctimeMs, mtimeMs, size };
  }
  const temporary = join(dir, `.${STAMP}.${process.pid}`);
  writeFileSync(temporary, JSON.stringify(stamp), { mode: 0o600 });
  renameSync(temporary, join(dir, STAMP));
}

function unpackTo(location: string, dir: string, embedded: EmbeddedRuntime): void {
  const unique = `${process.pid}-${randomHex(6)}`;
  const temporary = join(location, `.tmp-${unique}`);
  mkdirSync(temporary, { mode: 0o700 });
  try {
    for (const file of embedded.files) {
      const bytes = decompress(file);
      if (bytes.byteLength !== file.bytes || sha256(bytes) !== file.sha256) {
        throw new UnpackError(
          `the executable is damaged: its ${file.name} differs from the one that was built in`,
        );
      }
      const mode = file.name === "child.cjs" ? 0o400 : 0o500;
      writeFileSync(join(temporary, fileName(file.name)), bytes, { mode, flag: "wx" });
    }
    writeFileSync(join(temporary, OPENSSL), "", { mode: 0o400, flag: "wx" });
    writeStamp(temporary, embedded);
    replaceDirectory(temporary, dir, join(location, `.broken-${unique}`));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function decompress(file: EmbeddedFile): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = Bun.zstdDecompressSync(readFileSync(file.path));
  } catch {
    throw new UnpackError(`the executable is damaged: its ${file.name} cannot be decompressed`);
  }
  if (file.filter === "x86") filterX86(bytes, "decode");
  return bytes;
}

/** Replaces a directory by rename; the old one is moved aside first, so that processes using it keep running. */
function replaceDirectory(from: string, to: string, aside: string): void {
  try {
    renameSync(to, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  renameSync(from, to);
  rmSync(aside, { recursive: true, force: true });
}

function removeLeftovers(location: string): void {
  for (const name of readdirSync(location)) {
    if (!name.startsWith(".tmp-") && !name.startsWith(".broken-")) continue;
    const path = join(location, name);
    try {
      if (Date.now() - lstatSync(path).mtimeMs > LEFTOVER_MS) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process is removing it.
    }
  }
}
