// Replaces the directories of a configuration, for loops that run the item loop in separate directories.
import type { Config } from "./schema.ts";

/** Directories for the items of another loop. */
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
