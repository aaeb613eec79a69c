// Atomic file writes: temporary file in the same directory, flush, rename. Every file that must survive a crash is
// written through here; when the disk is full, the previous content stays untouched.
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AtomsmithError, toAtomsmithError } from "../core/errors.ts";
import { randomHex } from "../core/random.ts";

export interface FileToWrite {
  path: string;
  data: string | Uint8Array;
  /** Permission bits; those of a new file when absent. */
  mode?: number;
}

/** Part of the names of temporary files, by which `removeLeftovers` finds those left by a crash. */
const TEMP_MARK = ".atomsmith-tmp-";

export interface WriteOptions {
  /** False skips the flush: the write is still atomic and survives the end of the process, but after a power failure
   * the file may be missing or empty. */
  flush?: boolean;
}

/** Writes one file atomically. Creates its directory when missing. Throws kind `store`. */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  await writeFilesAtomic([{ path, data }], options);
}

/**
 * Writes several files: first all temporary files in parallel (the part that can fail for lack of space), then the
 * renames in the given order. A failure before the first rename changes nothing; put the file that refers to the
 * others (a manifest) last.
 */
export async function writeFilesAtomic(
  files: readonly FileToWrite[],
  options: WriteOptions = {},
): Promise<void> {
  const flush = options.flush !== false;
  const folders = [...new Set(files.map((file) => dirname(file.path)))];
  const staged = files.map((file) => ({ ...file, temp: tempFor(file.path) }));
  const stage = (): Promise<PromiseSettledResult<void>[]> =>
    Promise.allSettled(
      staged.map(async ({ temp, data, mode }) => {
        await writeFile(temp, data, { flag: "wx", mode: 0o644, flush });
        if (mode !== undefined) await chmod(temp, mode);
      }),
    );
  const sweep = async (): Promise<void> => {
    for (const { temp } of staged) await rm(temp, { force: true }).catch(() => undefined);
  };
  try {
    let done = await stage();
    // The directories nearly always exist; they are created only after a write has failed.
    if (done.some((result) => result.status === "rejected" && isMissing(result.reason))) {
      await sweep();
      for (const folder of folders) await mkdir(folder, { recursive: true });
      done = await stage();
    }
    for (const result of done) if (result.status === "rejected") throw result.reason;
    for (const { temp, path } of staged) await rename(temp, path);
    if (flush) await Promise.all(folders.map(syncFolder));
  } catch (error) {
    await sweep();
    throw storeError(error, files[0]?.path ?? "");
  }
}

/** Whether a name is that of a temporary file. */
export function isTemporary(name: string): boolean {
  return name.includes(TEMP_MARK);
}

function tempFor(path: string): string {
  return join(dirname(path), `.${basename(path)}${TEMP_MARK}${process.pid}-${randomHex(4)}`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** Makes a rename durable. Does nothing on file systems that cannot flush a directory. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EINVAL" || code === "EISDIR" || code === "EPERM" || code === "ENOTSUP" || code === "EBADF")
      return;
    throw error;
  }
}

/** Removes temporary files that a killed process left in a directory. Only safe while holding the directory's lock. */
export async function removeLeftovers(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const leftovers = names.filter(isTemporary);
  for (const name of leftovers) await rm(join(folder, name), { force: true });
  return leftovers.length;
}

/** Reads a text file; undefined when it does not exist. Other failures throw kind `store`. */
export async function readTextIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw storeError(error, path);
  }
}

/** True when the path exists. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Converts a file system error to kind `store`, with the path and a hint. An AtomsmithError is returned unchanged. */
export function storeError(error: unknown, path: string): AtomsmithError {
  if (error instanceof AtomsmithError) return error;
  const known = toAtomsmithError(error);
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (known.kind === "store") {
    const message = known.message.includes(path) ? known.message : `${known.message} (writing ${path})`;
    return new AtomsmithError("store", message, {
      where: path,
      hint: HINTS[code ?? ""] ?? HINT,
      cause: error,
    });
  }
  if (code === undefined) return known;
  return new AtomsmithError("store", `cannot use ${path}: ${known.message}`, {
    where: path,
    hint: HINT,
    cause: error,
  });
}

const HINT = "nothing stored before was changed; repair the directory and run the same command again";
const HINTS: Record<string, string> = {
  ENOSPC: "nothing stored before was changed; free some space and run the same command again",
  EDQUOT: "nothing stored before was changed; free some space and run the same command again",
  EFBIG: "nothing stored before was changed; raise the limit (ulimit -f) and run the same command again",
  EACCES: "choose a directory that you may write, or have its permissions changed",
  EROFS: "choose a directory on a writable file system",
};
