// Finds the ItemSpecs that arguments name: walks folders and expands globs. Unreadable pages and pages with the same
// id are reported as problems; the other items are not affected.
import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { hasPageName } from "../contract/page-name.ts";
import { AtomsmithError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { count } from "../core/words.ts";
import { allFiles } from "../files/all-files.ts";
import { matchesName, parseGlob } from "../files/glob.ts";
import { parseBelow, selectFilesSync } from "../files/select.ts";
import { itemIdOf, MAX_PAGE_BYTES } from "../spec/index.ts";

export interface FoundSpec {
  itemId: string;
  /** Absolute path as found; links are not resolved. */
  path: string;
  sha256: string;
}

export interface SpecProblem {
  /** Id of the item, or the path if the id is unknown. */
  itemId: string;
  path: string;
  error: AtomsmithError;
}

export interface Discovery {
  /** Sorted by id. */
  specs: FoundSpec[];
  problems: SpecProblem[];
}

/** Throws kind `usage` when an argument matches nothing, or when no ItemSpec is found. */
export function discoverSpecs(args: readonly string[], cwd: string): Discovery {
  const paths = new Map<string, string>();
  let searched = 0;
  for (const arg of args) {
    const found = expand(arg, cwd);
    searched += found.searched;
    for (const path of found.paths) {
      // A page found under two names counts once; a broken link is reported when it is read.
      const real = realOf(path);
      if (!paths.has(real)) paths.set(real, path);
    }
  }
  if (paths.size === 0) {
    throw new AtomsmithError(
      "usage",
      `no ItemSpec in ${args.join(", ")} (searched ${count(searched, "file")})`,
      {
        hint: "an ItemSpec is named <ID>_ItemSpec.md or starts with the line `# ItemSpec: <ID>`",
      },
    );
  }
  return identify([...paths.values()]);
}

function expand(arg: string, cwd: string): { paths: string[]; searched: number } {
  const path = resolve(cwd, arg);
  const info = statSync(path, { throwIfNoEntry: false });
  if (info?.isDirectory()) return walk(path);
  if (info !== undefined) return { paths: [path], searched: 1 };
  if (!/[*?[{]/.test(arg)) {
    throw new AtomsmithError("usage", `no such file or directory: ${path}`, {
      where: path,
      hint: "set up a folder with atomsmith init, or an example project with atomsmith init --example",
    });
  }
  return expandGlob(arg, cwd);
}

/** Most files to search for one glob or folder. */
const MAX_NAMES = 2_000_000;

function expandGlob(arg: string, cwd: string): { paths: string[]; searched: number } {
  const paths: string[] = [];
  const { stopped } = selectFilesSync({
    root: cwd,
    globs: [parseBelow(arg, cwd)],
    limits: { names: MAX_NAMES },
    found: ({ path }) => void paths.push(path),
    unreadable: cannotRead,
  });
  if (stopped !== undefined) tooMany(arg);
  return { paths: paths.filter((name) => PAGE.test(name)).sort(), searched: paths.length };
}

const PAGE = /\.(md|markdown)$/i;

/** Pages below a folder. Follows links to pages, but not links to folders, which may form a cycle. */
function walk(top: string): { paths: string[]; searched: number } {
  const { paths, unreadable, stopped } = allFiles(top, {
    skip: ({ name, kind }) => (kind === "folder" ? name.startsWith(".") : !PAGE.test(name)),
    limits: { names: MAX_NAMES },
  });
  for (const { path, code } of unreadable) cannotRead(path, code);
  if (stopped !== undefined) tooMany(top);
  return { paths: paths.filter((path) => hasPageName(path) || startsLikeSpec(path)), searched: paths.length };
}

function cannotRead(path: string, code: string): never {
  const why = code === "EILSEQ" ? "its name is not valid UTF-8" : code;
  throw new AtomsmithError("usage", `cannot read ${path} (${why})`, { where: path });
}

function tooMany(where: string): never {
  throw new AtomsmithError("usage", `${where}: more than ${MAX_NAMES} files`, {
    where,
    hint: "name a folder with fewer files",
  });
}

/** Whether a file with another name starts like an ItemSpec. Reads only its head. */
function startsLikeSpec(path: string): boolean {
  const head = headOf(path, 4096);
  return head !== undefined && /^\uFEFF?\s*#\s+item\s*-?\s*spec/imu.test(head);
}

function headOf(path: string, bytes: number): string | undefined {
  let fd: number | undefined;
  try {
    if (!statSync(path).isFile()) return undefined;
    fd = openSync(path, "r");
    const block = Buffer.alloc(bytes);
    return block.toString("utf8", 0, readSync(fd, block, 0, bytes, 0));
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function identify(paths: readonly string[]): Discovery {
  const byId = new Map<string, FoundSpec[]>();
  const problems: SpecProblem[] = [];
  for (const path of paths) {
    const spec = identifyOne(path);
    if ("error" in spec) problems.push(spec);
    else byId.set(spec.itemId, [...(byId.get(spec.itemId) ?? []), spec]);
  }
  const specs: FoundSpec[] = [];
  for (const [itemId, candidates] of byId) {
    const [first] = candidates;
    if (first !== undefined && candidates.length === 1) specs.push(first);
    else if (first !== undefined) problems.push(duplicateId(itemId, candidates));
  }
  return { specs: specs.sort((a, b) => (a.itemId < b.itemId ? -1 : 1)), problems };
}

function duplicateId(itemId: string, specs: FoundSpec[]): SpecProblem {
  const paths = specs.map((spec) => spec.path).join(" and ");
  const error = new AtomsmithError("spec", `more than one ItemSpec has the id ${itemId}: ${paths}`, {
    where: specs[0]?.path ?? "",
    hint: "none of them was run; change the ids",
  });
  return { itemId, path: specs[0]?.path ?? "", error };
}

/** Id and hash of a page, without parsing it. The id is in the file name or the H1. */
function identifyOne(path: string): FoundSpec | SpecProblem {
  try {
    const info = statSync(path);
    if (!info.isFile()) throw new AtomsmithError("usage", `${path} is not a regular file`, { where: path });
    if (info.size > MAX_PAGE_BYTES) {
      throw new AtomsmithError("spec", `${path} is too large for an ItemSpec (${info.size} bytes)`, {
        where: path,
      });
    }
    const bytes = readWhole(path, info.size);
    return { itemId: idOf(path, bytes), path, sha256: sha256(bytes) };
  } catch (error) {
    return { itemId: idOfName(path), path, error: unreadable(path, error) };
  }
}

/** The id in the file name of an unreadable page; the name itself if it contains no id. */
function idOfName(path: string): string {
  try {
    return itemIdOf(path);
  } catch {
    return basename(path);
  }
}

function idOf(path: string, bytes: Uint8Array): string {
  try {
    return itemIdOf(path);
  } catch {
    const head = new TextDecoder().decode(bytes.subarray(0, 4096));
    return itemIdOf(path, /^\uFEFF?#\s+(.+)$/mu.exec(head)?.[1]?.trim());
  }
}

function readWhole(path: string, size: number): Uint8Array {
  const fd = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(size);
    let at = 0;
    while (at < size) {
      const read = readSync(fd, bytes, at, size - at, at);
      if (read === 0) break;
      at += read;
    }
    return bytes.subarray(0, at);
  } finally {
    closeSync(fd);
  }
}

function unreadable(path: string, error: unknown): AtomsmithError {
  if (error instanceof AtomsmithError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  const why = code === "ENOENT" ? "it is a broken link" : code;
  return new AtomsmithError("usage", `cannot read the ItemSpec ${path}: ${why}`, {
    where: path,
    cause: error,
  });
}

export interface Selection {
  /** Globs of item ids; empty means all. */
  only: readonly string[];
  /** `i/n`: the i-th of n parts, by a hash of the item id, so that machines share the work without communicating
   * and an item stays in its part when others are added or removed. */
  shard?: string;
}

/** Restricts a discovery to the selected items. Throws kind `usage`. */
export function selectSpecs(discovery: Discovery, selection: Selection): Discovery {
  const shard = selection.shard === undefined ? undefined : parseShard(selection.shard);
  const globs = selection.only.map(parseGlob);
  const wanted = (itemId: string): boolean =>
    (globs.length === 0 || globs.some((glob) => matchesName(glob, itemId))) &&
    (shard === undefined || Number.parseInt(sha256(itemId).slice(0, 8), 16) % shard.of === shard.index - 1);
  const chosen = {
    specs: discovery.specs.filter((spec) => wanted(spec.itemId)),
    problems: discovery.problems.filter((problem) => wanted(problem.itemId)),
  };
  if (globs.length > 0 && chosen.specs.length + chosen.problems.length === 0 && shard === undefined) {
    const some = discovery.specs.slice(0, 5).map((spec) => spec.itemId);
    throw new AtomsmithError("usage", `no item matches --only ${selection.only.join(" ")}`, {
      hint: `${count(discovery.specs.length, "item")} found: ${some.join(", ")}${discovery.specs.length > 5 ? ", …" : ""}`,
    });
  }
  return chosen;
}

function parseShard(text: string): { index: number; of: number } {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const index = Number(match?.[1]);
  const of = Number(match?.[2]);
  if (match === null || index < 1 || of < 1 || index > of) {
    throw new AtomsmithError("usage", `--shard ${text}: expected i/n with 1 <= i <= n`, {
      hint: "e.g. --shard 2/8",
    });
  }
  return { index, of };
}
