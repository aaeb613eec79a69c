// Detects the compression and encoding of a log by its content, never by its name.

/** `plain` is anything that is not a known compression. */
export type Compression = "plain" | "gzip" | "zstd" | "bzip2" | "xz" | "lz4" | "zip" | "compress";

const MAGIC: [Compression, number[]][] = [
  ["gzip", [0x1f, 0x8b]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ["lz4", [0x04, 0x22, 0x4d, 0x18]],
  ["zip", [0x50, 0x4b, 0x03, 0x04]],
  ["compress", [0x1f, 0x9d]],
];

/** Compression by the first bytes of a file (10 are enough). */
export function sniffCompression(head: Uint8Array): Compression {
  for (const [name, magic] of MAGIC) {
    if (!magic.every((byte, i) => head[i] === byte)) continue;
    // "BZh" could also begin a text; in bzip2, the level and the digits of pi follow, or those of its square root when the
    // stream is empty.
    if (name === "bzip2" && !(inRange(head[3], 0x31, 0x39) && isBzip2Block(head[4], head[5]))) continue;
    return name;
  }
  // Skippable zstd frames: 0x184D2A50 to 0x184D2A5F, little-endian.
  if (inRange(head[0], 0x50, 0x5f) && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18) return "zstd";
  return "plain";
}

export type TextEncodingName = "utf-8" | "latin-1" | "utf-16le" | "utf-16be";

/** The byte order mark at the start of the decompressed bytes and its length; undefined without one. */
export function sniffBom(head: Uint8Array): { encoding: TextEncodingName; length: number } | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: "utf-8", length: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: "utf-16le", length: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: "utf-16be", length: 2 };
  return undefined;
}

function isBzip2Block(first: number | undefined, second: number | undefined): boolean {
  return (first === 0x31 && second === 0x41) || (first === 0x17 && second === 0x72);
}

function inRange(byte: number | undefined, low: number, high: number): boolean {
  return byte !== undefined && byte >= low && byte <= high;
}
