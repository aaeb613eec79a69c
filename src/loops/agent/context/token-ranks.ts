// The table of the tokenizer. The executable contains it as compressed data: as code it would add 4 MB.
import { zstdDecompressSync } from "node:zlib";

type Ranks = readonly (string | number[])[];

/** Key under which the build registers the path of the compressed table. */
const EMBEDDED = Symbol.for("atomsmith.token-ranks");

export async function tokenRanks(): Promise<Ranks> {
  const path = (globalThis as { [key: symbol]: unknown })[EMBEDDED] as string | undefined;
  if (path !== undefined)
    return JSON.parse(zstdDecompressSync(await Bun.file(path).bytes()).toString("utf8")) as Ranks;
  // A computed name, so that the bundler does not include it: in a checkout the table is loaded from its package.
  const module = ["gpt-tokenizer", "bpeRanks/cl100k_base"].join("/");
  return ((await import(module)) as { default: Ranks }).default;
}
