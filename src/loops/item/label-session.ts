// A label session over the logs that an author of the item would see.
import type { Config } from "../../config/schema.ts";
import type { LabelPage } from "../../label/page.ts";
import { LabelSession } from "../../label/session.ts";
import { LogPool } from "../../runtime/log-pool.ts";
import { openLogFolder } from "../../tools/log-folder.ts";
import { HiddenPaths } from "./hidden.ts";

/** Limits of one listing: number of files returned, and time. */
const FOLDER_LIMITS = { files: 5_000, ms: 20_000 };

/** @param ownFiles files of the program itself, absolute; they are not logs */
export async function openLabelSession(
  page: LabelPage,
  { config, ownFiles, signal }: { config: Config; ownFiles: readonly string[]; signal: AbortSignal },
): Promise<LabelSession> {
  const pool = new LogPool({ maxTextBytes: config.check.max_text_mb * 2 ** 20, signal });
  const folder = openLogFolder({
    searchRoot: config.paths.search_root,
    hidden: await new HiddenPaths(config, ownFiles).listFor(page.path),
    variables: config.paths.variables,
    limits: FOLDER_LIMITS,
    signal,
    read: (path) => pool.read(path),
  });
  return LabelSession.open(page, folder);
}
