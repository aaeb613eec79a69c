// node:zlib, loaded when a compressed file is first met: it brings the streams along, which take longer to load
// than a search in a small text.
type Zlib = typeof import("node:zlib");

let loaded: Zlib | undefined;

/** The module. */
export function zlib(): Zlib {
  loaded ??= process.getBuiltinModule("node:zlib");
  return loaded;
}
