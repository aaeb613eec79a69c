// Resolves the name of an item on the command line: its id, the folder of its set, a file in it, or its page.
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ATOM_FILES } from "../contract/atoms.ts";
import { hasPageName } from "../contract/page-name.ts";
import { AtomsmithError } from "../core/errors.ts";
import { didYouMean } from "../core/suggest.ts";
import { allFiles } from "../files/all-files.ts";
import { MANIFEST_FILE } from "../runtime/atom-set.ts";
import { itemIdOf } from "../spec/item-id.ts";
import type { CommandContext } from "./context.ts";

/** Folders to search. */
type Places = Pick<CommandContext, "config" | "resolve">;

const PAGE_NAME = /\.(md|markdown)$/i;
const SET_FILES: readonly string[] = [...Object.values(ATOM_FILES), MANIFEST_FILE];

/** The absolute folder of the set that a word names. Throws kind `usage` with the nearest id when there is none. */
export function setFolderOf(word: string, context: Places): string {
  const out = context.config.paths.output_dir;
  const folder = setFolder(word, context);
  if (folder !== undefined) return folder;
  const ids = itemIds(out);
  throw new AtomsmithError("usage", `no item ${word} in ${out}${didYouMean(word, ids)}`, {
    where: out,
    hint:
      ids.length === 0 ? "create atom sets with: atomsmith batch" : "list the items with: atomsmith status",
  });
}

/** Like setFolderOf, but returns undefined when the word does not name a set. */
export function setFolder(word: string, context: Places): string | undefined {
  const out = context.config.paths.output_dir;
  const path = context.resolve(word);
  const candidates = [
    ...(/^[\w.-]+$/.test(word) ? [join(out, word)] : []),
    path,
    ...(SET_FILES.includes(basename(path)) ? [dirname(path)] : []),
    ...(PAGE_NAME.test(path) ? [join(out, idOfPage(path) ?? "")] : []),
  ];
  return candidates.find(holdsSet);
}

/** For commands that also accept folders of sets: the set's folder, or the path itself. Throws kind `usage` with the
 * nearest id or name when neither exists. */
export function setsOrFolder(word: string, context: Places): string {
  const path = setFolder(word, context) ?? context.resolve(word);
  if (existsSync(path)) return path;
  throw nothingNamed(word, context);
}

/** The error for a word that names neither an item nor a file or folder. */
export function nothingNamed(word: string, context: Places): AtomsmithError {
  const path = context.resolve(word);
  const ids = knownItems(context.config.paths);
  const near = didYouMean(word, ids) || didYouMean(basename(path), namesIn(dirname(path)));
  return new AtomsmithError("usage", `no item, file or folder ${word}${near}`, {
    where: path,
    hint:
      ids.length === 0
        ? "set up a folder with atomsmith init, or an example project with atomsmith init --example"
        : `items: ${ids.slice(0, 10).join(", ")}${ids.length > 10 ? `, and ${ids.length - 10} more` : ""}`,
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
}

/** The id of the item that a word names: the id itself, the folder of its set, or its page. */
export function itemIdFor(word: string, context: Places): string {
  const path = context.resolve(word);
  if (PAGE_NAME.test(word)) return idOfPage(path) ?? word;
  return !/^[\w.-]+$/.test(word) && holdsSet(path) ? basename(path) : word;
}

/** The absolute path of the page that a word names: a file, an id, or the folder of a set. Throws kind `usage`. */
export function pageFor(word: string, context: Places): string {
  const path = context.resolve(word);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path;
  const { item_specs_dir } = context.config.paths;
  const pages = new Map(pagesBelow(item_specs_dir).map((page) => [idOfPage(page) ?? page, page]));
  const set = setFolder(word, context);
  const page = pages.get(set === undefined ? word : basename(set));
  if (page !== undefined) return page;
  throw new AtomsmithError("usage", `no page ${word}${didYouMean(word, [...pages.keys()])}`, {
    where: item_specs_dir,
    hint: `pages are expected in ${item_specs_dir}; create one with atomsmith spec new ID`,
  });
}

/** The page of an id or of a set's folder, for commands without a configuration; other paths are returned unchanged. */
export async function pageOrPath(word: string, context: CommandContext): Promise<string> {
  const path = context.resolve(word);
  if (holdsSet(path))
    return pageFor(word, { config: (await context.loadConfig()).config, resolve: context.resolve });
  if (existsSync(path) || !/^[\w.-]+$/.test(word) || PAGE_NAME.test(word)) return path;
  const { config } = await context.loadConfig();
  return pageFor(word, { config, resolve: context.resolve });
}

/** Whether a page or a set of this id exists in the configured folders. */
export function itemIsKnown(id: string, context: Places): boolean {
  const { item_specs_dir } = context.config.paths;
  if (setFolder(id, context) !== undefined) return true;
  return pagesBelow(item_specs_dir).some((page) => idOfPage(page) === id);
}

function pagesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return allFiles(folder).paths.filter(hasPageName);
}

/** Sorted ids of all items that have a set or a page, except names that need quoting in a shell. */
export function knownItems(paths: { output_dir: string; item_specs_dir: string }): string[] {
  const pages = pagesBelow(paths.item_specs_dir).flatMap((page) => idOfPage(page) ?? []);
  return [...new Set([...itemIds(paths.output_dir), ...pages])].filter((id) => /^[\w.-]+$/.test(id)).sort();
}

/** Sorted ids of the sets in an output folder. */
export function itemIds(out: string): string[] {
  const names = existsSync(out) ? readdirSync(out) : [];
  return names.filter((name) => !name.startsWith(".") && holdsSet(join(out, name))).sort();
}

/** Whether a folder contains a set. */
export function holdsSet(dir: string): boolean {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return false;
  return SET_FILES.some((name) => existsSync(join(dir, name)));
}

function idOfPage(path: string): string | undefined {
  try {
    return itemIdOf(path);
  } catch {
    return undefined;
  }
}
