// Bundles the parser process with its libraries to one script. Kept out of the executable's own code: as byte code it
// would take several times the room.
import { join } from "node:path";

/** CommonJS text that exports `main`. Used by the build only. */
export async function bundleParser(): Promise<string> {
  const entry = join(import.meta.dirname, "main.ts");
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
