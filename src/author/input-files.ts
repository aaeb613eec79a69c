// The `input_files` of a config. Where the data is stands in section 4.1, which only Agent A sees; the config is
// Agent B's. So the program carries the globs from the one to the other.
import { isAbsolute, relative } from "node:path";
import { parseDocument } from "yaml";
import { escapeGlob } from "../files/glob.ts";
import type { ToolsSnapshot } from "../tools/types.ts";

/** The config with `input_files` set to these globs; unchanged when it is no YAML map or there are no globs. */
export function withInputFiles(config: string, globs: readonly string[]): string {
  if (globs.length === 0 || config.trim() === "") return config;
  const document = parseDocument(config);
  if (document.errors.length > 0 || !document.contents || !("items" in document.contents)) return config;
  document.set("input_files", document.createNode([...globs]));
  return document.toString({ lineWidth: 0 });
}

/** A glob that names the search root in front, without it: a set is moved with its config. Others stay as they are. */
export function belowRoot(glob: string, searchRoot: string): string {
  const root = [searchRoot, escapeGlob(searchRoot)].find((one) => glob.startsWith(`${one}/`));
  return root === undefined ? glob : glob.slice(root.length + 1);
}

/** Globs for want of better ones: the files whose text the author looked at, relative to the search root. */
export function observedFiles(snapshot: ToolsSnapshot, searchRoot: string): string[] {
  const paths = snapshot.observed.map(({ path }) => (isAbsolute(path) ? relative(searchRoot, path) : path));
  return [...new Set(paths)].filter((path) => path !== "" && !path.startsWith("..")).map(escapeGlob);
}
