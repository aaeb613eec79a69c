// Which folders are atom sets? `check output/` means every set below it.
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ATOM_FILES } from "../contract/atoms.ts";
import { AtomsmithError } from "../core/errors.ts";
import { MANIFEST_FILE } from "./atom-set.ts";

const SET_FILES = new Set<string>([...Object.values(ATOM_FILES), MANIFEST_FILE]);

/** The sets that a person's folders mean: the folder itself if it holds an atom set, otherwise its sub-folders that
 * do, sorted by name; each once, absolute. Throws kind `usage` for a folder that is missing or holds no set. */
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
        hint: `a set is a folder with ${[...SET_FILES].join(", ")}; create sets with atomsmith batch, or an example project with atomsmith init --example`,
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
      ENOENT: "folder not found",
      ENOTDIR: "this is not a folder",
      EACCES: "permission denied",
    }[code];
    throw new AtomsmithError("usage", `${dir}: ${why ?? code}`, {
      where: dir,
      hint:
        code === "ENOENT"
          ? "create atom sets with atomsmith batch, or an example project with atomsmith init --example"
          : "give the folder of an atom set",
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}
