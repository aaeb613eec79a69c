// Reads pages from disk like logs: only regular files, never blocking, bounded. Errors have kind `spec`.
import { AtomsmithError } from "../core/errors.ts";
import { readBytes } from "../logio/index.ts";
import { MAX_PAGE_BYTES } from "./decode.ts";

/** Bytes of a page. Throws kind `spec` if the file cannot be read. */
export function readSpecFile(path: string): Uint8Array {
  // One byte more than allowed, so that the parser detects a page that is too large.
  const read = readBytes(path, MAX_PAGE_BYTES + 1);
  if (read.ok) return read.bytes;
  throw new AtomsmithError("spec", `The ItemSpec cannot be read. ${read.diagnostic.message}`, {
    where: path,
  });
}
