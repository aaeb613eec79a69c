// Unpacks the embedded runtime once per user and version into a folder that only this user can write, and checks
// it before every use. Safe when many processes start at once; repairs what is damaged; when one place does not
// work (read-only, full, no execution), the next is tried, and the error names them all.
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
/** Left-overs of interrupted unpacking are removed after this time. */
const LEFTOVER_MS = 60 * 60 * 1000;
const windows = process.platform === "win32";

export interface UnpackOptions {
  /** Folders to try, best first. */
  places?: string[];
  /** Called when something had to be unpacked. */
  onUnpacked?: (dir: string, ms: number) => void;
}

/** Where the runtime may lie: the user's cache, then the folder for temporary files. */
export function runtimePlaces(env: NodeJS.ProcessEnv = process.env): string[] {
  const places: string[] = [];
  const xdg = env["XDG_CACHE_HOME"];
  if (xdg !== undefined && isAbsolute(xdg)) places.push(join(xdg, "atomsmith"));
  if (windows && env["LOCALAPPDATA"] !== undefined) places.push(join(env["LOCALAPPDATA"], "atomsmith"));
  const home = homeFolder();
  if (home !== undefined) {
    places.push(join(home, process.platform === "darwin" ? "Library/Caches" : ".cache", "atomsmith"));
  }
  places.push(join(tmpdir(), `atomsmith-${process.getuid?.() ?? "user"}`));
  return [...new Set(places)];
}

function homeFolder(): string | undefined {
  try {
    const home = homedir();
    return isAbsolute(home) && home !== "/" ? home : undefined;
  } catch {
    return undefined;
  }
}

/** The unpacked runtime. Throws a `sandbox` error that says for each place why it does not work. */
export async function unpackRuntime(
  embedded: EmbeddedRuntime,
  options: UnpackOptions = {},
): Promise<RuntimeFiles> {
  const reasons: string[] = [];
  for (const place of options.places ?? runtimePlaces()) {
    try {
      return await unpackIn(place, embedded, options.onUnpacked ?? (() => {}));
    } catch (error) {
      reasons.push(`${place}: ${reasonOf(error)}`);
    }
  }
  throw new AtomsmithError("sandbox", `the sandbox runtime could not be unpacked: ${reasons.join("; ")}`, {
    hint: "Set XDG_CACHE_HOME to a folder of yours with 130 MB of room on a file system that allows execution.",
  });
}

class Refused extends Error {}

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  const cause = error instanceof AtomsmithError ? error.cause : error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const words: Record<string, string> = {
    ENOSPC: "no space left on the disk",
    EDQUOT: "the disk quota is used up",
    EROFS: "the file system is read-only",
    EACCES: "permission denied",
    EPERM: "operation not permitted",
    ENOTDIR: "not a folder",
    ENOENT: "cannot be created",
    EEXIST: "not a folder",
  };
  return (
    (code === undefined ? undefined : words[code]) ?? (error instanceof Error ? error.message : String(error))
  );
}

async function unpackIn(
  place: string,
  embedded: EmbeddedRuntime,
  onUnpacked: (dir: string, ms: number) => void,
): Promise<RuntimeFiles> {
  ownFolder(place);
  const id = sha256(embedded.files.map((file) => `${file.name} ${file.sha256}`).join("\n")).slice(0, 16);
  const dir = join(place, `runtime-${id}`);
  if (!isSound(dir, embedded)) {
    // One process at a time, so that not each writes 110 MB; whoever waited too long goes ahead, which is wasteful
    // but harmless.
    const lock = await waitForLock(join(place, LOCK), { timeoutMs: WAIT_MS });
    try {
      // Somebody else may have done it while this process waited.
      if (!isSound(dir, embedded)) {
        const started = performance.now();
        removeLeftovers(place);
        unpackTo(place, dir, embedded);
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
    // Also false for a file system that is mounted without execution.
    accessSync(files.node, constants.X_OK);
  } catch {
    throw new Refused("programs cannot be executed there (mounted noexec?)");
  }
  return files;
}

function nodeName(): string {
  return windows ? "node.exe" : "node";
}

function fileName(name: string): string {
  return name === "node" ? nodeName() : name;
}

/** A folder that belongs to this user and that nobody else can write; made if it is not there. */
function ownFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stats = lstatSync(path);
  if (!stats.isDirectory()) throw new Refused("not a folder");
  const fault = ownershipFault(stats);
  if (fault !== undefined) throw new Refused(`the folder ${fault}; it was not made by this program`);
}

/** Why a file or folder cannot be trusted: others own it or can write it. */
function ownershipFault(stats: Stats): string | undefined {
  if (windows) return undefined;
  if (stats.uid !== process.getuid?.()) return `belongs to another user (${stats.uid})`;
  if ((stats.mode & 0o022) !== 0) return "can be written by others";
  return undefined;
}

interface Stamp {
  [name: string]: { ino: number; ctimeMs: number; mtimeMs: number; size: number };
}

/** Are all files there, this user's, of the right size, and unchanged since their content was checked? */
function isSound(dir: string, embedded: EmbeddedRuntime): boolean {
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
    // Touched, copied or replaced since: the content decides.
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

function unpackTo(place: string, dir: string, embedded: EmbeddedRuntime): void {
  const unique = `${process.pid}-${randomHex(6)}`;
  const temporary = join(place, `.tmp-${unique}`);
  mkdirSync(temporary, { mode: 0o700 });
  try {
    for (const file of embedded.files) {
      const bytes = decompress(file);
      if (bytes.byteLength !== file.bytes || sha256(bytes) !== file.sha256) {
        throw new Refused(
          `the executable is damaged: its ${file.name} has another content than when it was built`,
        );
      }
      const mode = file.name === "child.cjs" ? 0o400 : 0o500;
      writeFileSync(join(temporary, fileName(file.name)), bytes, { mode, flag: "wx" });
    }
    writeFileSync(join(temporary, OPENSSL), "", { mode: 0o400, flag: "wx" });
    writeStamp(temporary, embedded);
    moveInPlace(temporary, dir, join(place, `.broken-${unique}`));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function decompress(file: EmbeddedFile): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = Bun.zstdDecompressSync(readFileSync(file.path));
  } catch {
    throw new Refused(`the executable is damaged: its ${file.name} cannot be decompressed`);
  }
  if (file.filter === "x86") filterX86(bytes, "decode");
  return bytes;
}

/** Renames; what is damaged and in the way is moved aside first (processes that run from it keep running). */
function moveInPlace(from: string, to: string, aside: string): void {
  try {
    renameSync(to, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  renameSync(from, to);
  rmSync(aside, { recursive: true, force: true });
}

function removeLeftovers(place: string): void {
  for (const name of readdirSync(place)) {
    if (!name.startsWith(".tmp-") && !name.startsWith(".broken-")) continue;
    const path = join(place, name);
    try {
      if (Date.now() - lstatSync(path).mtimeMs > LEFTOVER_MS) rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process is at it.
    }
  }
}
