// Whole files or none: temporary file in the same folder, flush, rename. Every file of the program that must
// survive a crash is written through here; a full disk leaves what stood there before untouched.
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { AtomsmithError, toAtomsmithError } from "../core/errors.ts";
import { randomHex } from "../core/random.ts";

export interface FileToWrite {
  path: string;
  data: string | Uint8Array;
}

/** Names of temporary files; a crash leaves them behind and `removeLeftovers` knows them by this mark. */
const TEMP_MARK = ".atomsmith-tmp-";

/** Writes one file whole. The folder is made when missing. Throws kind `store`. A `view` can be made again from
 * what else is stored: its content is flushed, but its name may be lost in a power cut. */
export async function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  options: { view?: boolean } = {},
): Promise<void> {
  await writeFilesAtomic([{ path, data }], options);
}

/**
 * Writes several files of one folder tree: all temporary files first (the part that can fail for lack of
 * room), then the renames in the given order. A failure before the first rename changes nothing at all; put
 * the file that vouches for the others (a manifest) last.
 */
export async function writeFilesAtomic(
  files: readonly FileToWrite[],
  options: { view?: boolean } = {},
): Promise<void> {
  const staged: { temp: string; path: string }[] = [];
  try {
    for (const file of files) {
      await mkdir(dirname(file.path), { recursive: true });
      staged.push({ temp: await stage(file), path: file.path });
    }
    for (const { temp, path } of staged) await rename(temp, path);
    if (options.view) return;
    for (const folder of new Set(files.map((file) => dirname(file.path)))) await syncFolder(folder);
  } catch (error) {
    for (const { temp } of staged) await rm(temp, { force: true }).catch(() => undefined);
    throw storeError(error, files[0]?.path ?? "");
  }
}

async function stage(file: FileToWrite): Promise<string> {
  const name = `.${basename(file.path)}${TEMP_MARK}${process.pid}-${randomHex(4)}`;
  const temp = join(dirname(file.path), name);
  const handle = await open(temp, "wx", 0o644);
  try {
    await handle.writeFile(file.data);
    await handle.sync();
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temp, { force: true }).catch(() => undefined);
    throw error;
  }
  await handle.close();
  return temp;
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
