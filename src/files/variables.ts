// `${NAME}` in globs. A value is text, never a glob: its wildcards mean themselves. Contract, section 3.
import { statSync } from "node:fs";
import { join } from "node:path";
import { escapeGlob } from "./glob.ts";

/** Folder below the search root that `LOG_ROOT` names where it exists. */
const LOG_FOLDER = "logs";

/** The variables of a run: those configured, over the built-in ones. CHECKLIST_ROOT and DESIGN_ROOT are the search
 * root, LOG_ROOT is its folder `logs`, or the search root where there is no such folder. Page, tools and `check` all
 * take them from here. */
export function variablesOf(
  searchRoot: string,
  configured: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const logs = join(searchRoot, LOG_FOLDER);
  const isFolder = statSync(logs, { throwIfNoEntry: false })?.isDirectory() === true;
  const values = new Map([
    ["CHECKLIST_ROOT", searchRoot],
    ["DESIGN_ROOT", searchRoot],
    ["LOG_ROOT", isFolder ? logs : searchRoot],
  ]);
  for (const [name, value] of Object.entries(configured)) values.set(name, value);
  return values;
}

export type Expansion = { ok: true; glob: string } | { ok: false; unknown: string[] };

/** Replaces every `${NAME}`; values are not expanded again. Any other `${…}`, including `${}` and `${A B}`, is reported
 * as unknown. */
export function expandVariables(glob: string, variables: ReadonlyMap<string, string>): Expansion {
  const unknown: string[] = [];
  const expanded = glob.replace(/\$\{([^}]*)(\}|$)/g, (whole, name: string, end: string) => {
    const value = end === "" ? undefined : variables.get(name);
    if (value === undefined) {
      unknown.push(end === "" ? whole : name);
      return whole;
    }
    return escapeGlob(process.platform === "win32" ? value.replaceAll("\\", "/") : value);
  });
  return unknown.length > 0 ? { ok: false, unknown } : { ok: true, glob: expanded };
}
