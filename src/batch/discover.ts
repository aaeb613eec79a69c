// Which ItemSpecs does a person mean? Folders are walked, globs expanded, files taken as they are. What cannot
// be read and two pages with one id are problems of those items; the others go on.
import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { AtomsmithError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { allFiles } from "../files/all-files.ts";
import { matchesName, parseGlob } from "../files/glob.ts";
import { parseBelow, selectFilesSync } from "../files/select.ts";
import { itemIdOf, MAX_PAGE_BYTES } from "../spec/index.ts";

export interface FoundSpec {
  itemId: string;
  /** Absolute, as found (links not resolved). */
  path: string;
  sha256: string;
}

export interface SpecProblem {
  /** Id of the item where it is known, else the path. */
  itemId: string;
  path: string;
  error: AtomsmithError;
}

export interface Discovery {
  /** Sorted by id. */
  specs: FoundSpec[];
  problems: SpecProblem[];
}

/** Throws kind `usage` when an argument names nothing or when there is no ItemSpec at all. */
export function discoverSpecs(args: readonly string[], cwd: string): Discovery {
  const paths = new Map<string, string>();
  let looked = 0;
  for (const arg of args) {
    const found = expand(arg, cwd);
    looked += found.looked;
    for (const path of found.paths) {
      // One page under two names is one page; a link that leads nowhere is reported when it is read.
      const real = realOf(path);
      if (!paths.has(real)) paths.set(real, path);
    }
  }
  if (paths.size === 0) {
    throw new AtomsmithError(
      "usage",
      `there is no ItemSpec in ${args.join(", ")} (${looked} files looked at)`,
      {
        hint: "an ItemSpec is named <ID>_ItemSpec.md or begins with the line `# ItemSpec: <ID>`",
      },
    );
  }
  return identify([...paths.values()]);
}

function expand(arg: string, cwd: string): { paths: string[]; looked: number } {
  const path = resolve(cwd, arg);
  const info = statSync(path, { throwIfNoEntry: false });
  if (info?.isDirectory()) return walk(path);
  if (info !== undefined) return { paths: [path], looked: 1 };
  if (!/[*?[{]/.test(arg)) {
    throw new AtomsmithError("usage", `there is no file or folder ${path}`, {
      where: path,
      hint: "set up a folder with atomsmith init, or an example project with atomsmith init --example",
    });
  }
  return expandGlob(arg, cwd);
}

/** Files looked at for one glob or folder at most. */
const MAX_NAMES = 2_000_000;

function expandGlob(arg: string, cwd: string): { paths: string[]; looked: number } {
  const paths: string[] = [];
  const { stopped } = selectFilesSync({
    root: cwd,
    globs: [parseBelow(arg, cwd)],
    limits: { names: MAX_NAMES },
    found: ({ path }) => void paths.push(path),
    unreadable: cannotRead,
  });
  if (stopped !== undefined) tooMany(arg);
  return { paths: paths.filter((name) => PAGE.test(name)).sort(), looked: paths.length };
}

const PAGE = /\.(md|markdown)$/i;
const NAMED_PAGE = /[_-]ItemSpec\.(md|markdown)$/i;

/** Pages below a folder. Links to folders are not followed (they may form a ring), links to pages are. */
function walk(top: string): { paths: string[]; looked: number } {
  const { paths, unreadable, stopped } = allFiles(top, {
    skip: ({ name, kind }) => (kind === "folder" ? name.startsWith(".") : !PAGE.test(name)),
    limits: { names: MAX_NAMES },
  });
  for (const { path, code } of unreadable) cannotRead(path, code);
  if (stopped !== undefined) tooMany(top);
  return { paths: paths.filter((path) => NAMED_PAGE.test(path) || namesItself(path)), looked: paths.length };
}

function cannotRead(path: string, code: string): never {
  const why = code === "EILSEQ" ? "its name is not valid UTF-8" : code;
  throw new AtomsmithError("usage", `${path} cannot be read (${why})`, { where: path });
}

function tooMany(where: string): never {
  throw new AtomsmithError("usage", `${where}: more than ${MAX_NAMES} names were looked at`, {
    where,
    hint: "name a folder that holds fewer files",
  });
}

/** Does a page of another name begin as an ItemSpec? Only its head is read. */
function namesItself(path: string): boolean {
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
  for (const [itemId, same] of byId) {
    const [first] = same;
    if (first !== undefined && same.length === 1) specs.push(first);
    else if (first !== undefined) problems.push(twice(itemId, same));
  }
  return { specs: specs.sort((a, b) => (a.itemId < b.itemId ? -1 : 1)), problems };
}

function twice(itemId: string, same: FoundSpec[]): SpecProblem {
  const paths = same.map((spec) => spec.path).join(" and ");
  const error = new AtomsmithError("spec", `two ItemSpecs have the id ${itemId}: ${paths}`, {
    where: same[0]?.path ?? "",
    hint: "rename one of them; neither was run",
  });
  return { itemId, path: same[0]?.path ?? "", error };
}

/** Id and hash of a page, without parsing it. Ids come from the file name, else from the H1. */
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

/** The id by the file's name alone, for a page that cannot be read; the name itself where it holds none. */
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
  const why = code === "ENOENT" ? "it is a link that leads nowhere" : code;
  return new AtomsmithError("usage", `cannot read the ItemSpec ${path}: ${why}`, {
    where: path,
    cause: error,
  });
}

export interface Selection {
  /** Globs over item ids; none means all. */
  only: readonly string[];
  /** `i/n`: every n-th item beginning with the i-th, by a hash of its id, so that machines share the work
   * without talking and an item stays where it is when others come or go. */
  shard?: string;
}

/** The part of a discovery that a person or a shard wants. Throws kind `usage`. */
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
      hint: `there are ${discovery.specs.length} items: ${some.join(", ")}${discovery.specs.length > 5 ? ", …" : ""}`,
    });
  }
  return chosen;
}

function parseShard(text: string): { index: number; of: number } {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const index = Number(match?.[1]);
  const of = Number(match?.[2]);
  if (match === null || index < 1 || of < 1 || index > of) {
    throw new AtomsmithError("usage", `--shard ${text} is not i/n with 1 <= i <= n`, {
      hint: "e.g. --shard 2/8",
    });
  }
  return { index, of };
}
