// The environment of a command and the lookup of its program. Only allow-listed variables of the caller's environment
// are inherited, since any other may contain a secret.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

const INHERITED = ["PATH", "LANG", "LANGUAGE", "TZ", "USER", "LOGNAME", "SystemRoot", "PATHEXT"];

/** The environment of a command: the allow-listed variables of `base`, the private directories if there are any, and
 * `given`, which takes precedence. */
export function commandEnvironment(
  base: NodeJS.ProcessEnv,
  given: Record<string, string>,
  folders: { home: string; tmp: string } | undefined,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && (INHERITED.includes(name) || name.startsWith("LC_"))) env[name] = value;
  }
  if (folders !== undefined) {
    const { home, tmp } = folders;
    Object.assign(env, { HOME: home, TMPDIR: tmp, TMP: tmp, TEMP: tmp });
    Object.assign(env, {
      XDG_CACHE_HOME: join(home, ".cache"),
      XDG_CONFIG_HOME: join(home, ".config"),
      XDG_DATA_HOME: join(home, ".local/share"),
      XDG_STATE_HOME: join(home, ".local/state"),
      // Python would otherwise write compiled files next to their sources.
      PYTHONPYCACHEPREFIX: join(home, ".cache/python"),
    });
  }
  return { ...env, ...given };
}

/** Resolves a program name: a path relative to `cwd`, or the first executable match in PATH. */
export function resolveProgram(
  name: string,
  path: string | undefined,
  cwd: string,
): { path: string } | { reason: "not_found" | "not_executable" } {
  const candidates = /[/\\]/.test(name)
    ? [resolve(cwd, name)]
    : (path ?? "")
        .split(delimiter)
        // Empty or relative entries would resolve to files of the working directory, which the repository controls.
        .filter((folder) => isAbsolute(folder))
        .map((folder) => join(folder, name));
  let found = false;
  for (const candidate of candidates) {
    if (!statSync(candidate, { throwIfNoEntry: false })?.isFile()) continue;
    found = true;
    try {
      accessSync(candidate, constants.X_OK);
      return { path: candidate };
    } catch {
      // A later entry of PATH may have an executable one.
    }
  }
  return { reason: found ? "not_executable" : "not_found" };
}
