// Whole files or none: temporary file in the same folder, flush, rename. Every file of the program that must
// survive a crash is written through here; a full disk leaves what stood there before untouched.
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

/** Names of temporary files; a crash leaves them behind and `removeLeftovers` knows them by this mark. */
const TEMP_MARK = ".atomsmith-tmp-";

export interface WriteOptions {
  /** False for what a power cut may take: it is written whole and survives the death of the process, but it is not
   * waited for until it is on the disk. After a power cut the file may be missing, or empty. */
  flush?: boolean;
}

/** Writes one file whole. The folder is made when missing. Throws kind `store`. */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  await writeFilesAtomic([{ path, data }], options);
}

/**
 * Writes several files of one folder tree: all temporary files first, side by side (the part that can fail for lack
 * of room), then the renames in the given order. A failure before the first rename changes nothing at all; put
 * the file that vouches for the others (a manifest) last.
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
    // The folders are nearly always there: they are made when a file finds none.
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

function tempFor(path: string): string {
  return join(dirname(path), `.${basename(path)}${TEMP_MARK}${process.pid}-${randomHex(4)}`);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** Makes a rename last through a power cut. File systems that cannot flush a folder are left alone. */
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

/** Removes temporary files that a killed process left in a folder. Only safe under the folder's lock. */
export async function removeLeftovers(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const left = names.filter((name) => name.includes(TEMP_MARK));
  for (const name of left) await rm(join(folder, name), { force: true });
  return left.length;
}

/** Text of a file, or undefined when there is none. Other failures throw kind `store`. */
export async function readTextIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw storeError(error, path);
  }
}

/** True when something stands at the path. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** An error of the file system as kind `store`, with the path and what to do. Our own errors pass through. */
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

const HINT = "nothing stored before was changed; repair the folder and run the same command again";
const HINTS: Record<string, string> = {
  ENOSPC: "nothing stored before was changed; make room and run the same command again",
  EDQUOT: "nothing stored before was changed; make room and run the same command again",
  EFBIG: "nothing stored before was changed; raise the limit (ulimit -f) and run the same command again",
  EACCES: "the folder belongs to someone else; choose another one or have its rights changed",
  EROFS: "choose a folder on a disk that can be written",
};
