// The scripts that the executable carries apart from its own code (src/core/embedded-script.ts), by name.
import { join } from "node:path";
import type { ScriptName } from "../../src/core/embedded-script.ts";

const root = join(import.meta.dirname, "../..");

const ENTRIES: Record<ScriptName, string> = {
  documents: "src/documents/parse/main.ts",
  postgres: "src/store/postgres/libraries.ts",
};

/** Each script as CommonJS text with its libraries. */
export async function bundleScripts(): Promise<[ScriptName, string][]> {
  const names = Object.keys(ENTRIES) as ScriptName[];
  return Promise.all(names.map(async (name) => [name, await bundle(join(root, ENTRIES[name]))]));
}

async function bundle(entry: string): Promise<string> {
  const result = await Bun.build({
    entrypoints: [entry],
    target: "node",
    format: "cjs",
    minify: true,
    // A script has none. unpdf asks for a package that is not there, and is prepared for an error.
    define: { "import.meta.resolve": "undefined" },
  });
  const output = result.outputs[0];
  if (!result.success || output === undefined) {
    throw new Error(`cannot bundle ${entry}: ${result.logs.map(String).join("; ")}`);
  }
  return output.text();
}
