// Text and Markdown. The encoding is determined by the byte order mark, the bytes, or a declaration in the file.
import { isUtf8 } from "node:buffer";
import { type DocumentText, Unreadable } from "../types.ts";

const SAMPLE_BYTES = 4096;

export function parsePlain(bytes: Uint8Array, format: "markdown" | "text"): DocumentText {
  const text = decodeText(bytes);
  // A form feed separates pages in text files.
  const parts = text.split("\f").map((part) => ({ name: "", text: part }));
  return { format, unit: "page", parts, lost: [] };
}

/** Decodes a text with LF line ends. Without a byte order mark: UTF-16 if every other byte is zero, UTF-8 if the bytes are
 * valid, otherwise the declared encoding or Windows-1252. Throws `Unreadable` for a file that is not text. */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const encoding = encodingOf(bytes, declared);
  const text = new TextDecoder(encoding as Bun.Encoding).decode(bytes);
  if (text.includes("\0")) throw new Unreadable("not a text file, and not a document of a known format");
  return text.replace(/\r\n?/g, "\n");
}

function encodingOf(bytes: Uint8Array, declared: string | undefined): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return wide;
  if (isUtf8(bytes)) return "utf-8";
  try {
    if (declared !== undefined && !/^utf-?(?:8|16)/i.test(declared))
      return new TextDecoder(declared as Bun.Encoding).encoding;
  } catch {
    // Unknown encoding: ignore the declaration.
  }
  return "windows-1252";
}

/** Detects UTF-16 without a byte order mark by the zero bytes of ASCII letters. */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES & ~1);
  if (sample.length < 4 || bytes.length % 2 !== 0) return undefined;
  const zeros = [0, 0];
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const half = sample.length / 2;
  if (even === 0 && odd > half * 0.4) return "utf-16le";
  return odd === 0 && even > half * 0.4 ? "utf-16be" : undefined;
}
