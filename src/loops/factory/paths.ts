// Paths named by a work order or a model: validates their spelling and resolves them on disk. Every path must pass both
// checks before it is read or written.
import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";

/** The problem of a path's spelling, relative to the root of the repository; undefined if it is valid. */
export function pathProblem(text: string): string | undefined {
  if (text === "") return "the path is empty";
  if (!text.isWellFormed()) return "the path is not text";
  const shown = JSON.stringify(text);
  if (/[\x00-\x1f\x7f]/.test(text)) return `the path ${shown} contains a control character`;
  if (text.includes("\\")) return `the path ${shown} contains a backslash`;
  if (/^[A-Za-z]:/.test(text)) return `the path ${shown} has a drive letter`;
  if (text.startsWith("/")) return `the path ${shown} is absolute`;
  if (/[*?[]/.test(text)) return `the path ${shown} is a pattern; name each file`;
  if (text === "." || text === ".." || text.startsWith("../"))
    return `the path ${shown} is not below the root`;
  if (posix.normalize(text) !== text || text.endsWith("/")) return `the path ${shown} is not normalised`;
  if (text.split("/").some((part) => part.toLowerCase() === ".git"))
    return `the path ${shown} is inside .git`;
  return undefined;
}

/** A resolved path: relative to the root with the links of its folders resolved, or the reason for rejecting it. */
export type Place = { ok: true; real: string; exists: boolean } | { ok: false; problem: string };

/** Resolves a path with valid spelling. Rejects links that leave the repository, a path that is itself a link, and
 * everything except regular files. @param root absolute, links resolved */
export function placeOf(root: string, path: string): Place {
  try {
    return resolvePlace(root, path);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    return { ok: false, problem: `cannot access ${path} (${code})` };
  }
}

function resolvePlace(root: string, path: string): Place {
  const refuse = (problem: string): Place => ({ ok: false, problem: `${path} ${problem}` });
  let folder = dirname(join(root, path));
  const missing: string[] = [];
  for (;;) {
    const info = lstatSync(folder, { throwIfNoEntry: false });
    if (info !== undefined) break;
    missing.unshift(folder.slice(dirname(folder).length + 1));
    folder = dirname(folder);
  }
  let real: string;
  try {
    real = realpathSync(folder);
    if (!lstatSync(real).isDirectory()) return refuse("is below a file");
  } catch {
    return refuse("is below a dangling link");
  }
  const inside = relative(root, join(real, ...missing, posix.basename(path)));
  if (inside.startsWith(`..${sep}`) || inside === "..")
    return refuse("leads out of the repository through a link");
  if (pathProblem(inside) !== undefined) return refuse("leads into .git through a link");
  const file = lstatSync(join(root, inside), { throwIfNoEntry: false });
  if (file?.isSymbolicLink()) return refuse("is a symbolic link");
  if (file !== undefined && !file.isFile()) return refuse("is not a regular file");
  return { ok: true, real: inside, exists: file !== undefined };
}

/** The entry of `forbidden` that covers a path. Entries that are not valid paths cover nothing. */
export function forbiddenBy(forbidden: readonly string[], path: string): string | undefined {
  return forbidden.find((entry) => {
    const folder = entry.endsWith("/") ? entry.slice(0, -1) : entry;
    if (pathProblem(folder) !== undefined) return false;
    return path === folder || path.startsWith(`${folder}/`);
  });
}
