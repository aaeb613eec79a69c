// The table of the tokenizer. The executable carries it as compressed data: as code it took 4 MB of the 150.
import { zstdDecompressSync } from "node:zlib";

type Ranks = readonly (string | number[])[];

/** Under which the build registers the path of the compressed table. */
const EMBEDDED = Symbol.for("atomsmith.token-ranks");

export async function tokenRanks(): Promise<Ranks> {
  const path = (globalThis as { [key: symbol]: unknown })[EMBEDDED] as string | undefined;
  if (path !== undefined)
    return JSON.parse(zstdDecompressSync(await Bun.file(path).bytes()).toString("utf8")) as Ranks;
  // A name that the bundler does not follow: in a checkout the table comes from its package.
  const module = ["gpt-tokenizer", "bpeRanks/cl100k_base"].join("/");
  return ((await import(module)) as { default: Ranks }).default;
}
