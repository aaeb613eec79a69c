// Extracts the WebAssembly of the package xz-decompress (compiled from xz-embedded) at bundling time. The package's own
// stream API is not used: it is asynchronous and allows only one file at a time.
import { readFileSync } from "node:fs";

/** The module in base64. Throws when the layout of the package has changed. */
export function xzCode(): string {
  const text = readFileSync(Bun.resolveSync("xz-decompress", import.meta.dir), "utf8");
  const code = /"data:application\/wasm;base64,([A-Za-z0-9+/=]+)"/.exec(text)?.[1];
  if (code === undefined) throw new Error("xz-decompress does not contain its WebAssembly as a data URL");
  return code;
}
