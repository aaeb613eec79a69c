// The WebAssembly of the package xz-decompress (xz-embedded of the author of xz, compiled), without the package's
// own stream, which is asynchronous and allows one file at a time. Runs when the program is bundled.
import { readFileSync } from "node:fs";

/** The module in base64. Throws when the package is not what it was. */
export function xzCode(): string {
  const text = readFileSync(Bun.resolveSync("xz-decompress", import.meta.dir), "utf8");
  const code = /"data:application\/wasm;base64,([A-Za-z0-9+/=]+)"/.exec(text)?.[1];
  if (code === undefined) throw new Error("xz-decompress does not hold its WebAssembly where it was");
  return code;
}
