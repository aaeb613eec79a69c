// Hashes files of any size.
import { createReadStream } from "node:fs";
import { newHash } from "../core/hash.ts";

/** SHA-256 and size of a file, streamed. Undefined when it cannot be read. */
export async function hashFile(path: string): Promise<{ sha256: string; bytes: number } | undefined> {
  const hash = newHash();
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } catch {
    return undefined;
  }
  return { sha256: hash.digest("hex"), bytes };
}
