// Search roots of a fleet. Logs are not copied: a job names its root, each worker maps the name to a local path, and
// a hash verifies that the logs are the same.
import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { AtomsmithError } from "../core/errors.ts";
import { newHash } from "../core/hash.ts";
import { allFiles } from "../files/all-files.ts";

/** Up to this total size, whole files are hashed; beyond it, only size, beginning and end of each file. */
const WHOLE_BYTES = 256 * 2 ** 20;
const END_BYTES = 64 * 1024;
const BLOCK_BYTES = 2 ** 20;
const MAX_NAMES = 500_000;

/** SHA-256 over the files below a folder: names, sizes and contents (of large trees: beginnings and ends).
 * @param excluded excluded paths relative to the root, including everything below them */
export function hashRoot(root: string, excluded: readonly string[]): string {
  const excludedPaths = new Set(excluded.map((path) => join(root, path)));
  const { paths, stopped } = allFiles(root, {
    skip: (entry) => excludedPaths.has(join(entry.folder, entry.name)) || entry.kind === "special",
    limits: { names: MAX_NAMES },
  });
  const files = paths.map((path) => ({ path, size: sizeOf(path) }));
  const total = files.reduce((sum, file) => sum + Math.max(0, file.size), 0);
  const hash = newHash();
  if (stopped !== undefined) hash.update(`cut after ${MAX_NAMES} names\n`);
  const block = Buffer.alloc(BLOCK_BYTES);
  for (const { path, size } of files) {
    hash.update(`${relative(root, path).split(sep).join("/")}\0${size}\n`);
    for (const [from, to] of partsOf(size, total))
      readPart(path, from, to, block, (bytes) => hash.update(bytes));
  }
  return hash.digest("hex");
}

function partsOf(size: number, total: number): [from: number, to: number][] {
  if (total <= WHOLE_BYTES || size <= 2 * END_BYTES) return [[0, size]];
  return [
    [0, END_BYTES],
    [size - END_BYTES, size],
  ];
}

function readPart(
  path: string,
  from: number,
  to: number,
  block: Buffer,
  consume: (bytes: Buffer) => void,
): void {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return; // its name and size are in the hash
  }
  try {
    for (let at = from; at < to; ) {
      const read = readSync(fd, block, 0, Math.min(block.length, to - at), at);
      if (read === 0) return;
      consume(block.subarray(0, read));
      at += read;
    }
  } finally {
    closeSync(fd);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? -1;
}

/** Reads `NAME=DIR` of the command line. Throws kind `usage`.
 * @param resolve returns the absolute path of a path on the command line */
export function parseRoots(words: readonly string[], resolve: (path: string) => string): Map<string, string> {
  const roots = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf("=");
    if (at <= 0 || at === word.length - 1) {
      throw new AtomsmithError("usage", `--root ${word}: expected NAME=DIR`, {
        hint: "example: --root nightly=/mnt/logs",
      });
    }
    roots.set(word.slice(0, at), resolve(word.slice(at + 1)));
  }
  return roots;
}

/** The worker's path of a root, or why it has none. Without any `--root`, a root whose name is an absolute path is
 * used at that path. */
export function findRoot(
  name: string,
  roots: ReadonlyMap<string, string>,
): { path: string } | { missing: string } {
  const path = roots.get(name) ?? (roots.size === 0 && isAbsolute(name) ? name : undefined);
  if (path === undefined) return { missing: `this worker has no search root ${name}` };
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return { missing: `the search root ${name} does not exist: ${path}` };
  }
  return { path: realpathSync(path) };
}
