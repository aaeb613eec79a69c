// Scripts that the executable carries apart from its own code: heavy libraries, bundled without byte code and
// compressed (byte code takes several times the room), and loaded only when needed. The build registers their paths
// (`.ci/build/scripts.ts`); a checkout loads the sources.
import { readFileSync } from "node:fs";

/** Under which the build registers the paths of the compressed scripts, by name. */
const EMBEDDED = Symbol.for("atomsmith.scripts");

export type ScriptName = "documents" | "postgres";

/** Path of the compressed script in the executable; undefined in a checkout. */
export function embeddedScript(name: ScriptName): string | undefined {
  const paths = (globalThis as { [key: symbol]: unknown })[EMBEDDED] as Record<string, string> | undefined;
  return paths?.[name];
}

/** Runs a script and returns its exports: the embedded one, or in a checkout the module at `source`. The caller computes
 * `source`, so that the bundler leaves the libraries out of the executable's own code. */
export async function loadScript<T>(name: ScriptName, source: string): Promise<T> {
  const path = embeddedScript(name);
  if (path === undefined) return (await import(source)) as T;
  const code = new TextDecoder().decode(Bun.zstdDecompressSync(readFileSync(path)));
  const module = { exports: {} as T };
  // The script is part of the executable, like the code that runs it here.
  new Function("module", "exports", "require", code)(module, module.exports, require);
  return module.exports;
}
