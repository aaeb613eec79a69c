// Expands `${NAME}` in globs. Values are literal text: wildcards in them are escaped. docs/contract.md.
import { escapeGlob } from "./glob.ts";

/** Predefined names; their value is the search root unless configured. */
export const BUILT_IN_VARIABLES = ["CHECKLIST_ROOT", "DESIGN_ROOT", "LOG_ROOT"] as const;

/** The variables of a run: the built-in ones, overridden by configured ones. */
export function variablesOf(
  searchRoot: string,
  configured: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>(BUILT_IN_VARIABLES.map((name) => [name, searchRoot]));
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
