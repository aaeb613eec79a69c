// Finds atom sets: `check output/` runs every set below the directory.
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ATOM_FILES } from "../contract/atoms.ts";
import { AtomsmithError } from "../core/errors.ts";
import { MANIFEST_FILE } from "./atom-set.ts";

const SET_FILES = new Set<string>([...Object.values(ATOM_FILES), MANIFEST_FILE]);

/** The sets in the given directories: a directory that contains an atom set, otherwise its subdirectories that do, sorted
 * by name; each once, absolute. Throws kind `usage` for a directory that is missing or has no set. */
export async function findAtomSets(folders: readonly string[]): Promise<string[]> {
  const sets = new Set<string>();
  for (const folder of folders) {
    const dir = resolve(folder);
    const names = await listFolder(dir);
    if (names.some((name) => SET_FILES.has(name))) {
      sets.add(dir);
      continue;
    }
    let found = 0;
    for (const name of names.sort()) {
      const below = join(dir, name);
      if (name.startsWith(".") || !(await isFolder(below))) continue;
      if (!(await readdir(below).catch(() => [])).some((file) => SET_FILES.has(file))) continue;
      sets.add(below);
      found += 1;
    }
    if (found === 0) {
      throw new AtomsmithError("usage", `no atom set in ${dir}`, {
        where: dir,
        hint: `a set is a directory with ${[...SET_FILES].join(", ")}; create sets with atomsmith batch, or an example project with atomsmith init --example`,
      });
    }
  }
  return [...sets];
}

async function listFolder(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    const why = {
      ENOENT: "directory not found",
      ENOTDIR: "is not a directory",
      EACCES: "permission denied",
    }[code];
    throw new AtomsmithError("usage", `${dir}: ${why ?? code}`, {
      where: dir,
      hint:
        code === "ENOENT"
          ? "create atom sets with atomsmith batch, or an example project with atomsmith init --example"
          : "pass the directory of an atom set",
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
