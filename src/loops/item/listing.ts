// Which files are there? A hash of all names below a folder, for items whose logs were not found: when a file
// comes or goes, it is worth looking again.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { newHash } from "../../core/hash.ts";

/** Names looked at; a larger tree hashes as far as this. */
const MAX_NAMES = 500_000;

/** SHA-256 over the names of all files below `root`, leaving out the folders given. Unreadable folders count by
 * their name alone. */
export async function hashListing(root: string, without: readonly string[]): Promise<string> {
  const hash = newHash();
  const folders = [root];
  let names = 0;
  for (let folder = folders.pop(); folder !== undefined && names < MAX_NAMES; folder = folders.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (without.includes(path)) continue;
      names += 1;
      if (entry.isDirectory()) folders.push(path);
      else hash.update(`${path.slice(root.length)}\n`);
    }
  }
  return hash.digest("hex");
}
