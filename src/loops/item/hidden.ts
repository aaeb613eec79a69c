// What the author's tools must not show: pages, output, cache and the program's own files (its log, events,
// configuration, reports) that lie below the search root.
import { readdir } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import type { Config } from "../../config/schema.ts";

/** Hidden paths of a run. The list is made once for a folder of pages: a batch has thousands of pages in one. */
export class Hidden {
  private readonly lists = new Map<string, Promise<{ list: string[]; all: ReadonlySet<string> }>>();
  private readonly config: Config;
  private readonly others: readonly string[];

  /** `others`: pages and files of the program, wherever they lie. */
  constructor(config: Config, others: readonly string[]) {
    this.config = config;
    this.others = others;
  }

  /** Absolute paths of files and folders strictly below the search root, none of them below another one. A folder
   * that is the search root itself or contains it hides nothing; then only the pages in it are hidden one by one. */
  async besides(specPath: string): Promise<string[]> {
    const folder = dirname(specPath);
    const known = this.lists.get(folder) ?? this.of(folder);
    this.lists.set(folder, known);
    const { list, all } = await known;
    if (!isBelow(this.config.paths.search_root, specPath) || covers(all, specPath)) return list;
    return [...list, specPath].sort();
  }

  private async of(folder: string): Promise<{ list: string[]; all: ReadonlySet<string> }> {
    const { search_root: root, cache_dir, output_dir, item_specs_dir } = this.config.paths;
    const pages = (await readdir(folder).catch(() => [] as string[]))
      .filter((name) => /ItemSpec[^/]*\.(md|markdown)$/i.test(name))
      .map((name) => join(folder, name));
    const all = new Set([cache_dir, output_dir, item_specs_dir, ...pages, ...this.others]);
    const below = new Set([...all].filter((path) => isBelow(root, path)));
    const list = [...below].filter((path) => !covers(below, dirname(path))).sort();
    return { list, all: new Set(list) };
  }
}

/** Is the path, or a folder it lies in, one of these? */
function covers(paths: ReadonlySet<string>, path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if (paths.has(at)) return true;
    if (dirname(at) === at) return false;
  }
}

function isBelow(root: string, path: string): boolean {
  if (root !== sep && path.startsWith(root + sep)) return !path.includes(`${sep}..`);
  const way = relative(root, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}
