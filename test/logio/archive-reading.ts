// Reads an archive of a test through the log reader.
import { join } from "node:path";
import { readText } from "../../src/logio/index.ts";
import { folders } from "../support/folder.ts";

/** More than any text of these tests. */
export const BIG = { maxBytes: 64 * 2 ** 20 };

export interface ArchiveReading {
  /** Writes the archive and returns its path. */
  write(bytes: Uint8Array): string;
  /** The text, or the code and message of the problem. */
  read(bytes: Uint8Array, options?: Parameters<typeof readText>[1]): Promise<string>;
}

/** For one test file; its folder is removed afterwards. */
export function archiveReading(name: string): ArchiveReading {
  const folder = folders(name);
  const write = (bytes: Uint8Array): string => join(folder({ "log.bin": bytes }), "log.bin");
  return {
    write: write,
    read: async (bytes, options = BIG) => {
      const reading = await readText(write(bytes), options);
      return reading.ok ? reading.input.text : `${reading.diagnostic.code}: ${reading.diagnostic.message}`;
    },
  };
}
