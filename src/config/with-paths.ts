// The configuration with other folders, for loops that have the item loop write and prove atoms in a place of their own.
import type { Config } from "./schema.ts";

/** Where a loop has its items made. */
export interface ItemPaths {
  searchRoot: string;
  outputDir: string;
  cacheDir: string;
  variables?: Record<string, string>;
}

export function withPaths(config: Config, { searchRoot, variables, outputDir, cacheDir }: ItemPaths): Config {
  const paths = {
    ...config.paths,
    search_root: searchRoot,
    ...(variables === undefined ? {} : { variables }),
    output_dir: outputDir,
    cache_dir: cacheDir,
  };
  return { ...config, paths };
}
