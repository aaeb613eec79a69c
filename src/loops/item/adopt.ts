// Copies an accepted set from another output folder into this one: same files, same proof, with the path of the page
// corrected.
import { dirname, relative, resolve, sep } from "node:path";
import { AtomsmithError } from "../../core/errors.ts";
import { verifyAtomSetSync } from "../../runtime/atom-set.ts";
import { OutputStore } from "./output-store.ts";

/** Copies the set of an item and returns its folder. Idempotent. Throws kind `usage` when the set is not accepted, or
 * when the target folder contains a set of another page.
 * @param from folder of the set to copy
 * @param pagePath absolute path of the page in its new place */
export async function adoptSet(
  from: string,
  outputDir: string,
  itemId: string,
  pagePath: string,
): Promise<string> {
  const set = verifyAtomSetSync(from);
  if (set?.state !== "accepted") {
    throw new AtomsmithError("usage", `no accepted set in ${from}`, { where: from });
  }
  const output = await OutputStore.open(outputDir, itemId);
  try {
    const existing = verifyAtomSetSync(output.dir);
    const sha256 = set.manifest.spec.sha256;
    if (existing?.state === "accepted" && existing.manifest.spec.sha256 === sha256) return output.dir;
    if (output.hasSetToKeep()) {
      throw new AtomsmithError(
        "usage",
        `${relative(dirname(outputDir), output.dir)} contains a set of another page`,
        {
          where: output.dir,
        },
      );
    }
    const { format: _, files: __, stub: ___, status: ____, outdated: _____, ...facts } = set.manifest;
    const path = relative(resolve(output.dir), resolve(pagePath)).split(sep).join("/");
    await output.writeAccepted(set.sources, { ...facts, spec: { path, sha256 } });
    return output.dir;
  } finally {
    await output.close();
  }
}
