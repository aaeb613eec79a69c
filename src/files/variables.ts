// `${NAME}` in globs. A value is text, never a glob: its wildcards mean themselves. Contract, section 3.
import { escapeGlob } from "./glob.ts";

/** Names that exist without being configured; their value is the search root unless the configuration says so. */
export const BUILT_IN_VARIABLES = ["CHECKLIST_ROOT", "DESIGN_ROOT", "LOG_ROOT"] as const;

/** The variables of a run: those configured, over the built-in ones. */
export function variablesOf(
  searchRoot: string,
  configured: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>(BUILT_IN_VARIABLES.map((name) => [name, searchRoot]));
  for (const [name, value] of Object.entries(configured)) values.set(name, value);
  return values;
}

export type Expansion = { ok: true; glob: string } | { ok: false; unknown: string[] };

/** Replaces every `${NAME}`. Values are not looked into again. Anything like `${…}` that is no known name is
 * unknown, also `${}` and `${A B}`: a config error. */
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
