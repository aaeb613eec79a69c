// Bundles the guest prelude to one script, and the child program including that script to one CommonJS file. Used by
// the build and, in a checkout, by the program itself; never inside the executable.
import { join } from "node:path";

const sandboxRoot = join(import.meta.dirname, "..");

/** Builds the child program as one self-contained CommonJS file. */
export async function bundleChild(): Promise<string> {
  const prelude = await bundle(join(sandboxRoot, "guest/prelude.ts"), "browser", "esm", {});
  // The only export is the dispatcher; returned from the wrapper, it becomes the value of the script.
  const body = prelude.replace(/export\s*\{\s*(\w+)(?: as \w+)?\s*\};?\s*$/, "return $1;");
  if (body === prelude) throw new Error("the bundled prelude does not end in a single export");
  // Strict mode: `caller` and `arguments` of an atom's function then reveal nothing of the prelude.
  const script = `(() => {"use strict";${body}})()`;
  return bundle(join(sandboxRoot, "child/main.ts"), "node", "cjs", {
    ATOMSMITH_PRELUDE: JSON.stringify(script),
  });
}

async function bundle(
  entry: string,
  target: "browser" | "node",
  format: "esm" | "cjs",
  define: Record<string, string>,
): Promise<string> {
  const result = await Bun.build({ entrypoints: [entry], target, format, define, minify: false });
  const output = result.outputs[0];
  if (!result.success || output === undefined) {
    throw new Error(`cannot bundle ${entry}: ${result.logs.map(String).join("; ")}`);
  }
  return output.text();
}
