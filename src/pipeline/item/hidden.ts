// What the author's tools must not show: pages, output, cache and the program's own files (its log, events,
// configuration, reports) that lie below the search root.
import { readdir } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { Config } from "../../config/schema.ts";

/** Absolute paths of files and folders strictly below the search root. A folder that is the search root itself
 * or contains it hides nothing; then only the pages in it are hidden one by one. */
export async function hiddenPaths(
  specPath: string,
  config: Config,
  others: readonly string[],
): Promise<string[]> {
  const { search_root: root, cache_dir, output_dir, item_specs_dir } = config.paths;
  const folder = dirname(specPath);
  const pages = (await readdir(folder).catch(() => [] as string[]))
    .filter((name) => /ItemSpec[^/]*\.(md|markdown)$/i.test(name))
    .map((name) => join(folder, name));
  const all = [cache_dir, output_dir, item_specs_dir, specPath, ...pages, ...others];
  return [...new Set(all)].filter((path) => isBelow(root, path)).sort();
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && !way.startsWith("..") && !isAbsolute(way);
}
