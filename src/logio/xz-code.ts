// The WebAssembly of the package xz-decompress (a build of xz-embedded), without its stream class, which is asynchronous and
// supports only one file at a time. Runs when the program is bundled.
import { readFileSync } from "node:fs";

/** The module in base64. Throws when the layout of the package has changed. */
export function xzCode(): string {
  const text = readFileSync(Bun.resolveSync("xz-decompress", import.meta.dir), "utf8");
  const code = /"data:application\/wasm;base64,([A-Za-z0-9+/=]+)"/.exec(text)?.[1];
  if (code === undefined)
    throw new Error("xz-decompress does not contain its WebAssembly module where expected");
  return code;
}
