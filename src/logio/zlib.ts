// Loads node:zlib on first use: it also loads the streams module, which takes longer than searching a small text.
type Zlib = typeof import("node:zlib");

let loaded: Zlib | undefined;

/** Returns node:zlib. */
export function zlib(): Zlib {
  loaded ??= process.getBuiltinModule("node:zlib");
  return loaded;
}
