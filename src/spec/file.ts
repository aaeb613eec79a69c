// Pages on disk: read like logs are (regular files only, never blocking), bounded, with errors of kind `spec`.
import { AtomsmithError } from "../core/errors.ts";
import { readBytes } from "../logio/index.ts";
import { MAX_PAGE_BYTES } from "./decode.ts";

/** Bytes of a page. Throws kind `spec` if the file cannot be read. */
export function readSpecFile(path: string): Uint8Array {
  // One byte more than allowed, so that the parser sees that it is too large.
  const read = readBytes(path, MAX_PAGE_BYTES + 1);
  if (read.ok) return read.bytes;
  throw new AtomsmithError("spec", `The ItemSpec cannot be read. ${read.diagnostic.message}`, {
    where: path,
  });
}
