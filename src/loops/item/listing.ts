// Which files are there? A hash of all names below a folder, for items whose logs were not found: when a file
// comes or goes, it is worth looking again.
import { newHash } from "../../core/hash.ts";
import { pathOf, TreeWalk } from "../../files/walk.ts";

/** Names looked at. The hash of a larger tree says that it was cut and covers this many. */
const MAX_NAMES = 500_000;

/** SHA-256 over the names of all files below `root`, leaving out the folders given. Unreadable folders count by
 * their name alone. */
export async function hashListing(
  root: string,
  without: readonly string[],
  maxNames = MAX_NAMES,
): Promise<string> {
  const hash = newHash();
  const left = new Set(without);
  const walk = new TreeWalk<true>(
    {
      visit(entry) {
        const path = pathOf(entry);
        if (left.has(path)) return undefined;
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
