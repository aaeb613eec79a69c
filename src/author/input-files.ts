// The `input_files` of a config. Agent A knows them from section 4.1, which Agent B, who writes the config, does not see;
// so the program writes them into the config.
import { isAbsolute, relative } from "node:path";
import { parseDocument } from "yaml";
import { escapeGlob } from "../files/glob.ts";
import type { ToolsSnapshot } from "../tools/types.ts";

/** The config with `input_files` set to these globs; unchanged if it is not a YAML map or there are no globs. */
export function withInputFiles(config: string, globs: readonly string[]): string {
  if (globs.length === 0 || config.trim() === "") return config;
  const document = parseDocument(config);
  if (document.errors.length > 0 || !document.contents || !("items" in document.contents)) return config;
  document.set("input_files", document.createNode([...globs]));
  return document.toString({ lineWidth: 0 });
}

/** A glob relative to the search root, if it begins with it: an atom set must be valid on other machines. */
export function belowRoot(glob: string, searchRoot: string): string {
  const root = [searchRoot, escapeGlob(searchRoot)].find((prefix) => glob.startsWith(`${prefix}/`));
  return root === undefined ? glob : glob.slice(root.length + 1);
}

/** Globs for an author that named none: the files that it read, relative to the search root. */
export function observedFiles(snapshot: ToolsSnapshot, searchRoot: string): string[] {
  const paths = snapshot.observed.map(({ path }) => (isAbsolute(path) ? relative(searchRoot, path) : path));
  return [...new Set(paths)].filter((path) => path !== "" && !path.startsWith("..")).map(escapeGlob);
}
