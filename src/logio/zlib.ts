// node:zlib, loaded for the first compressed file: it loads the stream modules, which takes longer than searching a small
// text.
type Zlib = typeof import("node:zlib");

let loaded: Zlib | undefined;

/** The module. */
export function zlib(): Zlib {
  loaded ??= process.getBuiltinModule("node:zlib");
  return loaded;
}
