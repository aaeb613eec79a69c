// Snapshots of a work tree by content: for the run id, for changes of commands outside the proposal, and to verify a
// rollback. Names are stored as bytes (latin1), so that any file name works.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { AtomsmithError } from "../../../core/errors.ts";
import { newHash, sha256 } from "../../../core/hash.ts";

/** Cache folders of tools, which are ignored. */
const CACHE_FOLDERS = new Set([
  "__pycache__",
  ".pytest_cache",
  ".mypy_cache",
  ".ruff_cache",
  ".venv",
  "venv",
  "env",
  "node_modules",
]);

/** Whether a path is or is inside a cache folder. */
export function inCacheFolder(path: string): boolean {
  return path.split("/").some((part) => CACHE_FOLDERS.has(part));
}

interface Entry {
  kind: "file" | "link" | "folder" | "other";
  /** Permission bits; 0 for links. */
  mode: number;
  /** Size and times: while they are unchanged, the content is assumed to be unchanged. */
  stamp: string;
  /** SHA-256 of the bytes, or the target of a link; empty for folders. */
  content: string;
}

/** Entries of a work tree by path. Paths are relative, with `/`, in latin1: one character per byte. */
export type Snapshot = Map<string, Entry>;

export type ChangeKind = "added" | "modified" | "deleted" | "mode";

export interface Change {
  /** In latin1. */
  path: string;
  change: ChangeKind;
}

/** A path of a snapshot as text. Bytes that are not valid UTF-8 become U+FFFD. */
export function textOf(path: string): string {
  return Buffer.from(path, "latin1").toString("utf8");
}

/** A text as a path of a snapshot. */
export function bytesOf(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** The absolute path of an entry; as bytes if it is not ASCII, since names may be any bytes. */
export function diskPath(root: string, path: string): string | Buffer {
  if (/^[\x00-\x7f]*$/.test(path)) return `${root}/${path}`;
  return Buffer.from(`${bytesOf(root)}/${path}`, "latin1");
}

/**
 * Reads a work tree without `.git` and cache folders.
 * @param before a snapshot of the same tree: files whose size and times are the same are not read again
 */
export function takeSnapshot(root: string, before?: Snapshot): Snapshot {
  const snapshot: Snapshot = new Map();
  const walk = (folder: string): void => {
    // The types of the runtime know no byte strings with file types.
    const at = folder === "" ? Buffer.from(root) : diskPath(root, folder);
    const names = readdirSync(at as unknown as string, { encoding: "latin1" }) as string[];
    for (const name of names) {
      if (name === ".git" || CACHE_FOLDERS.has(name)) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      const entry = readEntry(root, path, before?.get(path));
      if (entry === undefined) continue;
      snapshot.set(path, entry);
      if (entry.kind === "folder") walk(path);
    }
  };
  walk("");
  return snapshot;
}

function readEntry(root: string, path: string, known: Entry | undefined): Entry | undefined {
  const at = diskPath(root, path);
  const info = lstatSync(at, { throwIfNoEntry: false });
  if (info === undefined) return undefined; // removed since the folder was listed
  const mode = info.mode & 0o7777;
  if (info.isDirectory()) return { kind: "folder", mode, stamp: "", content: "" };
  const stamp = `${info.size} ${info.mtimeMs} ${info.ctimeMs} ${info.ino}`;
  if (info.isSymbolicLink()) {
    return {
      kind: "link",
      mode: 0,
      stamp,
      content: readlinkSync(at, { encoding: "latin1" as BufferEncoding }),
    };
  }
  if (!info.isFile()) return { kind: "other", mode, stamp, content: "" };
  if (known?.kind === "file" && known.stamp === stamp) return { ...known, mode };
  return { kind: "file", mode, stamp, content: sha256(readBytes(at, path)) };
}

function readBytes(at: string | Buffer, path: string): Uint8Array {
  try {
    return readFileSync(at);
  } catch (error) {
    throw new AtomsmithError("store", `cannot read ${textOf(path)}`, {
      where: textOf(path),
      cause: error,
    });
  }
}

/** Differences of `after`, sorted by path. Ignores file times and folder modes. */
export function differences(before: Snapshot, after: Snapshot): Change[] {
  const changes: Change[] = [];
  for (const [path, was] of before) {
    const is = after.get(path);
    if (is === undefined) changes.push({ path, change: "deleted" });
    else if (is.kind !== was.kind || is.content !== was.content) changes.push({ path, change: "modified" });
    else if (is.kind === "file" && is.mode !== was.mode) changes.push({ path, change: "mode" });
  }
  for (const path of after.keys()) if (!before.has(path)) changes.push({ path, change: "added" });
  return changes.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** SHA-256 over all regular files in the order of the bytes of their paths: path, NUL, bytes, NUL. */
export function treeHash(root: string, snapshot: Snapshot): string {
  const hash = newHash();
  const files = [...snapshot].filter(([, { kind }]) => kind === "file").map(([path]) => path);
  const nul = new Uint8Array(1);
  for (const path of files.sort()) {
    hash.update(Buffer.from(path, "latin1")).update(nul);
    hash.update(readBytes(diskPath(root, path), path)).update(nul);
  }
  return hash.digest("hex");
}

/** A snapshot as JSON. */
export function storeSnapshot(snapshot: Snapshot): [string, Entry][] {
  return [...snapshot];
}

/** Restores a snapshot from the JSON of `storeSnapshot`. */
export function restoreSnapshot(stored: [string, Entry][]): Snapshot {
  return new Map(stored);
}
