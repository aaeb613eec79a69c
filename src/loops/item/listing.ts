// Hash of all file names below a folder. An item whose logs were not found runs again when this hash changes.
import { newHash } from "../../core/hash.ts";
import { pathOf, TreeWalk } from "../../files/walk.ts";

/** Maximum number of names. The hash of a larger tree covers this many names and a note that it was cut. */
const MAX_NAMES = 500_000;

/** SHA-256 of the names of all files below `root`, without the excluded paths. Of an unreadable folder only the name
 * counts. */
export async function hashListing(
  root: string,
  excluded: readonly string[],
  maxNames = MAX_NAMES,
): Promise<string> {
  const hash = newHash();
  const excludedPaths = new Set(excluded);
  const walk = new TreeWalk<true>(
    {
      visit(entry) {
        const path = pathOf(entry);
        if (excludedPaths.has(path)) return undefined;
        if (entry.kind === "folder" && entry.named) return true;
        hash.update(`${path.slice(root.length)}\n`);
        return undefined;
      },
      unreadable: () => undefined,
      sorted: true,
    },
    { names: maxNames },
  );
  await walk.from(root, true).run();
  if (walk.stopped !== undefined) hash.update(`cut after ${maxNames} names`);
  return hash.digest("hex");
}
