// Paths below the search root that the author's tools must not show: pages, output, cache and the program's own files
// (log, events, configuration, reports).
import { readdir } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Config } from "../../config/schema.ts";

/** Hidden paths of a run. The list is cached per folder of pages, because a batch may have thousands of pages in one
 * folder. */
export class HiddenPaths {
  private readonly lists = new Map<string, Promise<{ list: string[]; all: ReadonlySet<string> }>>();
  private readonly config: Config;
  private readonly ownFiles: readonly string[];

  /** @param ownFiles pages and files of the program, absolute */
  constructor(config: Config, ownFiles: readonly string[]) {
    this.config = config;
    this.ownFiles = ownFiles;
  }

  /** Absolute paths of files and folders strictly below the search root, without nested entries. A folder that equals
   * or contains the search root is not hidden as a whole; only the pages in it are, one by one. */
  async listFor(specPath: string): Promise<string[]> {
    const folder = dirname(specPath);
    const cached = this.lists.get(folder) ?? this.buildList(folder);
    this.lists.set(folder, cached);
    const { list, all } = await cached;
    if (!isBelow(this.config.paths.search_root, specPath) || covers(all, specPath)) return list;
    return [...list, specPath].sort();
  }

  private async buildList(folder: string): Promise<{ list: string[]; all: ReadonlySet<string> }> {
    const { search_root: root, cache_dir, output_dir, item_specs_dir } = this.config.paths;
    const pages = (await readdir(folder).catch(() => [] as string[]))
      .filter((name) => /ItemSpec[^/]*\.(md|markdown)$/i.test(name))
      .map((name) => join(folder, name));
    const all = new Set([cache_dir, output_dir, item_specs_dir, ...pages, ...this.ownFiles]);
    const below = new Set([...all].filter((path) => isBelow(root, path)));
    const list = [...below].filter((path) => !covers(below, dirname(path))).sort();
    return { list, all: new Set(list) };
  }
}

/** True when `paths` contains the path or one of its ancestors. */
function covers(paths: ReadonlySet<string>, path: string): boolean {
  for (let ancestor = path; ; ancestor = dirname(ancestor)) {
    if (paths.has(ancestor)) return true;
    if (dirname(ancestor) === ancestor) return false;
  }
}

function isBelow(root: string, path: string): boolean {
  if (root !== sep && path.startsWith(root + sep)) return !path.includes(`${sep}..`);
  const relativePath = relative(root, path);
  return relativePath !== "" && !relativePath.startsWith("..") && !isAbsolute(relativePath);
}
